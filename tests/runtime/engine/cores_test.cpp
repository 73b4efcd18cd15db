// Spreading work over the cores: every piece once, errors come back, nested and side by side.

#include "runtime/engine/cores.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/engine/streaming_store.h"

namespace {

TEST(Cores, PiecesCoverTheRangeOnce) {
  for (std::size_t n : {0ul, 1ul, 7ul, 100ul, 4096ul, 10'007ul})
    for (std::size_t grain : {1ul, 3ul, 100ul, 20'000ul}) {
      std::vector<std::atomic<int>> visits(n);
      gs::for_pieces(n, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(visits[i], 1) << "item " << i << " of " << n << ", grain " << grain;
    }
}

TEST(Cores, SmallWorkStaysOnTheCallingThread) {
  const auto caller = std::this_thread::get_id();
  gs::for_pieces(100, 100, [&](std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(Cores, TheFirstErrorComesBack) {
  const auto failing = [] {
    gs::for_pieces(1000, 1, [](std::size_t begin, std::size_t end) {
      if (begin <= 500 && 500 < end) throw std::runtime_error("item 500");
    });
  };
  EXPECT_THROW(failing(), std::runtime_error);
  EXPECT_THROW(failing(), std::runtime_error);
}

TEST(Cores, MayBeNestedAndCalledFromManyThreads) {
  std::atomic<std::size_t> items{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      gs::for_pieces(50, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          gs::for_pieces(20, 1, [&](std::size_t b, std::size_t e) { items += e - b; });
      });
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(items, 6u * 50 * 20);
}

// Streaming stores at every start and size around whole cache lines write exactly what they should.
// Which cores a thread may run on.
std::set<int> cores_of_this_thread() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  std::set<int> cores;
  for (int c = 0; c < CPU_SETSIZE; ++c)
    if (CPU_ISSET(c, &allowed)) cores.insert(c);
  return cores;
}

TEST(Cores, ThreadsOfThePoolHaveOneOfTheirOwn) {
  const std::set<int> all = cores_of_this_thread();
  if (gs::pool_threads() + 1 != all.size()) GTEST_SKIP() << "not as many threads as cores";
  std::mutex mutex;
  std::map<std::thread::id, std::set<int>> cores;
  for (int round = 0; round < 50; ++round)
    gs::for_pieces(64, 1, [&](std::size_t, std::size_t) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));  // so that the others come
      std::lock_guard lock(mutex);
      cores[std::this_thread::get_id()] = cores_of_this_thread();
    });
  EXPECT_EQ(cores_of_this_thread(), all) << "the caller goes where it likes";
  cores.erase(std::this_thread::get_id());
  EXPECT_GE(cores.size(), 1u);
  std::set<int> taken;
  for (const auto& [thread, its] : cores) {
    ASSERT_EQ(its.size(), 1u);
    EXPECT_TRUE(taken.insert(*its.begin()).second) << "two threads have core " << *its.begin();
  }
}

TEST(StreamingStore, WritesExactlyItsBytes) {
  std::vector<unsigned char> from(700), to(900);
  std::iota(from.begin(), from.end(), static_cast<unsigned char>(1));
  for (std::size_t start = 0; start < 70; ++start)
    for (std::size_t bytes : {0ul, 1ul, 15ul, 63ul, 64ul, 65ul, 127ul, 128ul, 129ul, 200ul, 512ul, 577ul}) {
      std::fill(to.begin(), to.end(), static_cast<unsigned char>(0xEE));
      gs::stream_bytes(to.data() + start, from.data() + start % 7, bytes);
      gs::streaming_fence();
      for (std::size_t i = 0; i < to.size(); ++i) {
        const bool inside = i >= start && i < start + bytes;
        ASSERT_EQ(to[i], inside ? from[i - start + start % 7] : 0xEE) << start << " " << bytes << " " << i;
      }
    }
}

}  // namespace
