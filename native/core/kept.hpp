// Objects that remember what they were used for, one for each thread at a time.
#pragma once

#include <thread>

#include "standard.hpp"

namespace otherwords {

// A thread gets the object that it had last, if that is free: this one remembers what the thread has
// just looked at. Otherwise it gets the one that was free for longest, or a new one.
template <typename Object>
class Kept {
 public:
  template <typename Make>
  std::unique_ptr<Object> take(Make make) {
    const std::lock_guard lock(guard_);
    if (free_.empty()) return make();
    auto found = std::ranges::find(free_, std::this_thread::get_id(), &Free::user);
    if (found == free_.end()) found = free_.begin();
    auto object = std::move(found->object);
    free_.erase(found);
    return object;
  }

  void put(std::unique_ptr<Object> object) {
    const std::lock_guard lock(guard_);
    free_.push_back({std::this_thread::get_id(), std::move(object)});
  }

 private:
  struct Free {
    std::thread::id user;
    std::unique_ptr<Object> object;
  };
  std::mutex guard_;
  std::vector<Free> free_;
};

}  // namespace otherwords
