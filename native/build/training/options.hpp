// Options of a training as Python gives them: whole numbers by name, and a seed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "arrays.hpp"

namespace otherwords {

template <typename Options>
struct NamedOption {
  std::string_view name;
  unsigned Options::* field;
};

// `what` is trained; it names itself where an option is not known.
template <typename Options>
Options training_options(const nb::kwargs& given, std::span<const NamedOption<Options>> named,
                         const char* what) {
  Options options;
  for (const auto& [name, value] : given) {
    const std::string_view key = utf8(name);
    if (key == "seed") {
      options.seed = nb::cast<std::uint64_t>(value);
      continue;
    }
    const auto known = std::find_if(named.begin(), named.end(),
                                    [&](const auto& option) { return option.name == key; });
    if (known == named.end())
      throw nb::value_error((std::string(what) + " training: no option " + std::string(key)).c_str());
    options.*known->field = nb::cast<unsigned>(value);
  }
  return options;
}

}  // namespace otherwords
