// What makes a processor stop at a thread of a kernel, on the engine: each is reported by synchronize(), with the
// thread, its block and what happened, and the device goes on.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/engine/kernel_faults.h"
#include "runtime/gs.h"
#include "tests/runtime/refused.h"
#include "tests/runtime/starts_programs.h"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizers report it first

namespace {

using runtime_test::refused;

// A pointer that the type system doesn't see.
struct place {
  int* at;
};

// What the one thread does.
enum class deed { write, read, copy, come_to_no_instruction };
[[gnu::noinline]] void do_it(deed action, place p, gs::view<int> out) {
  if (action == deed::write) *static_cast<volatile int*>(p.at) = 1;
  if (action == deed::read) out[0] = *static_cast<volatile int*>(p.at);
  if (action == deed::copy) std::memcpy(p.at, out.data(), out.size() * sizeof(int));
  if (action == deed::come_to_no_instruction) __builtin_trap();
}

void in_a_loop(gs::thread t, deed action, place p, unsigned faulty_thread, gs::view<int> out) {
  if (t.grid() == faulty_thread) do_it(action, p, out);
  out[t.grid()] = 1;
}
void after_a_barrier(gs::thread t, deed action, place p, unsigned faulty_thread, gs::view<int> out) {
  t.sync();
  if (t.grid() == faulty_thread) do_it(action, p, out);
  t.sync();
  out[t.grid()] = 1;
}
void on_a_fiber(gs::thread t, deed action, place p, unsigned faulty_thread, gs::view<int> out) {
  const int of_neighbour = t.shuffle(1, 0);
  if (t.grid() == faulty_thread) do_it(action, p, out);
  t.warp_sync();
  out[t.grid()] = of_neighbour;
}
void in_a_block(gs::block<64> block, deed action, place p, unsigned faulty_thread, gs::view<int> out) {
  block.each([&](auto t) { out[t.grid_x()] = 0; });
  block.each([&](auto t) {
    if (t.grid_x() == faulty_thread) do_it(action, p, out);
    out[t.grid_x()] = 1;
  });
}
// The same in loops in which, as the compiler knows, no thread spins.
void in_a_plain_loop(gs::thread t, deed, place p, unsigned faulty_thread, gs::view<int> out) {
  if (t.grid() == faulty_thread) *p.at = 1;
  out[t.grid()] = 1;
}
void in_a_plain_loop_after_a_barrier(gs::thread t, deed, place p, unsigned faulty_thread, gs::view<int> out) {
  out[t.grid()] = 0;
  t.sync();
  if (t.grid() == faulty_thread) *p.at = 1;
  t.sync();
  out[t.grid()] = 1;
}
void over_the_grid(gs::thread t, deed action, place p, unsigned faulty_thread, gs::view<int> out) {
  t.grid_sync();
  if (t.grid() == faulty_thread) do_it(action, p, out);
  t.grid_sync();
  out[t.grid()] = 1;
}
void before_the_grid_barrier(gs::thread t, deed action, place p, unsigned faulty_thread, gs::view<int> out) {
  if (t.grid() == faulty_thread) do_it(action, p, out);
  t.grid_sync();
  out[t.grid()] = 1;
}
void fill(gs::thread t, int value, gs::view<int> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = value;
}

// Block style names its threads where the compiler's plugin leaves it the marks for it, or where these always stay.
#if GRIDSTRIDE_SPLITS_BARRIERS || GRIDSTRIDE_CHECKED || !defined(__OPTIMIZE__)
constexpr bool names_threads_of_block_style = true;
#else
constexpr bool names_threads_of_block_style = false;
#endif

class kernel_faults : public testing::Test {
 protected:
  kernel_faults() {
    gs::select_device(gs::device_kind::engine);
    out = gs::device_array<int>(192);
  }

  // In every style, the first, a middle and the last thread of a grid of three blocks.
  void expect_fault(deed action, int* at, const std::vector<std::string>& parts) {
    for (unsigned faulty_thread : {0u, 95u, 191u}) {
      SCOPED_TRACE("thread " + std::to_string(faulty_thread));
      const std::string block = " of block " + std::to_string(faulty_thread / 64) + " ";
      const std::string thread = "thread " + std::to_string(faulty_thread % 64) + block;
      const auto reports = [&](const char* kernel, const std::string& text_of_thread, const auto& launch) {
        launch();
        try {
          gs::synchronize();
          ADD_FAILURE() << kernel << ": nothing was thrown";
        } catch (const gs::kernel_fault& fault) {
          const std::string text = fault.what();
          std::vector<std::string> expected_parts = parts;
          expected_parts.push_back(kernel);
          expected_parts.push_back(text_of_thread);
          for (const std::string& part : expected_parts)
            EXPECT_NE(text.find(part), text.npos) << part << " in: " << text;
        }
        expect_usable();
      };
      const place p{at};
      const gs::launch_options options{.grid = 3, .block = 64}, all{.grid = 3, .block = 64, .cooperative = true};
      reports("in_a_loop", thread, [&] { gs::launch<in_a_loop>(options, action, p, faulty_thread, out); });
      reports("after_a_barrier", thread, [&] { gs::launch<after_a_barrier>(options, action, p, faulty_thread, out); });
      reports("on_a_fiber", thread, [&] { gs::launch<on_a_fiber>(options, action, p, faulty_thread, out); });
      if (action == deed::write) {
        reports("in_a_plain_loop", thread,
                [&] { gs::launch<in_a_plain_loop>(options, action, p, faulty_thread, out); });
        reports("in_a_plain_loop_after_a_barrier", thread,
                [&] { gs::launch<in_a_plain_loop_after_a_barrier>(options, action, p, faulty_thread, out); });
      }
      reports("in_a_block", names_threads_of_block_style ? thread : "a thread" + block,
              [&] { gs::launch<in_a_block>({.grid = 3}, action, p, faulty_thread, out); });
      reports("over_the_grid", thread, [&] { gs::launch<over_the_grid>(all, action, p, faulty_thread, out); });
      reports("before_the_grid_barrier", thread,
              [&] { gs::launch<before_the_grid_barrier>(all, action, p, faulty_thread, out); });
    }
  }

  void expect_usable() {
    gs::launch<fill>({.grid = 2, .block = 32}, 3, out);
    EXPECT_EQ(out.copy_to_host(), std::vector<int>(192, 3));
  }

  static int* address(std::uintptr_t at) { return reinterpret_cast<int*>(at); }

  gs::device_array<int> out;
};

TEST_F(kernel_faults, a_null_pointer) {
  expect_fault(deed::write, nullptr, {"address 0x0", "near a null pointer (SIGSEGV)", "gs::inspect"});
  expect_fault(deed::read, address(0x18), {"address 0x18", "near a null pointer (SIGSEGV)"});
}

TEST_F(kernel_faults, memory_that_there_is_not) {
  // A hole of one page between two others, so that little else is put there.
  auto* const pages = static_cast<std::byte*>(mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  munmap(pages + 4096, 4096);
  expect_fault(deed::write, reinterpret_cast<int*>(pages + 4096), {"where there is no memory (SIGSEGV)"});
  expect_fault(deed::read, static_cast<int*>(sbrk(0)) + (1 << 20), {"where there is no memory (SIGSEGV)"});
  munmap(pages, 4096);
  munmap(pages + 2 * 4096, 4096);
}

TEST_F(kernel_faults, a_copy_to_what_is_no_memory) {
  expect_fault(deed::copy, address(0x1000), {"wrote to address 0x1", "near a null pointer (SIGSEGV)"});
}

TEST_F(kernel_faults, memory_that_may_not_be_written) {
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  expect_fault(deed::write, static_cast<int*>(page), {"where that isn't allowed (SIGSEGV)"});
  munmap(page, 4096);
}

TEST_F(kernel_faults, a_page_behind_the_end_of_its_file) {
  const int file = memfd_create("empty", 0);
  ASSERT_GE(file, 0);
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(page, MAP_FAILED);
  expect_fault(deed::write, static_cast<int*>(page), {"where a file or the memory ends (SIGBUS)"});
  munmap(page, 4096);
  close(file);
}

TEST_F(kernel_faults, what_is_no_instruction) {
#if defined(__aarch64__)
  const std::string signal = "SIGTRAP";
#else
  const std::string signal = "SIGILL";
#endif
  expect_fault(deed::come_to_no_instruction, nullptr, {"came to what is no instruction (" + signal + ")"});
}

#if defined(__x86_64__)
TEST_F(kernel_faults, an_address_that_no_memory_can_have) {
  expect_fault(deed::write, address(std::uintptr_t{1} << 63), {"used an address that no memory can have"});
}

void load_four(gs::thread t, gs::view<const float> x, unsigned from, gs::view<float> y) {
  const auto* four = reinterpret_cast<const __m128*>(x.data() + from);
  float sum[4];
  // By hand: the compiler may take an instruction that doesn't ask for it.
  __m128 loaded;
  asm volatile("movaps %1, %0" : "=x"(loaded) : "m"(*four));
  std::memcpy(sum, &loaded, sizeof sum);
  y[t.grid()] = sum[0];
}
TEST_F(kernel_faults, a_vector_that_is_not_aligned) {
  const auto x = gs::to_device(std::vector<float>(64, 1.0f));
  gs::device_array<float> y(32);
  gs::launch<load_four>({.grid = 1, .block = 32}, x, 1u, y);
  EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {"load_four", "or one that isn't aligned"}));
  gs::launch<load_four>({.grid = 1, .block = 32}, x, 4u, y);
  EXPECT_NO_THROW(gs::synchronize());
}
#endif

void in_two_dimensions(gs::thread t, place p) {
  if (t.block_idx() == gs::index3{1, 2, 0} && t.thread_idx() == gs::index3{5, 3, 0}) *p.at = 1;
}
TEST_F(kernel_faults, name_thread_and_block_by_their_positions) {
  gs::launch<in_two_dimensions>({.grid = {3, 4}, .block = {8, 4}}, place{nullptr});
  EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {"thread (5, 3) of block (1, 2) "}));
}

// Loops of vectors, whose stores are of several threads each.
void write_beside_each_other(gs::thread t, place p) { p.at[t.grid()] = 1; }
void write_apart(gs::thread t, place p) { p.at[3 * t.grid()] = 1; }
void write_in_two_steps(gs::thread t, gs::shared<gs::tile<int, 64>> s, place p) {
  (*s)[t.thread_rank()] = static_cast<int>(t.grid());
  t.sync();
  p.at[t.grid()] = (*s)[63 - t.thread_rank()];
}
TEST_F(kernel_faults, name_the_first_thread_of_a_vector_that_leaves_the_memory) {
  auto* const pages = static_cast<std::byte*>(mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages, 4096, PROT_READ | PROT_WRITE);
  int* const end = reinterpret_cast<int*>(pages + 4096);
  const gs::launch_options options{.grid = 1, .block = 64};
  for (int faulty_thread : {0, 1, 17, 40, 63}) {
    const std::string thread = "thread " + std::to_string(faulty_thread) + " of block 0 wrote to";
    gs::launch<write_beside_each_other>(options, place{end - faulty_thread});
    EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {thread}));
    gs::launch<write_apart>(options, place{end - 3 * faulty_thread});
    EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {thread}));
    gs::launch<write_in_two_steps>(options, place{end - faulty_thread});
    EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {thread}));
  }
  munmap(pages, 3 * 4096);
}

// In block style, too, and in whatever shares out the work of a block.
using grid_of_8_by_4 = gs::block<8, 4>;
enum class work { first_each, last_each, elements, cells, store, outside };
void in_two_dimensions_of_a_block(grid_of_8_by_4 block, work part, unsigned faulty_thread, place p,
                                  gs::view<int, 2> out) {
  const auto write_if = [&](bool it_is) {
    if (it_is) *p.at = 1;
  };
  gs::per_thread mine(block, 0);
  block.each([&](auto t) {
    mine[t] = static_cast<int>(t.rank());
    if (part == work::first_each) write_if(block.block_rank() == 3 && t.rank() == faulty_thread);
  });
  block.each([&](auto t) { out(t.grid_y(), t.grid_x()) = mine[t]; });
  if (part == work::outside) write_if(block.block_rank() == 3);
  if (part == work::elements)
    block.each_of(1000, [&](std::size_t i) { write_if(block.block_rank() == 3 && i == 512 + faulty_thread); });
  if (part == work::cells)
    block.each_of(9, 19, [&](std::size_t row, std::size_t column) {
      write_if(block.block_rank() == 3 && row == 4 + faulty_thread / 8 && column == 8 + faulty_thread % 8);
    });
  if (part == work::store)
    block.store(out, 0, 0, 8, 16, [&](std::size_t row, std::size_t column) {
      write_if(block.block_rank() == 3 && row == 4 + faulty_thread / 8 && column == 8 + faulty_thread % 8);
      return 0;
    });
  block.each([&](auto t) {
    out(t.grid_y(), t.grid_x()) += mine[t];
    if (part == work::last_each) write_if(block.block_rank() == 3 && t.rank() == faulty_thread);
  });
}
TEST_F(kernel_faults, name_threads_in_block_style_by_their_positions) {
  const gs::device_array<int> cells(gs::shape{8, 16});
  // At an address that tells by itself whether it is the same fault, and at one to which others might come, too.
  void* page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int* at : {static_cast<int*>(page), static_cast<int*>(nullptr)})
    for (const work part : {work::first_each, work::last_each, work::elements, work::cells, work::store})
      for (const unsigned faulty_thread : {0u, 1u, 13u, 31u}) {
        SCOPED_TRACE("part " + std::to_string(static_cast<int>(part)) + ", thread " + std::to_string(faulty_thread));
        gs::launch<in_two_dimensions_of_a_block>({.grid = {2, 2}}, part, faulty_thread, place{at}, cells);
        const std::string thread =
            "thread (" + std::to_string(faulty_thread % 8) + ", " + std::to_string(faulty_thread / 8) + ")";
        EXPECT_TRUE(refused<gs::kernel_fault>(
            [] { gs::synchronize(); },
            {(names_threads_of_block_style ? thread : "a thread") + " of block (1, 1) wrote to"}));
        expect_usable();
      }
  gs::launch<in_two_dimensions_of_a_block>({.grid = {2, 2}}, work::outside, 0u, place{nullptr}, cells);
  EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {"a thread of block (1, 1) wrote to"}));
  munmap(page, 4096);
}

// Vectors of several threads, and threads that stop only when the block runs once more.
void write_in_a_block(gs::block<64> block, place p, int step) {
  block.each([&](auto t) { p.at[step * static_cast<int>(t.x)] = 1; });
}
TEST_F(kernel_faults, name_the_first_thread_of_a_vector_in_block_style) {
  auto* const pages = static_cast<std::byte*>(mmap(nullptr, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages, 4096, PROT_READ | PROT_WRITE);
  int* const end = reinterpret_cast<int*>(pages + 4096);
  for (const int step : {1, 3})
    for (const int faulty_thread : {0, 1, 17, 40, 63}) {
      gs::launch<write_in_a_block>({.grid = 1}, place{end - step * faulty_thread}, step);
      const std::string thread = names_threads_of_block_style ? "thread " + std::to_string(faulty_thread) : "a thread";
      EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {thread + " of block 0 wrote to"}));
    }
  munmap(pages, 3 * 4096);
}

// Where threads don't run in a loop of vectors, no block has to run again for the thread's name.
#if GRIDSTRIDE_CHECKED || !defined(__OPTIMIZE__)
constexpr bool runs_again = false;
#else
constexpr bool runs_again = true;
#endif

// What happens the second time a block runs, if it does.
enum class second_time { nothing, abort, no_end };
void only_once(gs::thread t, second_time on_second_run, place p, gs::view<int> count) {
  const int earlier_runs = gs::atomic_ref(count[0]).fetch_add(1);
  if (earlier_runs > 37 && on_second_run == second_time::abort) std::abort();
  for (int left = earlier_runs > 37 && on_second_run == second_time::no_end ? 1 : 0; left != 0;)
    asm volatile("" : "+r"(left));
  if (earlier_runs == 37) *static_cast<volatile int*>(p.at) = static_cast<int>(t.grid());
}
TEST_F(kernel_faults, of_a_block_that_does_something_else_when_it_runs_again_name_no_thread) {
  for (second_time on_second_run : {second_time::nothing, second_time::abort, second_time::no_end}) {
    SCOPED_TRACE(static_cast<int>(on_second_run));
    const auto count = gs::to_device(std::vector<int>{0});
    gs::launch<only_once>({.grid = 1, .block = 64}, on_second_run, place{nullptr}, count);
    EXPECT_TRUE(refused<gs::kernel_fault>(
        [] { gs::synchronize(); }, {runs_again ? "a thread of block 0 wrote to" : "thread 37 of block 0 wrote to"}));
    EXPECT_EQ(count.copy_to_host(), std::vector<int>{38}) << "it doesn't run again in this memory";
    expect_usable();
  }
}

#if defined(__x86_64__)
void divide_in_place(gs::thread t, gs::view<int> x) { x[t.grid()] = 7 / x[t.grid()]; }
void divide_in_a_block(gs::block<64> block, gs::view<int> x) {
  block.each([&](auto t) { x[t.x] = 7 / x[t.x]; });
}
void divide_by_all(gs::thread t, gs::view<const int> x, gs::view<int> y) { y[t.grid()] = 7 / x[t.grid()]; }
TEST_F(kernel_faults, of_threads_that_divide_by_their_own_quotients_name_none_of_them) {
  std::vector<int> x(64, 100);
  x[40] = 0;
  const std::string divided = " of block 0 divided an integer by zero";
  gs::launch<divide_in_place>({.grid = 1, .block = 64}, gs::to_device(x));
  EXPECT_TRUE(
      refused<gs::kernel_fault>([] { gs::synchronize(); }, {(runs_again ? "a thread" : "thread 40") + divided}));
  gs::launch<divide_in_a_block>({.grid = 1}, gs::to_device(x));
  EXPECT_TRUE(refused<gs::kernel_fault>(
      [] { gs::synchronize(); }, {(runs_again || !names_threads_of_block_style ? "a thread" : "thread 40") + divided}));
  gs::launch<divide_by_all>({.grid = 1, .block = 64}, gs::to_device(x), out);
  EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {"thread 40" + divided}));
  for (std::size_t i = 41; i < x.size(); ++i) x[i] = 0;
  gs::launch<divide_by_all>({.grid = 1, .block = 64}, gs::to_device(x), out);
  EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); }, {"thread 40" + divided}));
}
#endif

void print_first(gs::thread t, place p, unsigned faulty_thread) {
  gs::print(t, "here");
  if (t.grid() == faulty_thread) *p.at = 1;
}
TEST_F(kernel_faults, print_nothing_twice) {
  testing::internal::CaptureStdout();
  gs::launch<print_first>({.grid = 1, .block = 64}, place{nullptr}, 40u);
  const bool is_named =
      static_cast<bool>(refused<gs::kernel_fault>([] { gs::synchronize(); }, {"thread 40 of block 0 "}));
  std::fflush(stdout);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(is_named);
  for (unsigned thread = 0; thread <= 40; ++thread) {
    const std::string line = "thread (" + std::to_string(thread) + ", 0, 0): here\n";
    const std::size_t first = text.find(line);
    EXPECT_NE(first, text.npos) << line;
    EXPECT_EQ(text.find(line, first + 1), text.npos) << line;
  }
}

// Threads that spin run one by one, where the compiler's plugin has found their loop. Else the block runs again, and
// can't come past the lock.
#if GRIDSTRIDE_SPLITS_BARRIERS
constexpr bool knows_who_spins = true;
#else
constexpr bool knows_who_spins = !runs_again;
#endif

void with_a_lock(gs::thread t, place p, unsigned faulty_thread, gs::view<int> locks, gs::view<int> out) {
  int& lock = locks[t.block_rank()];
  while (gs::atomic_ref(lock).compare_exchange(0, 1) != 0) {
  }
  if (t.grid() == faulty_thread) do_it(deed::write, p, out);
  out[t.grid()] = 1;
  gs::atomic_ref(lock).exchange(0);
}
TEST_F(kernel_faults, leave_nobody_waiting_for_a_lock) {
  for (unsigned faulty_thread : {0u, 95u, 191u}) {
    const auto locks = gs::to_device(std::vector<int>(3));
    gs::launch<with_a_lock>({.grid = 3, .block = 64}, place{nullptr}, faulty_thread, locks, out);
    const std::string thread = knows_who_spins ? "thread " + std::to_string(faulty_thread % 64) : "a thread";
    EXPECT_TRUE(refused<gs::kernel_fault>([] { gs::synchronize(); },
                                          {thread + " of block " + std::to_string(faulty_thread / 64) + " "}));
    expect_usable();
  }
}

TEST_F(kernel_faults, are_left_to_a_program_that_asks_for_them) {
  SKIP_UNLESS_PROGRAMS_START();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto crash = [this] {
    gs::detail::leave_access_violations();
    gs::launch<in_a_loop>({.grid = 3, .block = 64}, deed::write, place{nullptr}, 5u, out);
    gs::synchronize();
  };
  EXPECT_EXIT(crash(), testing::KilledBySignal(SIGSEGV), "");
}

}  // namespace

#endif
