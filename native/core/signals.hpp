// Lets Ctrl-C reach a kernel that runs for long.
#pragma once

#include <nanobind/nanobind.h>
#include <chrono>

namespace otherwords {

// Called often by the thread that Python called, with or without the GIL: throws what a signal's
// handler raises. Asks Python ten times per second at most.
class SignalCheck {
 public:
  void operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(100)) return;
    asked_ = now;
    const nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals()) throw nanobind::python_error();
  }

 private:
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

}  // namespace otherwords
