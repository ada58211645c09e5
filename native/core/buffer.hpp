// A growing array of plain values. Memory that is not written yet costs nothing, and growing a large
// one moves pages rather than bytes where the system can (a vector would hold both copies for a while).
#pragma once

#include "standard.hpp"

namespace otherwords {

template <typename T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  // Of that size, with any values.
  explicit Buffer(std::size_t size) : size_(size) { reserve(size); }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~Buffer() { std::free(data_); }

  void push_back(T value) {
    if (size_ == capacity_) reserve(capacity_ ? capacity_ + capacity_ / 2 + 1 : 64);
    data_[size_++] = value;
  }

  void shrink(std::size_t size) { size_ = size; }

  // Leaves no more memory than the values need.
  void trim() {
    if (size_ < capacity_) resize_memory(size_);
  }

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  operator std::span<const T>() const { return {data_, size_}; }

 private:
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) resize_memory(capacity);
  }
  void resize_memory(std::size_t capacity) {
    const std::size_t bytes = capacity * sizeof(T);
    void* memory = std::realloc(data_, bytes ? bytes : 1);
    if (!memory) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace otherwords
