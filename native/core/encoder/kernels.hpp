// The arithmetic of a transformer layer, once for each instruction set. Whole numbers are exact
// everywhere. Floating-point numbers are added in one order: sixteen lanes side by side, then a fixed
// tree; there is no fused multiplication and no function of the system's library. So every instruction
// set, thread count and composition of a batch gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace otherwords {

constexpr std::size_t lanes = 16;  // numbers that are computed side by side

constexpr std::size_t round_up(std::size_t size, std::size_t unit = lanes) {
  return (size + unit - 1) / unit * unit;
}

// y = W x + b with 8-bit weights, one scale for each output.
struct Linear {
  std::size_t inputs = 0, outputs = 0;
  const std::int8_t* panels = nullptr;    // [outputs / 16][inputs / 4][16][4], rounded up with zeros
  const std::int32_t* offsets = nullptr;  // -128 times the sum of each output's weights
  const float* scales = nullptr;          // of each output, zeros up to a multiple of 16
  const float* bias = nullptr;            // likewise

  std::size_t steps() const { return (inputs + 3) / 4; }
  std::size_t stride() const { return round_up(outputs); }
};

// Rows of 8-bit codes; what a code looks like is the instruction set's affair.
struct Codes {
  void* data;
  float* scales;       // of each row
  std::size_t stride;  // codes per row
};

struct Heads {
  std::size_t count, size;  // size: numbers per head
  float scale;              // 1 / sqrt(size)
};

// Rows are `stride` numbers apart, a multiple of 16; numbers behind the last one are zeros.
struct Kernels {
  std::string_view name;
  std::size_t code_size;  // bytes

  // Each row to 8 bits: its largest absolute value becomes 127; ties go to the even code.
  void (*quantise)(const float* rows, std::size_t count, std::size_t stride, const Codes& codes);
  void (*multiply)(const Linear& linear, const Codes& codes, std::size_t count, float* out);
  // rows = norm(rows + added); `added` may be null. `weight` and `bias` are padded with zeros.
  void (*add_and_norm)(float* rows, const float* added, std::size_t count, std::size_t width,
                       const float* weight, const float* bias, float epsilon);
  void (*gelu)(float* rows, std::size_t count, std::size_t stride);
  // One text: `qkv` has its queries, keys and values side by side in rows; `scratch` has room for
  // attention_scratch() numbers. Reads up to 16 numbers behind a row.
  void (*attend)(const Heads& heads, const float* qkv, std::size_t count, float* out,
                 float* scratch);
};

constexpr std::size_t attention_scratch(std::size_t head_size, std::size_t count) {
  return (head_size + 4) * round_up(count);
}

// The kernels of that name ("plain", "avx2", "avx512"); for no name the fastest that this processor
// has. Null if there is no such name or the processor lacks the instructions.
const Kernels* find_kernels(std::string_view name = {});

}  // namespace otherwords
