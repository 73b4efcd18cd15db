// Spreading work over the cores: every piece once, errors come back, nested and side by side.

#include "runtime/host/cores.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/device/host_work.h"
#include "runtime/engine/engine_queue.h"
#include "runtime/host/streaming_store.h"

namespace {

TEST(cores, pieces_cover_the_range_once) {
  for (std::size_t n : {0ul, 1ul, 7ul, 100ul, 4096ul, 10'007ul})
    for (std::size_t grain : {1ul, 3ul, 100ul, 20'000ul}) {
      std::vector<std::atomic<int>> visits(n);
      gs::for_pieces(n, grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(visits[i], 1) << "item " << i << " of " << n << ", grain " << grain;
    }
}

TEST(cores, small_work_stays_on_the_calling_thread) {
  const auto caller = std::this_thread::get_id();
  gs::for_pieces(100, 100, [&](std::size_t, std::size_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(cores, the_first_error_comes_back) {
  const auto failing = [] {
    gs::for_pieces(1000, 1, [](std::size_t begin, std::size_t end) {
      if (begin <= 500 && 500 < end) throw std::runtime_error("item 500");
    });
  };
  EXPECT_THROW(failing(), std::runtime_error);
  EXPECT_THROW(failing(), std::runtime_error);
}

TEST(cores, may_be_nested_and_called_from_many_threads) {
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

TEST(cores, threads_of_the_pool_have_one_of_their_own) {
  const std::set<int> allowed_cores = cores_of_this_thread();
  if (gs::detail::pool_threads() + 1 != allowed_cores.size()) GTEST_SKIP() << "not as many threads as cores";
  std::mutex mutex;
  std::map<std::thread::id, std::set<int>> cores;
  for (int round = 0; round < 50; ++round)
    gs::for_pieces(64, 1, [&](std::size_t, std::size_t) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));  // so that the others come
      std::lock_guard lock(mutex);
      cores[std::this_thread::get_id()] = cores_of_this_thread();
    });
  EXPECT_EQ(cores_of_this_thread(), allowed_cores) << "the caller goes where it likes";
  cores.erase(std::this_thread::get_id());
  EXPECT_GE(cores.size(), 1u);
  std::set<int> taken_cores;
  for (const auto& [thread, cores_of_thread] : cores) {
    ASSERT_EQ(cores_of_thread.size(), 1u);
    EXPECT_TRUE(taken_cores.insert(*cores_of_thread.begin()).second)
        << "two threads have core " << *cores_of_thread.begin();
  }
}

TEST(shared_loop, can_be_joined_while_it_runs) {
  std::vector<std::atomic<int>> visits(100);
  std::atomic<bool> joined{false};
  gs::detail::loop_offer offer;
  offer.join();  // none is there
  std::thread owner([&] {
    const gs::detail::loop_offer::scope offered_there(offer);
    const auto visit = [&](std::size_t begin, std::size_t end) {
      joined = true;
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    };
    gs::detail::shared_loop loop(visits.size(), 3, visit);
    {
      const gs::detail::loop_offer::announcement announced(loop);
      while (!joined) std::this_thread::yield();
      loop.take_part();
    }
    EXPECT_FALSE(offer.open());
    for (const auto& v : visits) EXPECT_EQ(v, 1);
  });
  while (!offer.open()) std::this_thread::yield();
  offer.join();
  owner.join();
}

// A loop of a stream that another thread runs already: a thread that waits for the stream helps it.
class waiting_thread : public testing::Test {
 protected:
  // Runs `body` in a loop of 64 pieces that a thread of the pool has begun to run, and waits for it here.
  template <class Body>
  void wait_while_the_pool_runs(const Body& body) {
    std::atomic<bool> begun{false}, waits{false};
    queue->submit(gs::detail::make_host_work("a loop", 1, [&](gs::detail::spread_function) {
      begun = true;
      while (!waits) std::this_thread::yield();
      gs::for_pieces(64, 1, body);
    }));
    while (!begun) std::this_thread::yield();
    waits = true;
    queue->wait();
  }
  const std::shared_ptr<gs::detail::engine_queue> queue = std::make_shared<gs::detail::engine_queue>();
  const std::thread::id this_thread = std::this_thread::get_id();
  const std::chrono::steady_clock::time_point too_late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
};

TEST_F(waiting_thread, takes_part_in_the_loop) {
  if (gs::detail::pool_threads() >= gs::core_count()) GTEST_SKIP() << "the pool's threads are as many as the cores";
  for (int round = 0; round < 20; ++round) {
    std::vector<std::atomic<int>> visits(64);
    std::atomic<bool> took_part{false};
    wait_while_the_pool_runs([&](std::size_t begin, std::size_t end) {
      if (std::this_thread::get_id() == this_thread) took_part = true;
      while (!took_part && std::chrono::steady_clock::now() < too_late) std::this_thread::yield();
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    ASSERT_TRUE(took_part);
    for (const auto& v : visits) ASSERT_EQ(v, 1);
  }
}

TEST_F(waiting_thread, gets_the_error_of_its_piece) {
  if (gs::detail::pool_threads() >= gs::core_count()) GTEST_SKIP() << "the pool's threads are as many as the cores";
  std::atomic<bool> took_part{false};
  const auto fails_here = [&](std::size_t, std::size_t) {
    if (std::this_thread::get_id() == this_thread) {
      took_part = true;
      throw std::runtime_error("a piece of the thread that waits");
    }
    while (!took_part && std::chrono::steady_clock::now() < too_late) std::this_thread::yield();
  };
  EXPECT_THROW(wait_while_the_pool_runs(fails_here), std::runtime_error);
  queue->wait();  // once
}

// Loops within its pieces are the piece's own business.
TEST_F(waiting_thread, may_find_loops_in_loops) {
  std::atomic<std::size_t> items{0};
  for (int round = 0; round < 50; ++round)
    wait_while_the_pool_runs([&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        gs::for_pieces(20, 1, [&](std::size_t b, std::size_t e) { items += e - b; });
    });
  EXPECT_EQ(items, 50u * 64 * 20);
}

// Streaming stores at every start and size around whole cache lines write exactly what they should.
TEST(streaming_store, writes_exactly_its_bytes) {
  std::vector<unsigned char> from(700), to(900);
  std::iota(from.begin(), from.end(), static_cast<unsigned char>(1));
  for (std::size_t start = 0; start < 70; ++start)
    for (std::size_t bytes : {0ul, 1ul, 15ul, 63ul, 64ul, 65ul, 127ul, 128ul, 129ul, 200ul, 512ul, 577ul}) {
      std::fill(to.begin(), to.end(), static_cast<unsigned char>(0xEE));
      gs::detail::stream_bytes(to.data() + start, from.data() + start % 7, bytes);
      gs::detail::streaming_fence();
      for (std::size_t i = 0; i < to.size(); ++i) {
        const bool inside = i >= start && i < start + bytes;
        ASSERT_EQ(to[i], inside ? from[i - start + start % 7] : 0xEE) << start << " " << bytes << " " << i;
      }
    }
}

}  // namespace
