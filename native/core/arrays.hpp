// Between Python and the kernels: strings without copies, vectors that become NumPy arrays,
// and NumPy arrays that a kernel keeps alive while it looks at them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "buffer.hpp"

namespace otherwords {

namespace nb = nanobind;

template <typename T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename T>
std::span<const T> view(const Column<T>& column) {
  return {column.data(), column.shape(0)};
}

// The array of that name among a model's arrays; the owner of the view must keep the arrays alive.
template <typename T>
std::span<const T> column(const nb::dict& arrays, const char* name) {
  if (!arrays.contains(name))
    throw std::invalid_argument(std::string("the model has no array '") + name + "'");
  Column<T> array;
  // Never converted: the copy would be gone before the kernel looks at it.
  if (!nb::try_cast(arrays[name], array, false))
    throw std::invalid_argument(std::string("the model's array '") + name + "' has another type");
  return view(array);
}

// The UTF-8 of a Python string, valid as long as the string lives.
inline std::string_view utf8(nb::handle text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!data) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

// Hands a vector over to NumPy without copying it.
template <typename T>
nb::object to_numpy(std::vector<T>&& values) {
  auto* owned = new std::vector<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

template <typename T>
nb::object to_numpy(Buffer<T>&& values) {
  values.trim();
  auto* owned = new Buffer<T>(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Buffer<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

}  // namespace otherwords
