// What every device promises, on the engine and on two devices that the runtime has never heard of, the recording one
// and that of CONTRIBUTING.md: the same calls, the same results, the same refusals.

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/device/registered_device.h"
#include "runtime/gs.h"
#include "tests/runtime/refused.h"

namespace every_device_test {

using runtime_test::refused;

constexpr std::size_t sizes[] = {0, 1, 31, 32, 33, 1009, 100'000};

class every_device : public testing::TestWithParam<const char*> {
 protected:
  every_device() { gs::select_device(gs::detail::registered_device::named(GetParam())->kind()); }
  ~every_device() override { gs::select_device(gs::device_kind::engine); }

  static gs::device_kind other_device() {
    for (const gs::detail::registered_device* device : gs::detail::registered_device::all())
      if (device->kind() != gs::current_device() && device->why_missing().empty()) return device->kind();
    throw std::logic_error("there is only one device");
  }
};

INSTANTIATE_TEST_SUITE_P(devices, every_device, testing::Values("engine", "recording", "recipe"),
                         [](const auto& device) { return std::string(device.param); });

std::vector<double> halves(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i) / 2 - 7;
  return x;
}
std::vector<std::int64_t> integers(std::size_t n) {
  std::vector<std::int64_t> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<std::int64_t>(i * 7919 % 1013) - 500;
  return x;
}

template <class T>
gs::device_array<T> in_rows(const std::vector<T>& x, std::ptrdiff_t rows) {
  return gs::to_device(x).reshape({rows, -1});
}

// --- ufuncs ----------------------------------------------------------------------------------------------------------

double scaled_sum(double x, double y) { return 2 * x + y; }
std::int64_t add(std::int64_t a, std::int64_t b) { return a + b; }
std::int32_t quotient(std::int32_t a, std::int32_t b) { return a / b; }
void multiply_row(gs::view<const double> row, gs::view<const double> x, double& y) {
  y = 0;
  for (std::size_t i = 0; i < row.size(); ++i) y += row[i] * x[i];
}
constexpr auto scaled_sums = gs::vectorize<scaled_sum>.on(gs::target::device);
constexpr auto sums = gs::vectorize<add>.on(gs::target::device);
constexpr auto quotients = gs::vectorize<quotient>.on(gs::target::device);
constexpr auto products = gs::guvectorize<multiply_row, "(n),(n)->()">;

TEST_P(every_device, runs_a_ufunc_of_host_arrays_and_counts_its_copies) {
  for (const std::size_t n : sizes) {
    const std::vector<double> x = halves(n);
    std::vector<double> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = 2 * x[i] + 0.5;
    const gs::ledger_scope scope;
    EXPECT_EQ(scaled_sums(x, 0.5), expected) << n;
    EXPECT_EQ(scope.account().copies_to_device, 1u);
    EXPECT_EQ(scope.account().bytes_to_device, n * sizeof(double));
    EXPECT_EQ(scope.account().bytes_to_host, n * sizeof(double));
    EXPECT_EQ(scope.account().launches, 1u);
  }
}

TEST_P(every_device, broadcasts_device_arrays_into_an_output) {
  for (const std::size_t n : sizes) {
    constexpr std::size_t rows = 3;
    const std::vector<double> x = halves(rows * n), y = halves(n);
    const auto device_x = in_rows(x, rows);
    const gs::device_array<double> out(gs::shape{rows, n});
    gs::vectorize<scaled_sum>(device_x, gs::to_device(y), gs::out(out));
    std::vector<double> expected(rows * n);
    for (std::size_t i = 0; i < rows * n; ++i) expected[i] = 2 * x[i] + y[i % n];
    EXPECT_EQ(out.copy_to_host(), expected) << n;
  }
}

TEST_P(every_device, runs_a_generalised_ufunc) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009}) {
    constexpr std::size_t rows = 33;
    const std::vector<double> a = halves(rows * n), x = halves(n);
    const auto y = products(in_rows(a, rows), gs::to_device(x)).copy_to_host();
    ASSERT_EQ(y.size(), rows);
    for (std::size_t i = 0; i < rows; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < n; ++j) expected += a[i * n + j] * x[j];
      EXPECT_NEAR(y[i], expected, 1e-9 * std::max(1.0, std::abs(expected))) << n;
    }
  }
}

TEST_P(every_device, reduces_and_accumulates) {
  for (const std::size_t n : {1, 31, 32, 33, 1009, 100'000}) {
    const std::vector<std::int64_t> x = integers(n);
    std::vector<std::int64_t> running(n);
    std::partial_sum(x.begin(), x.end(), running.begin());
    const auto device_x = gs::to_device(x);
    EXPECT_EQ(gs::vectorize<add>.reduce(device_x).copy_to_host(), std::vector{running.back()}) << n;
    EXPECT_EQ(gs::vectorize<add>.accumulate(device_x, gs::axis(0)).copy_to_host(), running) << n;
    EXPECT_EQ(sums.reduce(x), running.back()) << n;
  }
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009}) {
    const std::vector<std::int64_t> x = integers(5 * n);
    std::vector<std::int64_t> expected(n);
    for (std::size_t i = 0; i < x.size(); ++i) expected[i % n] += x[i];
    EXPECT_EQ(gs::vectorize<add>.reduce(in_rows(x, 5), gs::axis(0)).copy_to_host(), expected) << n;
  }
  EXPECT_TRUE(refused([] { gs::vectorize<add>.reduce(gs::to_device(std::vector<std::int64_t>{})); }, {"reduc"}));
}

TEST_P(every_device, computes_outer_sums) {
  const std::vector<std::int64_t> a = integers(33), b = integers(31);
  std::vector<std::int64_t> expected;
  for (const auto x : a)
    for (const auto y : b) expected.push_back(x + y);
  EXPECT_EQ(gs::vectorize<add>.outer(gs::to_device(a), gs::to_device(b)).copy_to_host(), expected);
}

#if defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__)  // the sanitizers report it first; other processors don't stop
TEST_P(every_device, names_the_element_that_divides_by_zero) {
  std::vector<std::int32_t> divisors(1009, 2);
  divisors[1000] = 0;
  EXPECT_TRUE(refused(
      [&] {
        quotients(7, divisors);
        gs::synchronize();
      },
      {"quotient(7, 0)", "for element 1000 of the result", "divides an integer by zero"}));
  EXPECT_EQ(quotients(6, 2), 3) << "the next call works";
}
#endif

// --- launches --------------------------------------------------------------------------------------------------------

void add_all(gs::thread t, gs::view<const double> x, double y, gs::view<double> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = x[i] + y;
}
struct tile_of_a_block {
  gs::tile<int, 64> values;
};
void reverse_blocks(gs::thread t, gs::shared<tile_of_a_block> s, gs::view<int> x) {
  const unsigned me = t.thread_rank();
  s->values[me] = x[t.grid()];
  t.sync();
  x[t.grid()] = s->values[63 - me];
}
void reverse_dynamic(gs::thread t, gs::dynamic_shared<int> s, gs::view<int> x) {
  s[t.thread_rank()] = x[t.grid()];
  t.sync();
  x[t.grid()] = s[s.size() - 1 - t.thread_rank()];
}
void sum_warps(gs::thread t, gs::view<const int> x, gs::view<int> out) {
  int sum = x[t.grid()];
  for (unsigned distance = gs::warp_size / 2; distance > 0; distance /= 2) sum += t.shuffle_down(sum, distance);
  if (t.lane() == 0) out[t.grid() / gs::warp_size] = sum;
}
void transpose_tile(gs::block<8, 8> block, gs::shared<tile_of_a_block> s, gs::view<const int, 2> in,
                    gs::view<int, 2> out) {
  block.each([&](auto t) { s->values[t.y * 8 + t.x] = in(t.y, t.x); });
  block.each([&](auto t) { out(t.y, t.x) = s->values[t.x * 8 + t.y]; });
}
void count_all(gs::thread, gs::view<unsigned> count) { gs::atomic_ref(count[0]).fetch_add(1u); }
// Every thread reads what another block has written.
void rotate_grid(gs::thread t, gs::view<const int> from, gs::view<int> between, gs::view<int> to) {
  between[t.grid()] = from[t.grid()];
  t.grid_sync();
  to[t.grid()] = between[(t.grid() + 1) % between.size()];
}
// A block waits for the one after it.
void last_block_first(gs::thread t, gs::view<unsigned> flags) {
  const std::size_t me = t.grid();
  if (me + 1 < flags.size())
    while (gs::atomic_ref(flags[me + 1]).load() == 0) {
    }
  gs::atomic_ref(flags[me]).store(1u);
}
void fail(gs::thread t, int thread) {
  if (t.grid() == static_cast<std::size_t>(thread)) throw std::runtime_error("the kernel failed");
}
void meet_at_two_places(gs::thread t) {
  if (t.thread_rank() == 0)
    t.sync();
  else
    t.sync();
}

std::vector<int> counting(std::size_t n) {
  std::vector<int> x(n);
  std::iota(x.begin(), x.end(), 1);
  return x;
}

TEST_P(every_device, runs_kernels_of_every_size) {
  for (const std::size_t n : sizes) {
    const std::vector<double> x = halves(n);
    const gs::device_array<double> out(n);
    gs::launch<add_all>({.grid = 7, .block = 96}, gs::to_device(x), 0.25, out);
    const std::vector<double> result = out.copy_to_host();
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(result[i], x[i] + 0.25) << n;
  }
}

TEST_P(every_device, keeps_barriers_and_shared_memory) {
  const auto x = gs::to_device(counting(7 * 64)), y = gs::to_device(counting(7 * 33));
  gs::launch<reverse_blocks>({.grid = 7, .block = 64}, x);
  gs::launch<reverse_dynamic>({.grid = 7, .block = 33, .shared_bytes = 33 * sizeof(int)}, y);
  std::vector<int> reversed_x = counting(7 * 64), reversed_y = counting(7 * 33);
  for (int b = 0; b < 7; ++b) {
    std::reverse(reversed_x.begin() + b * 64, reversed_x.begin() + (b + 1) * 64);
    std::reverse(reversed_y.begin() + b * 33, reversed_y.begin() + (b + 1) * 33);
  }
  EXPECT_EQ(x.copy_to_host(), reversed_x);
  EXPECT_EQ(y.copy_to_host(), reversed_y);
}

TEST_P(every_device, exchanges_values_in_warps) {
  const std::vector<int> x = counting(5 * 128);
  const gs::device_array<int> out(20);
  gs::launch<sum_warps>({.grid = 5, .block = 128}, gs::to_device(x), out);
  std::vector<int> expected(20);
  for (std::size_t i = 0; i < x.size(); ++i) expected[i / 32] += x[i];
  EXPECT_EQ(out.copy_to_host(), expected);
}

TEST_P(every_device, runs_block_style) {
  const auto in = gs::to_device(counting(64)).reshape({8, 8});
  const gs::device_array<int> out(gs::shape{8, 8});
  gs::launch<transpose_tile>({}, in, out);
  const std::vector<int> result = out.copy_to_host();
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(result[i], static_cast<int>(i % 8 * 8 + i / 8 + 1));
}

TEST_P(every_device, counts_with_atomic_operations) {
  const auto count = gs::to_device(std::vector<unsigned>{0});
  gs::launch<count_all>({.grid = {10, 2, 3}, .block = {4, 5, 6}}, count);
  EXPECT_EQ(count.copy_to_host()[0], 60u * 120);
}

TEST_P(every_device, lets_all_blocks_meet_in_a_cooperative_launch) {
  const std::size_t most = gs::cooperative_limit<rotate_grid>(64);
  ASSERT_GE(most, 8u);
  const auto x = counting(8 * 64);
  const gs::device_array<int> between(x.size()), to(x.size());
  gs::launch<rotate_grid>({.grid = 8, .block = 64, .cooperative = true}, gs::to_device(x), between, to);
  std::vector<int> expected = x;
  std::rotate(expected.begin(), expected.begin() + 1, expected.end());
  EXPECT_EQ(to.copy_to_host(), expected);
  EXPECT_TRUE(refused(
      [&] {
        gs::launch<rotate_grid>({.grid = most + 1, .block = 64, .cooperative = true}, gs::to_device(x), between, to);
      },
      {"a cooperative launch of", "the device holds " + std::to_string(most) + " of them at once"}));
}

TEST_P(every_device, gives_blocks_that_others_wait_for_their_turn) {
  const auto flags = gs::to_device(std::vector<unsigned>(20));
  gs::launch<last_block_first>({.grid = 20, .block = 1}, flags);
  EXPECT_EQ(flags.copy_to_host(), std::vector<unsigned>(20, 1));
}

TEST_P(every_device, throws_a_kernels_error_once_where_it_is_waited_for) {
  gs::launch<fail>({.grid = 3, .block = 32}, 50);
  EXPECT_THROW(gs::synchronize(), std::runtime_error);
  EXPECT_NO_THROW(gs::synchronize());
  {
    const gs::stream short_lived;
    gs::launch<fail>({.stream = short_lived}, 0);
  }
  EXPECT_THROW(
      {
        for (int i = 0; i < 2000; ++i) {  // a stream's end doesn't wait for what is queued on it
          gs::synchronize();
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      },
      std::runtime_error);
  EXPECT_NO_THROW(gs::synchronize());
}

TEST_P(every_device, names_the_places_of_a_barrier_that_can_not_open) {
  gs::launch<meet_at_two_places>({.block = 32});
  EXPECT_TRUE(
      refused([] { gs::synchronize(); }, {"a barrier in kernel every_device_test::meet_at_two_places",
                                          "thread 0 waits for the block at", "and thread 1 waits for the block at"}));
}

TEST_P(every_device, refuses_launches_before_anything_runs) {
  const auto x = gs::to_device(counting(64));
  EXPECT_TRUE(refused([&] { gs::launch<reverse_blocks>({.block = 2000}, x); }, {"2000", "use 1 to 1024"}));
  EXPECT_TRUE(refused([&] { gs::launch<reverse_blocks>({.block = 64, .shared_bytes = 4}, x); },
                      {"the kernel doesn't take any"}));
  EXPECT_TRUE(refused([&] { gs::launch<reverse_blocks>({.block = 64}, x.reshape({8, 8})); }, {"argument 1", "rank"}));
  EXPECT_EQ(x.copy_to_host(), counting(64));
}

// --- memory and copies -----------------------------------------------------------------------------------------------

TEST_P(every_device, copies_every_way) {
  for (const std::size_t n : sizes) {
    const auto x = gs::to_device(halves(n));
    const gs::ledger_scope scope;
    auto y = x.copy();
    EXPECT_EQ(scope.account().bytes_within_device, n * sizeof(double));
    EXPECT_EQ(y.copy_to_host(), halves(n));
    y.copy_from_host(std::vector<double>(n, 4));
    EXPECT_EQ(y.copy_to_host(), std::vector<double>(n, 4));
    EXPECT_EQ(x.copy_to_host(), halves(n)) << "the memory is another";
  }
  const auto part = gs::to_device(counting(100)).slice(31, 64);
  std::vector<int> expected(33);
  std::iota(expected.begin(), expected.end(), 32);
  EXPECT_EQ(part.copy_to_host(), expected);
}

TEST_P(every_device, says_when_there_is_no_room) {
  EXPECT_TRUE(refused<gs::machine_error>([] { gs::device_array<double> too_large(std::size_t{1} << 50); }, {"memory"}));
}

TEST_P(every_device, keeps_memory_until_what_is_queued_on_it_has_run) {
  const gs::device_array<double> out(1009);
  for (int i = 0; i < 50; ++i) {
    const auto temporary = gs::to_device(halves(1009));
    gs::launch<add_all>({.grid = 2, .block = 64}, temporary, 1.0, out);
  }
  const std::vector<double> result = out.copy_to_host();
  for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], halves(1009)[i] + 1);
}

TEST_P(every_device, begins_anew_after_a_reset) {
  const auto old_array = gs::to_device(counting(3));
  gs::stream s;
  gs::reset_device();
  EXPECT_TRUE(refused([&] { old_array.copy_to_host(); }, {"has been reset", "its elements are gone"}));
  EXPECT_TRUE(refused([&] { s.synchronize(); }, {"a stream", "has been reset"}));
  EXPECT_EQ(gs::to_device(counting(3)).copy_to_host(), counting(3));
}

TEST_P(every_device, refuses_what_belongs_to_another) {
  const auto first = gs::to_device(counting(64));
  const gs::stream stream_here;
  gs::event event_here;
  event_here.record(stream_here);
  const std::string name = GetParam(), other = to_string(other_device());
  gs::select_device(other_device());
  auto second = gs::to_device(counting(64));
  gs::stream stream_there;
  gs::event event_there;
  event_there.record(stream_there);
  EXPECT_TRUE(refused([&] { first.copy_to_host(); },
                      {"the current device, " + other, "another one, " + name, "copy it to the host, select_device"}));
  EXPECT_TRUE(refused(
      [&] { gs::launch<reverse_blocks>({.block = 64, .stream = stream_here}, second); },
      {"a launch on the current device, " + other, "another one, " + name, "make a stream after select_device"}));
  EXPECT_TRUE(refused([&] { gs::sort(second, gs::out(second), {.stream = stream_here}); },
                      {"the current device, " + other, "another one, " + name}));
  gs::pinned_array<int> host(64);
  EXPECT_TRUE(refused([&] { second.copy_to_host(host, stream_here); },
                      {"a copy on the current device, " + other, "another one, " + name}));
  EXPECT_TRUE(refused([&] { second.copy_from_host(host, stream_here); },
                      {"a copy on the current device, " + other, "another one, " + name}));
  EXPECT_TRUE(refused([&] { stream_there.wait(event_here); },
                      {"an event of another device", "record the event on a stream of the same device"}));
  stream_there.synchronize();
  EXPECT_TRUE(refused([&] { gs::seconds_between(event_here, event_there); },
                      {"events of different devices", "record both on streams of one device"}));
}

// --- streams and events ----------------------------------------------------------------------------------------------

void append(gs::thread, gs::view<int> log, int value) { log[static_cast<std::size_t>(log[0]++) + 1] = value; }

TEST_P(every_device, runs_a_stream_in_order) {
  const auto log = gs::to_device(std::vector<int>(501));
  gs::stream s;
  std::vector<int> expected{500};
  for (int i = 0; i < 500; ++i) {
    gs::launch<append>({.stream = s}, log, i);
    expected.push_back(i);
  }
  s.synchronize();
  EXPECT_TRUE(s.idle());
  EXPECT_EQ(log.copy_to_host(), expected);
}

TEST_P(every_device, orders_streams_by_events) {
  const auto log = gs::to_device(std::vector<int>(201));
  gs::stream first, second;
  std::vector<int> expected{200};
  for (int i = 0; i < 200; ++i) {
    gs::stream& s = i % 2 == 0 ? first : second;
    gs::launch<append>({.stream = s}, log, i);
    gs::event write_done;
    write_done.record(s);
    (i % 2 == 0 ? second : first).wait(write_done);
    expected.push_back(i);
  }
  gs::synchronize();
  EXPECT_EQ(log.copy_to_host(), expected);
}

TEST_P(every_device, times_events_in_the_order_in_which_they_pass) {
  const auto log = gs::to_device(std::vector<int>(2));
  gs::stream s;
  gs::event start, stop;
  EXPECT_TRUE(start.done()) << "never recorded";
  start.record(s);
  gs::launch<append>({.stream = s}, log, 1);
  stop.record(s);
  stop.synchronize();
  EXPECT_TRUE(start.done());
  EXPECT_TRUE(stop.done());
  EXPECT_GE(gs::seconds_between(start, stop), 0);
  EXPECT_LE(gs::seconds_between(stop, start), 0);
}

TEST_P(every_device, copies_in_a_stream) {
  for (const std::size_t n : sizes) {
    const std::vector<std::int64_t> x = integers(n);
    const gs::pinned_array<std::int64_t> pinned(x.begin(), x.end());
    gs::pinned_array<std::int64_t> result(n);
    std::vector<std::int64_t> ordinary(n);
    gs::stream s;
    gs::device_array<std::int64_t> there(n);
    there.copy_from_host(pinned, s);
    sums.on(s)(there, std::int64_t{1}, gs::out(there));
    there.copy_to_host(result, s);
    there.copy_to_host(ordinary, s);
    s.synchronize();
    std::vector<std::int64_t> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = x[i] + 1;
    EXPECT_EQ(ordinary, expected);
    EXPECT_TRUE(std::ranges::equal(result, expected)) << n;
  }
}

TEST_P(every_device, shares_managed_arrays_with_the_host) {
  for (const std::size_t n : sizes) {
    const std::vector<std::int64_t> x = integers(n);
    gs::managed_array<std::int64_t> both(n);
    std::ranges::copy(x, both.on_host().begin());
    gs::vectorize<add>(both, std::int64_t{1}, gs::out(both));
    std::vector<std::int64_t> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = x[i] + 1;
    EXPECT_TRUE(std::ranges::equal(both.on_host(), expected)) << n;
  }
}

TEST_P(every_device, records_a_timeline) {
  gs::device_array<int> log(4);
  gs::pinned_array<int> x(4);
  gs::stream first, second;
  gs::timeline_recording recording;
  log.copy_from_host(x, first);
  gs::launch<append>({.stream = first}, log, 7);
  gs::event written;
  written.record(first);
  second.wait(written);
  log.copy_to_host(x, second);
  const std::vector<gs::timeline_entry> e = recording.entries();
  ASSERT_EQ(e.size(), 4u);
  EXPECT_EQ(x[1], 7);
  const std::size_t streams[] = {0, 0, 1, 1};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(e[k].stream, streams[k]);
    EXPECT_LE(e[k].start, e[k].stop);
  }
  EXPECT_LE(e[0].stop, e[1].start);
  EXPECT_LE(e[1].stop, e[2].stop);
  EXPECT_LE(e[2].stop, e[3].start);
}

// --- libraries -------------------------------------------------------------------------------------------------------

TEST_P(every_device, calls_libraries) {
  const auto a = gs::to_device(halves(6)).reshape({2, 3}), b = gs::to_device(halves(12)).reshape({3, 4});
  const std::vector<double> c = gs::gemm(a, b).copy_to_host();
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      double expected = 0;
      for (std::size_t k = 0; k < 3; ++k) expected += halves(6)[i * 3 + k] * halves(12)[k * 4 + j];
      EXPECT_NEAR(c[i * 4 + j], expected, 1e-12);
    }
  std::vector<std::int64_t> keys = integers(1009);
  const auto sorted = gs::sort(gs::to_device(keys));
  std::ranges::sort(keys);
  EXPECT_EQ(sorted.copy_to_host(), keys);
  std::vector<std::complex<double>> impulse(33);
  impulse[0] = 1;
  for (const std::complex<double>& x : gs::fft(gs::to_device(impulse)).copy_to_host())
    EXPECT_NEAR(std::abs(x - 1.0), 0, 1e-12);
}

TEST_P(every_device, refuses_what_libraries_can_not_do) {
  const auto a = gs::to_device(halves(6)).reshape({2, 3});
  EXPECT_TRUE(refused([&] { gs::gemm(a, a); }, {"gemm of shapes (2, 3) and (2, 3)", "3 columns", "2 rows"}));
  auto square = in_rows(halves(9), 3);
  EXPECT_TRUE(refused([&] { gs::gemm(square, square, gs::out(square)); }, {"shares memory with an operand"}));
  EXPECT_TRUE(refused([&] { gs::sort(square); }, {"sort of an array of shape (3, 3)", "its rank is 2"}));
  const auto keys = gs::to_device(counting(100));
  auto middle = keys.slice(25, 75);
  EXPECT_TRUE(refused([&] { gs::sort(keys.slice(0, 50), gs::out(middle)); },
                      {"shares a part of its memory", "give an output of its own"}));
  EXPECT_TRUE(refused([] { gs::fft(gs::to_device(std::vector<std::complex<float>>{})); }, {"there are no points"}));
}

}  // namespace every_device_test
