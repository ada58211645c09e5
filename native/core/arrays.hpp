// Between Python and the kernels: strings without copies, vectors that become NumPy arrays,
// and NumPy arrays that a kernel keeps alive while it looks at them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "buffer.hpp"
#include "parallel.hpp"

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

inline std::vector<std::string_view> utf8_list(const nb::list& texts) {
  std::vector<std::string_view> views;
  views.reserve(nb::len(texts));
  for (nb::handle text : texts) views.push_back(utf8(text));
  return views;
}

inline nb::str text_of(std::string_view text) { return nb::str(text.data(), text.size()); }

template <typename Texts>
nb::list text_list(const Texts& texts) {
  nb::list out;
  for (std::size_t i = 0; i < texts.size(); ++i) out.append(text_of(texts[i]));
  return out;
}

// For bytes that may be no UTF-8.
inline nb::str text_with_replacements(std::string_view bytes) {
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

// Hands a vector or a buffer over to NumPy without copying it.
template <typename Values>
  requires(!std::is_lvalue_reference_v<Values>)
nb::object to_numpy(Values&& values) {
  if constexpr (requires { values.trim(); }) values.trim();
  auto* owned = new Values(std::move(values));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Values*>(p); });
  using T = std::remove_reference_t<decltype(*owned->data())>;
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(owned->data(), {owned->size()}, owner));
}

template <typename... Values>
nb::tuple numpy_tuple(Values&&... values) {
  return nb::make_tuple(to_numpy(std::move(values))...);
}

template <typename Work>
auto without_gil(Work&& work) {
  nb::gil_scoped_release release;
  return work();
}

template <typename... Arguments>
void parallel_without_gil(Arguments&&... arguments) {
  nb::gil_scoped_release release;
  parallel_blocks(std::forward<Arguments>(arguments)...);
}

}  // namespace otherwords
