// Splits n independent rows over threads. Every row is computed by itself, so the result
// does not depend on the number of threads.
#pragma once

#include <system_error>
#include <thread>

#include "standard.hpp"

namespace otherwords {

// Calls work(begin, end) on consecutive blocks; the first exception is rethrown. The calling thread
// calls `between` before each of its blocks: an exception from there ends the work too.
template <typename Work, typename Between>
void parallel_blocks(std::size_t n, unsigned threads, std::size_t block, Work work,
                     Between&& between) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_guard;
  const auto caller = std::this_thread::get_id();
  auto worker = [&] {
    try {
      for (;;) {
        if (std::this_thread::get_id() == caller) between();
        const std::size_t begin = next.fetch_add(block);
        if (begin >= n) return;
        work(begin, std::min(begin + block, n));
      }
    } catch (...) {
      const std::lock_guard lock(failure_guard);
      if (!failure) failure = std::current_exception();
      next = n;
    }
  };
  const std::size_t blocks = (n + block - 1) / block;
  const std::size_t useful = std::min<std::size_t>(std::max(threads, 1u), blocks);
  std::vector<std::thread> pool;
  try {
    for (std::size_t t = 1; t < useful; ++t) pool.emplace_back(worker);
  } catch (const std::system_error&) {
    // The system grants no more threads; those there are do all the work.
  }
  worker();
  for (auto& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

template <typename Work>
void parallel_blocks(std::size_t n, unsigned threads, std::size_t block, Work work) {
  parallel_blocks(n, threads, block, std::move(work), [] {});
}

}  // namespace otherwords
