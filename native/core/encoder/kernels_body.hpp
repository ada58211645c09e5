// Included once for each instruction set, inside a namespace and with PART, the floats of a vector
// register, SIDE_BY_SIDE, how many rows or vectors are computed together, CODE, the type of a code, and
// CODE_OFFSET, what is added to it. Plain loops over the
// registers of sixteen lanes: the compiler has nothing to reorder. Nothing of the standard library is
// used here, because its templates would be compiled for these instructions and used by others.

#define OTHERWORDS_INLINE inline __attribute__((always_inline))

typedef float Part __attribute__((vector_size(PART * 4)));
typedef float LoosePart __attribute__((vector_size(PART * 4), aligned(4), may_alias));
typedef std::int32_t IntPart __attribute__((vector_size(PART * 4)));

constexpr int parts = 16 / PART;

struct Lanes {
  Part part[parts];
};

OTHERWORDS_INLINE Lanes load(const float* at) {
  Lanes out;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i)
    out.part[i] = *reinterpret_cast<const LoosePart*>(at + i * PART);
  return out;
}

OTHERWORDS_INLINE void store(float* at, const Lanes& a) {
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) *reinterpret_cast<LoosePart*>(at + i * PART) = a.part[i];
}

OTHERWORDS_INLINE Lanes spread(float value) {
  Lanes out;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) out.part[i] = value - Part{};  // nothing to compute, unlike value + 0
  return out;
}

OTHERWORDS_INLINE Lanes operator+(const Lanes& a, const Lanes& b) {
  Lanes out;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) out.part[i] = a.part[i] + b.part[i];
  return out;
}

OTHERWORDS_INLINE Lanes operator-(const Lanes& a, const Lanes& b) {
  Lanes out;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) out.part[i] = a.part[i] - b.part[i];
  return out;
}

OTHERWORDS_INLINE Lanes operator*(const Lanes& a, const Lanes& b) {
  Lanes out;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) out.part[i] = a.part[i] * b.part[i];
  return out;
}

OTHERWORDS_INLINE Lanes larger(const Lanes& a, const Lanes& b) {
  Lanes out;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) out.part[i] = a.part[i] > b.part[i] ? a.part[i] : b.part[i];
  return out;
}

OTHERWORDS_INLINE Lanes smaller(const Lanes& a, const Lanes& b) {
  Lanes out;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) out.part[i] = a.part[i] < b.part[i] ? a.part[i] : b.part[i];
  return out;
}

OTHERWORDS_INLINE Lanes absolute(const Lanes& a) {
  Lanes out;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) out.part[i] = (Part)((IntPart)a.part[i] & 0x7fffffff);
  return out;
}

OTHERWORDS_INLINE float sum(const Lanes& a) {
  float each[16];
  store(each, a);
  for (int half = 8; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) each[i] += each[i + half];
  return each[0];
}

OTHERWORDS_INLINE float largest(const Lanes& a) {
  float each[16];
  store(each, a);
  for (int half = 8; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) each[i] = each[i] > each[i + half] ? each[i] : each[i + half];
  return each[0];
}

// 1 in the first `count` lanes, 0 in the others.
OTHERWORDS_INLINE Lanes first(std::size_t count) {
  static const float ones[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  return load(ones + 16 - count);
}

// Added to a number below 2^22 it leaves the nearest whole number, ties to even, in the last bits.
constexpr float rounder = 12582912.0f;

// The following two compute `count` vectors step by step together: one alone would wait for each of its
// operations.

// e^x for x <= 0: x = n ln 2 + r, 2^n by the exponent's bits, e^r by its series (error 2e-7).
template <int count>
OTHERWORDS_INLINE void exponential(Lanes (&x)[count]) {
  constexpr float series[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};
  Lanes shifted[count], r[count], p[count];
  OTHERWORDS_UNROLL
  for (int k = 0; k < count; ++k) {
    const Lanes near = larger(x[k], spread(-80.0f));
    shifted[k] = near * spread(1.44269504f) + spread(rounder);
    const Lanes whole = shifted[k] - spread(rounder);
    r[k] = (near - whole * spread(0.693359375f)) - whole * spread(-2.12194440e-4f);
    p[k] = spread(series[0]);
  }
  OTHERWORDS_UNROLL
  for (int i = 1; i < 7; ++i) {
    OTHERWORDS_UNROLL
    for (int k = 0; k < count; ++k) p[k] = p[k] * r[k] + spread(series[i]);
  }
  OTHERWORDS_UNROLL
  for (int k = 0; k < count; ++k) {
    OTHERWORDS_UNROLL
    for (int i = 0; i < parts; ++i)
      x[k].part[i] = (Part)((IntPart)p[k].part[i] + ((IntPart)shifted[k].part[i] << 23));
  }
}

// x Phi(x), Phi(x) = 1/2 + x P(u), u = 2 x^2 / 25 - 1; P is fitted on |x| <= 5 (error 2e-6).
template <int count>
OTHERWORDS_INLINE void apply_gelu(float* at) {
  Lanes x[count], near[count], u[count], p[count];
  OTHERWORDS_UNROLL
  for (int k = 0; k < count; ++k) {
    x[k] = load(at + 16 * k);
    near[k] = larger(smaller(x[k], spread(5.0f)), spread(-5.0f));
    u[k] = near[k] * near[k] * spread(0.08f) - spread(1.0f);
    p[k] = spread(gelu_coefficients[0]);
  }
  OTHERWORDS_UNROLL
  for (int i = 1; i < gelu_degree + 1; ++i) {
    OTHERWORDS_UNROLL
    for (int k = 0; k < count; ++k) p[k] = p[k] * u[k] + spread(gelu_coefficients[i]);
  }
  OTHERWORDS_UNROLL
  for (int k = 0; k < count; ++k) {
    const Lanes middle = x[k] * (spread(0.5f) + near[k] * p[k]);
    const Lanes outside = larger(x[k], spread(0.0f));
    Lanes out;
    OTHERWORDS_UNROLL
    for (int i = 0; i < parts; ++i)
      out.part[i] = near[k].part[i] == x[k].part[i] ? middle.part[i] : outside.part[i];
    store(at + 16 * k, out);
  }
}

void quantise(const float* rows, std::size_t count, std::size_t stride, const Codes& codes) {
  for (std::size_t row = 0; row < count; ++row) {
    const float* from = rows + row * stride;
    CODE* to = static_cast<CODE*>(codes.data) + row * codes.stride;
    Lanes most = spread(0.0f);
    for (std::size_t i = 0; i < stride; i += 16) most = larger(absolute(load(from + i)), most);
    const float peak = largest(most);
    const bool is_zero = !(peak > 1e-30f);
    codes.scales[row] = is_zero ? 0.0f : peak / 127.0f;
    const Lanes factor = spread(is_zero ? 0.0f : 127.0f / peak);
    for (std::size_t i = 0; i < stride; i += 16) {
      const Lanes shifted = load(from + i) * factor + spread(rounder);
      IntPart whole[parts];
      for (int k = 0; k < parts; ++k)
        whole[k] = (IntPart)shifted.part[k] - (0x4b400000 - CODE_OFFSET);
      narrow(whole, to + i);
    }
  }
}

void add_and_norm(float* rows, const float* added, std::size_t count, std::size_t width,
                  const float* weight, const float* bias, float epsilon) {
  const std::size_t stride = (width + 15) / 16 * 16;
  const Lanes tail = first(width + 16 - stride);
  const float share = 1.0f / static_cast<float>(width);
  for (std::size_t row = 0; row < count; ++row) {
    float* x = rows + row * stride;
    Lanes total = spread(0.0f);
    for (std::size_t i = 0; i < stride; i += 16) {
      Lanes value = load(x + i);
      if (added) {
        value = value + load(added + row * stride + i);
        store(x + i, value);
      }
      total = total + value;
    }
    const Lanes mean = spread(sum(total) * share);
    Lanes squares = spread(0.0f);
    for (std::size_t i = 0; i < stride; i += 16) {
      Lanes centred = load(x + i) - mean;
      if (i + 16 == stride) centred = centred * tail;
      store(x + i, centred);
      squares = squares + centred * centred;
    }
    const Lanes factor = spread(1.0f / __builtin_sqrtf(sum(squares) * share + epsilon));
    for (std::size_t i = 0; i < stride; i += 16)
      store(x + i, load(x + i) * factor * load(weight + i) + load(bias + i));
  }
}

void gelu(float* rows, std::size_t count, std::size_t stride) {
  const std::size_t size = count * stride;
  std::size_t i = 0;
  for (; i + 16 * SIDE_BY_SIDE <= size; i += 16 * SIDE_BY_SIDE)
    apply_gelu<SIDE_BY_SIDE>(rows + i);
  for (; i < size; i += 16) apply_gelu<1>(rows + i);
}

// Sums of products of `rows` rows of factors, one after the other, with `blocks` times sixteen numbers.
template <int rows, int blocks>
OTHERWORDS_INLINE void combine(const float* factors, std::size_t factor_stride, const float* numbers,
                               std::size_t stride, std::size_t count, Lanes (&out)[rows][blocks]) {
  OTHERWORDS_UNROLL
  for (int r = 0; r < rows; ++r)
    OTHERWORDS_UNROLL
    for (int b = 0; b < blocks; ++b) out[r][b] = spread(0.0f);
  for (std::size_t k = 0; k < count; ++k) {
    Lanes some[blocks];
    OTHERWORDS_UNROLL
    for (int b = 0; b < blocks; ++b) some[b] = load(numbers + k * stride + 16 * b);
    OTHERWORDS_UNROLL
    for (int r = 0; r < rows; ++r) {
      const Lanes factor = spread(factors[static_cast<std::size_t>(r) * factor_stride + k]);
      OTHERWORDS_UNROLL
      for (int b = 0; b < blocks; ++b) out[r][b] = out[r][b] + factor * some[b];
    }
  }
}

template <int rows, int blocks>
OTHERWORDS_INLINE void score_keys(const Heads& heads, const float* queries, std::size_t stride,
                                  const float* keys, std::size_t places, float* scores) {
  Lanes found[rows][blocks];
  combine<rows, blocks>(queries, stride, keys, places, heads.size, found);
  OTHERWORDS_UNROLL
  for (int r = 0; r < rows; ++r)
    OTHERWORDS_UNROLL
    for (int b = 0; b < blocks; ++b)
      store(scores + static_cast<std::size_t>(r) * places + 16 * b,
            found[r][b] * spread(heads.scale));
}

// Scores of `rows` queries become weights, and `sums` their sums.
template <int rows>
OTHERWORDS_INLINE void weigh(float* scores, std::size_t places, std::size_t count, float* sums) {
  Lanes peaks[rows], totals[rows];
  for (int r = 0; r < rows; ++r) {
    const float* row = scores + static_cast<std::size_t>(r) * places;
    Lanes most = spread(-3e38f);
    std::size_t j = 0;
    for (; j + 16 <= count; j += 16) most = larger(load(row + j), most);
    float peak = largest(most);
    for (; j < count; ++j) peak = row[j] > peak ? row[j] : peak;
    peaks[r] = spread(peak);
    totals[r] = spread(0.0f);
  }
  for (std::size_t j = 0; j < count; j += 16) {
    Lanes weights[rows];
    OTHERWORDS_UNROLL
    for (int r = 0; r < rows; ++r)  // what stands behind the last key may be above the peak
      weights[r] = smaller(load(scores + static_cast<std::size_t>(r) * places + j) - peaks[r],
                           spread(0.0f));
    exponential<rows>(weights);
    const Lanes inside = first(count - j < 16 ? count - j : 16);
    OTHERWORDS_UNROLL
    for (int r = 0; r < rows; ++r) {
      weights[r] = weights[r] * inside;
      store(scores + static_cast<std::size_t>(r) * places + j, weights[r]);
      totals[r] = totals[r] + weights[r];
    }
  }
  for (int r = 0; r < rows; ++r) sums[r] = sum(totals[r]);
}

template <int rows, int blocks>
OTHERWORDS_INLINE void gather_values(const float* weights, std::size_t places, const float* sums,
                                     const float* values, std::size_t stride, std::size_t count,
                                     std::size_t left, float* out, std::size_t out_stride) {
  Lanes found[rows][blocks];
  combine<rows, blocks>(weights, places, values, stride, count, found);
  OTHERWORDS_UNROLL
  for (int r = 0; r < rows; ++r)
    OTHERWORDS_UNROLL
    for (int b = 0; b < blocks; ++b) {
      const Lanes mean = found[r][b] * spread(1.0f / sums[r]);
      float* to = out + static_cast<std::size_t>(r) * out_stride + 16 * b;
      if (left >= static_cast<std::size_t>(16 * b + 16)) {
        store(to, mean);
      } else {
        float each[16];
        store(each, mean);
        for (std::size_t k = 16 * b; k < left; ++k) to[k - 16 * b] = each[k - 16 * b];
      }
    }
}

template <int rows>
OTHERWORDS_INLINE void attend_rows(const Heads& heads, const float* queries, const float* values,
                                   std::size_t stride, const float* keys, std::size_t count,
                                   float* weights, float* out, std::size_t out_stride) {
  const std::size_t places = (count + 15) / 16 * 16;
  std::size_t j = 0;
  for (; j + 32 <= places; j += 32)
    score_keys<rows, 2>(heads, queries, stride, keys + j, places, weights + j);
  if (j < places) score_keys<rows, 1>(heads, queries, stride, keys + j, places, weights + j);
  float sums[rows];
  weigh<rows>(weights, places, count, sums);
  std::size_t d = 0;
  for (; d + 16 < heads.size; d += 32)
    gather_values<rows, 2>(weights, places, sums, values + d, stride, count, heads.size - d,
                           out + d, out_stride);
  if (d < heads.size)
    gather_values<rows, 1>(weights, places, sums, values + d, stride, count, heads.size - d,
                           out + d, out_stride);
}

void attend(const Heads& heads, const float* qkv, std::size_t count, float* out, float* scratch) {
  const std::size_t width = heads.count * heads.size;
  const std::size_t stride = (3 * width + 15) / 16 * 16, out_stride = (width + 15) / 16 * 16;
  const std::size_t places = (count + 15) / 16 * 16;
  float* keys = scratch;  // [size][places]
  float* weights = scratch + heads.size * places;
  for (std::size_t head = 0; head < heads.count; ++head) {
    const float* queries = qkv + head * heads.size;
    const float* values = queries + 2 * width;
    for (std::size_t d = 0; d < heads.size; ++d)
      for (std::size_t j = count; j < places; ++j) keys[d * places + j] = 0.0f;
    for (std::size_t j = 0; j < count; ++j) {
      const float* key = queries + width + j * stride;
      for (std::size_t d = 0; d < heads.size; ++d) keys[d * places + j] = key[d];
    }
    float* to = out + head * heads.size;
    std::size_t row = 0;
    for (; row + SIDE_BY_SIDE <= count; row += SIDE_BY_SIDE)
      attend_rows<SIDE_BY_SIDE>(heads, queries + row * stride, values, stride, keys, count, weights,
                           to + row * out_stride, out_stride);
    for (; row + 2 <= count; row += 2)
      attend_rows<2>(heads, queries + row * stride, values, stride, keys, count, weights,
                     to + row * out_stride, out_stride);
    if (row < count)
      attend_rows<1>(heads, queries + row * stride, values, stride, keys, count, weights,
                     to + row * out_stride, out_stride);
  }
}

// y = sum times scale of the output, times scale of the row, plus bias.
OTHERWORDS_INLINE void finish(const Linear& linear, std::size_t output, const IntPart* sums,
                              float row_scale, float* out) {
  Lanes value;
  OTHERWORDS_UNROLL
  for (int i = 0; i < parts; ++i) value.part[i] = __builtin_convertvector(sums[i], Part);
  store(out, value * load(linear.scales + output) * spread(row_scale) + load(linear.bias + output));
}

#undef OTHERWORDS_INLINE
