#include "encoder/kernels.hpp"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define OTHERWORDS_X86 1
#endif

// Before a loop over registers: sums stay in registers only if it is unrolled early.
#ifdef __clang__
#define OTHERWORDS_UNROLL _Pragma("clang loop unroll(full)")
#else
#define OTHERWORDS_UNROLL _Pragma("GCC unroll 8")
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace otherwords {
namespace {

// Of P in gelu_of(), highest first: the weighted least squares fit whose largest error is least.
constexpr int gelu_degree = 11;
constexpr float gelu_coefficients[gelu_degree + 1] = {
    -0.00109637226f, 0.00319447089f, -0.00388683542f, 0.00511324126f,
    -0.0101654828f, 0.0169101544f, -0.0236249436f, 0.0313567184f,
    -0.0403919853f, 0.0515253991f, -0.0702982321f, 0.141363755f};

namespace plain {

// Codes are floating-point numbers, which every processor multiplies side by side. Sums of 1,024
// products of two codes stay below 2^24, so they are exact.
#define PART 4
#define SIDE_BY_SIDE 1
#define CODE float
#define CODE_OFFSET 0
typedef std::int32_t IntPartOfPlain __attribute__((vector_size(16)));

inline void narrow(const IntPartOfPlain* whole, float* to) {
  for (int i = 0; i < 16; ++i) to[i] = static_cast<float>(whole[i / 4][i % 4]);
}

#include "encoder/kernels_body.hpp"

constexpr std::size_t exact = 1024;  // products

// Adds up `size` products of `rows` rows with sixteen outputs; sums so far are in `totals`.
template <int rows>
inline void add_products(const float* weights, std::size_t size, const float* codes,
                         std::size_t stride, std::int32_t (*totals)[16]) {
  Lanes sums[rows];
  OTHERWORDS_UNROLL
  for (int r = 0; r < rows; ++r) sums[r] = spread(0.0f);
  for (std::size_t k = 0; k < size; ++k) {
    const Lanes w = load(weights + 16 * k);
    OTHERWORDS_UNROLL
    for (int r = 0; r < rows; ++r)
      sums[r] = sums[r] + spread(codes[static_cast<std::size_t>(r) * stride + k]) * w;
  }
  OTHERWORDS_UNROLL
  for (int r = 0; r < rows; ++r) {
    float each[16];
    store(each, sums[r]);
    for (int i = 0; i < 16; ++i) totals[r][i] += static_cast<std::int32_t>(each[i]);
  }
}

void multiply(const Linear& linear, const Codes& codes, std::size_t count, float* out) {
  constexpr std::size_t block = 32;  // rows
  const std::size_t size = 4 * linear.steps(), stride = linear.stride();
  float weights[exact * 16];
  for (std::size_t output = 0; output < stride; output += 16)
    for (std::size_t begin = 0; begin < count; begin += block) {
      const std::size_t some = count - begin < block ? count - begin : block;
      std::int32_t totals[block][16] = {};
      for (std::size_t from = 0; from < size; from += exact) {
        const std::size_t part = size - from < exact ? size - from : exact;
        const std::int8_t* panel = linear.panels + output * size + from * 16;
        for (std::size_t k = 0; k < part; ++k)
          for (std::size_t o = 0; o < 16; ++o)
            weights[16 * k + o] = panel[(k / 4 * 16 + o) * 4 + k % 4];
        const float* a = static_cast<const float*>(codes.data) + begin * codes.stride + from;
        std::size_t row = 0;
        for (; row + 2 <= some; row += 2)
          add_products<2>(weights, part, a + row * codes.stride, codes.stride, totals + row);
        if (row < some)
          add_products<1>(weights, part, a + row * codes.stride, codes.stride, totals + row);
      }
      for (std::size_t row = 0; row < some; ++row) {
        IntPart sums[parts];
        std::memcpy(sums, totals[row], sizeof(sums));
        finish(linear, output, sums, codes.scales[begin + row],
               out + (begin + row) * stride + output);
      }
    }
}

constexpr Kernels kernels{"plain", sizeof(CODE), quantise, multiply, add_and_norm, gelu, attend};

#undef PART
#undef SIDE_BY_SIDE
#undef CODE
#undef CODE_OFFSET

}  // namespace plain

#ifdef OTHERWORDS_X86

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
namespace avx2 {

#define PART 8
#define SIDE_BY_SIDE 2
#define CODE std::int16_t
#define CODE_OFFSET 0
typedef std::int32_t IntPartOfAvx2 __attribute__((vector_size(32)));

inline void narrow(const IntPartOfAvx2* whole, std::int16_t* to) {
  const __m256i packed = _mm256_packs_epi32((__m256i)whole[0], (__m256i)whole[1]);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permute4x64_epi64(packed, 0xd8));
}

#include "encoder/kernels_body.hpp"

// sums += codes * weights, two at a time; in assembler as add_dots() below.
inline void add_pairs(__m256i& sums, __m256i codes, __m256i weights) {
  __m256i products;
  asm("vpmaddwd %3, %2, %1\n\tvpaddd %1, %0, %0"
      : "+x"(sums), "=&x"(products)
      : "x"(codes), "x"(weights));
}

// Eight outputs of `rows` rows. A product of codes fits 16 bits, and pairs are added in 32: nothing
// can overflow. Each register holds two sums for four outputs.
template <int rows>
inline void multiply_tile(const std::int8_t* panel, std::size_t steps, const std::int16_t* codes,
                          std::size_t stride, __m256i (&sums)[rows]) {
  __m256i low[rows], high[rows];
  OTHERWORDS_UNROLL
  for (int r = 0; r < rows; ++r) low[r] = high[r] = _mm256_setzero_si256();
  for (std::size_t step = 0; step < steps; ++step, panel += 64, codes += 4) {
    const auto* at = reinterpret_cast<const __m128i*>(panel);
    const __m256i first_four = _mm256_cvtepi8_epi16(_mm_loadu_si128(at));
    const __m256i last_four = _mm256_cvtepi8_epi16(_mm_loadu_si128(at + 1));
    OTHERWORDS_UNROLL
    for (int r = 0; r < rows; ++r) {
      long long four;
      std::memcpy(&four, codes + static_cast<std::size_t>(r) * stride, 8);
      const __m256i a = _mm256_set1_epi64x(four);
      add_pairs(low[r], a, first_four);
      add_pairs(high[r], a, last_four);
    }
  }
  OTHERWORDS_UNROLL
  for (int r = 0; r < rows; ++r)
    sums[r] = _mm256_permute4x64_epi64(_mm256_hadd_epi32(low[r], high[r]), 0xd8);
}

template <int rows>
inline void multiply_rows(const Linear& linear, std::size_t output, const Codes& codes,
                          std::size_t row, float* out) {
  const std::size_t steps = linear.steps(), stride = linear.stride();
  const std::int8_t* panel = linear.panels + output * steps * 4;
  const auto* a = static_cast<const std::int16_t*>(codes.data) + row * codes.stride;
  __m256i sums[2][rows];
  multiply_tile<rows>(panel, steps, a, codes.stride, sums[0]);
  multiply_tile<rows>(panel + 32, steps, a, codes.stride, sums[1]);
  for (std::size_t r = 0; r < rows; ++r) {
    const IntPart both[parts] = {(IntPart)sums[0][r], (IntPart)sums[1][r]};
    finish(linear, output, both, codes.scales[row + r], out + (row + r) * stride + output);
  }
}

void multiply(const Linear& linear, const Codes& codes, std::size_t count, float* out) {
  for (std::size_t output = 0; output < linear.stride(); output += 16) {
    std::size_t row = 0;
    for (; row + 6 <= count; row += 6) multiply_rows<6>(linear, output, codes, row, out);
    for (; row + 3 <= count; row += 3) multiply_rows<3>(linear, output, codes, row, out);
    for (; row < count; ++row) multiply_rows<1>(linear, output, codes, row, out);
  }
}

constexpr Kernels kernels{"avx2", sizeof(CODE), quantise, multiply, add_and_norm, gelu, attend};

#undef PART
#undef SIDE_BY_SIDE
#undef CODE
#undef CODE_OFFSET

}  // namespace avx2
#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute push(                                                                \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")
#endif
namespace avx512 {

// Codes are 0 to 255, because the instruction multiplies unsigned with signed bytes; what the 128 too
// many add is in `offsets`.
#define PART 16
#define SIDE_BY_SIDE 4
#define CODE std::uint8_t
#define CODE_OFFSET 128
typedef std::int32_t IntPartOfAvx512 __attribute__((vector_size(64)));

inline void narrow(const IntPartOfAvx512* whole, std::uint8_t* to) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_maskz_cvtepi32_epi8(0xffff, (__m512i)whole[0]));
}

#include "encoder/kernels_body.hpp"

// sums += codes * weights, four at a time. In assembler, because GCC 12 copies the sums of the intrinsic
// function from register to register and to the stack, which takes half of the time.
inline void add_dots(__m512i& sums, __m512i codes, __m512i weights) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(codes), "v"(weights));
}

// `panels` times sixteen outputs of `rows` rows: 24 sums in registers at most.
template <int rows, int panels>
inline void multiply_tile(const Linear& linear, std::size_t output, const Codes& codes,
                          std::size_t row, float* out) {
  const std::size_t steps = linear.steps(), stride = linear.stride();
  const std::int8_t* weights = linear.panels + output * steps * 4;
  const auto* a = static_cast<const std::uint8_t*>(codes.data) + row * codes.stride;
  __m512i sums[rows][panels];
  OTHERWORDS_UNROLL
  for (int p = 0; p < panels; ++p) {
    const __m512i start = _mm512_loadu_si512(linear.offsets + output + 16 * p);
    OTHERWORDS_UNROLL
    for (int r = 0; r < rows; ++r) sums[r][p] = start;
  }
  for (std::size_t step = 0; step < steps; ++step) {
    __m512i w[panels];
    OTHERWORDS_UNROLL
    for (int p = 0; p < panels; ++p)
      w[p] = _mm512_loadu_si512(weights + (static_cast<std::size_t>(p) * steps + step) * 64);
    OTHERWORDS_UNROLL
    for (int r = 0; r < rows; ++r) {
      int four;
      std::memcpy(&four, a + static_cast<std::size_t>(r) * codes.stride + 4 * step, 4);
      const __m512i same = _mm512_set1_epi32(four);
      OTHERWORDS_UNROLL
      for (int p = 0; p < panels; ++p) add_dots(sums[r][p], same, w[p]);
    }
  }
  OTHERWORDS_UNROLL
  for (std::size_t r = 0; r < rows; ++r)
    OTHERWORDS_UNROLL
    for (std::size_t p = 0; p < panels; ++p) {
      const IntPart whole[parts] = {(IntPart)sums[r][p]};
      finish(linear, output + 16 * p, whole, codes.scales[row + r],
             out + (row + r) * stride + output + 16 * p);
    }
}

template <int panels>
inline void multiply_panels(const Linear& linear, std::size_t output, const Codes& codes,
                            std::size_t count, float* out) {
  std::size_t row = 0;
  for (; row + 6 <= count; row += 6) multiply_tile<6, panels>(linear, output, codes, row, out);
  switch (count - row) {
    case 5: return multiply_tile<5, panels>(linear, output, codes, row, out);
    case 4: return multiply_tile<4, panels>(linear, output, codes, row, out);
    case 3: return multiply_tile<3, panels>(linear, output, codes, row, out);
    case 2: return multiply_tile<2, panels>(linear, output, codes, row, out);
    case 1: return multiply_tile<1, panels>(linear, output, codes, row, out);
  }
}

void multiply(const Linear& linear, const Codes& codes, std::size_t count, float* out) {
  std::size_t output = 0;
  for (; output + 64 <= linear.stride(); output += 64)
    multiply_panels<4>(linear, output, codes, count, out);
  for (; output < linear.stride(); output += 16)
    multiply_panels<1>(linear, output, codes, count, out);
}

constexpr Kernels kernels{"avx512", sizeof(CODE), quantise, multiply, add_and_norm, gelu, attend};

#undef PART
#undef SIDE_BY_SIDE
#undef CODE
#undef CODE_OFFSET

}  // namespace avx512
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif  // OTHERWORDS_X86

bool has_instructions(const Kernels& kernels) {
#ifdef OTHERWORDS_X86
  __builtin_cpu_init();
  if (kernels.name == "avx2") return __builtin_cpu_supports("avx2");
  if (kernels.name == "avx512")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vnni");
#endif
  return kernels.name == "plain";
}

}  // namespace

const Kernels* find_kernels(std::string_view name) {
  static constexpr const Kernels* all[] = {
#ifdef OTHERWORDS_X86
      &avx512::kernels, &avx2::kernels,
#endif
      &plain::kernels};
  for (const Kernels* kernels : all)
    if ((name.empty() || name == kernels->name) && has_instructions(*kernels)) return kernels;
  return nullptr;
}

}  // namespace otherwords

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
