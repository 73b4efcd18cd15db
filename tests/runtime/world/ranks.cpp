// What each rank of world_test.cpp runs: `world_ranks SCENARIO`. Exit status 0 and no output where everything is right.
// An error is printed, and the exit status is 1.

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "ranks_checks.h"
#include "runtime/gs.h"
#include "runtime/world/message_ledger.h"
#include "runtime/world/window.h"
#include "runtime/world/world.h"

namespace world_ranks {

// All sizes for one type. Ranks beyond the machine's cores take turns, and MPICH's never give way: a call of 7 ranks
// takes some 50 ms there.
bool are_many() { return gs::world().size() > 2; }
template <class T>
std::vector<std::size_t> sizes_for() {
  if (!std::is_same_v<T, float>) return {33};
  if (are_many()) return {0, 1009};
  return {0, 1, 31, 32, 33, 1009, 100003};
}

int from_left(int r, int p) { return (r + p - 1) % p; }
int to_right(int r, int p) { return (r + 1) % p; }

template <class T>
void messages(const gs::communicator& w) {
  const int r = w.rank(), p = w.size();
  for (const std::size_t n : sizes_for<T>()) {
    auto sent = w.start_send(numbers<T>(r, n), to_right(r, p), 3);
    std::vector<T> came(n);
    const gs::received what = w.receive(came, from_left(r, p), 3);
    expect(came == numbers<T>(from_left(r, p), n), "receive", n);
    expect(what.from == from_left(r, p) && what.tag == 3 && what.count == n, "what receive tells", n);
    expect(sent.wait() == numbers<T>(r, n), "the array that start_send gives back", n);

    auto coming = w.start_receive(std::vector<T>(n), from_left(r, p));
    w.send(numbers<T>(r, n), to_right(r, p));
    expect(coming.wait() == came, "start_receive", n);

    auto again = w.start_send(numbers<T>(r, n), to_right(r, p));
    expect(w.template receive<std::vector<T>>(gs::any_rank, gs::any_tag) == came, "receive of any size", n);
    static_cast<void>(again.wait());
  }
}

// A rank writes into the memory of its neighbours, and reads from it; each rank has a place for each other one.
template <class T>
void windows(const gs::communicator& w) {
  const int r = w.rank(), p = w.size();
  for (const std::size_t n : sizes_for<T>()) {
    const auto ranks = static_cast<std::size_t>(p), own = static_cast<std::size_t>(r);
    const gs::window<T> x(w, n * ranks);
    expect(std::ranges::equal(x.own(), std::vector<T>(n * ranks)), "a new window", n);
    w.barrier();
    for (int to = 0; to < p; ++to) x.put(numbers<T>(r + to, n), to, own * n);
    x.fence();
    for (int from = 0; from < p; ++from)
      expect(std::ranges::equal(x.own().subspan(static_cast<std::size_t>(from) * n, n), numbers<T>(r + from, n)), "put",
             n);
    std::vector<T> came(n);
    x.get(came, to_right(r, p), own * n);
    expect(came == numbers<T>(r + to_right(r, p), n), "get", n);
    x.fence();
    if (n == 0) continue;
    x.put(numbers<T>(r, 1)[0], to_right(r, p), n * ranks - 1);
    x.fence();
    T last{};
    x.get(last, r, n * ranks - 1);
    expect(last == numbers<T>(from_left(r, p), 1)[0], "put of a value", n);
    x.fence();
  }
}

template <class T>
void broadcasts(const gs::communicator& w) {
  for (const int root : {0, w.size() - 1})
    for (const std::size_t n : sizes_for<T>()) {
      std::vector<T> x = numbers<T>(w.rank(), n);
      w.broadcast(x, root);
      expect(x == numbers<T>(root, n), "broadcast", n);
      auto y = w.start_broadcast(numbers<T>(w.rank(), n), root).wait();
      expect(x == y, "start_broadcast", n);
    }
}

template <class T>
T larger(T a, T b) {
  return a < b ? b : a;
}
// Takes the right one: it only associates, so the order of ranks shows.
template <class T>
T last(T, T b) {
  return b;
}

template <class T, class F>
std::vector<T> folded(int ranks, std::size_t n, F f) {
  std::vector<T> result = numbers<T>(0, n);
  for (int r = 1; r < ranks; ++r) {
    const std::vector<T> x = numbers<T>(r, n);
    for (std::size_t i = 0; i < n; ++i) result[i] = f(result[i], x[i]);
  }
  return result;
}

template <class T>
void reductions(const gs::communicator& w) {
  const int r = w.rank(), p = w.size();
  const auto sum = [](T a, T b) { return static_cast<T>(a + b); };
  for (const std::size_t n : sizes_for<T>()) {
    const std::vector<T> x = numbers<T>(r, n);
    expect(w.allreduce(x) == folded<T>(p, n, sum), "allreduce", n);
    expect(w.scan(x) == folded<T>(r + 1, n, sum), "scan", n);
    expect(w.template allreduce<last<T>>(x) == numbers<T>(p - 1, n), "allreduce in the order of ranks", n);
    expect(w.template scan<last<T>>(x) == x, "scan in the order of ranks", n);
    const auto y = w.reduce(x, gs::fold::sum, p - 1);
    expect(y.has_value() == (r == p - 1), "who gets what reduce makes", n);
    if (y) expect(*y == folded<T>(p, n, sum), "reduce", n);
    std::vector<T> z = x;
    w.reduce(x, gs::out(z), gs::fold::sum, p - 1);
    expect(z == (r == p - 1 ? folded<T>(p, n, sum) : x), "reduce into an array", n);
    z = x;
    w.template reduce<last<T>>(z, gs::out(z));
    expect(z == (r == 0 ? numbers<T>(p - 1, n) : x), "reduce by a function in place", n);
    z = x;
    w.allreduce(z, gs::out(z));
    expect(z == folded<T>(p, n, sum), "allreduce in place", n);
    expect(w.start_allreduce(numbers<T>(r, n)).wait() == z, "start_allreduce", n);
    if constexpr (std::is_arithmetic_v<T>) {
      expect(w.allreduce(x, gs::fold::maximum) == folded<T>(p, n, larger<T>), "maximum", n);
      expect(w.template reduce<larger<T>>(x, 0).value_or(folded<T>(p, n, larger<T>)) == folded<T>(p, n, larger<T>),
             "reduce by a function", n);
      w.scan(x, gs::out(z), gs::fold::minimum);
      expect(z == folded<T>(r + 1, n, [](T a, T b) { return b < a ? b : a; }), "minimum", n);
    }
  }
  const T product = w.allreduce(static_cast<T>(2), gs::fold::product);
  T power(1);
  for (int i = 0; i < p; ++i) power = static_cast<T>(power * T(2));
  expect(product == power, "product", 1);
}

// What rank r has for the others: n and a few more of each.
std::size_t length_of(int rank, std::size_t n) { return n + static_cast<std::size_t>(rank % 3); }

template <class T>
void gatherings(const gs::communicator& w) {
  const int r = w.rank(), p = w.size();
  for (const std::size_t n : sizes_for<T>()) {
    std::vector<T> even, uneven;
    std::vector<std::size_t> counts;
    for (int i = 0; i < p; ++i) {
      append(even, numbers<T>(i, n));
      append(uneven, numbers<T>(i, length_of(i, n)));
      counts.push_back(length_of(i, n));
    }
    const std::vector<T> mine = numbers<T>(r, length_of(r, n));
    expect(w.allgather(mine) == uneven, "allgather", n);
    expect(w.allgather(mine, counts) == uneven, "allgather with counts", n);
    const auto all = w.gather(mine, p - 1);
    expect(all.has_value() == (r == p - 1), "who gets what gather makes", n);
    if (all) expect(*all == uneven, "gather", n);
    std::vector<T> out(r == 0 ? even.size() : 0);
    w.gather(numbers<T>(r, n), gs::out(out), 0);
    if (r == 0) expect(out == even, "gather into an array", n);
    out.resize(even.size());
    w.allgather(numbers<T>(r, n), gs::out(out));
    expect(out == even, "allgather into an array", n);

    expect(w.scatter(r == 0 ? uneven : std::vector<T>{}, 0, counts) == mine, "scatter with counts", n);
    std::vector<T> part(n);
    w.scatter(even, gs::out(part), p - 1);
    expect(part == numbers<T>(r, n), "scatter into an array", n);
    // 0 to n - 1, as even as it can be.
    const std::vector<T> whole = numbers<T>(7, n);
    const auto ranks = static_cast<std::size_t>(p), rank = static_cast<std::size_t>(r);
    const std::size_t begin = rank * (n / ranks) + std::min(rank, n % ranks);
    const std::size_t length = n / ranks + (rank < n % ranks ? 1 : 0);
    expect(w.scatter(r == p - 1 ? whole : std::vector<T>{}, p - 1) == slice(whole, begin, length), "scatter", n);
  }
  const std::vector<T> ones = w.allgather(number<T>(r, 5));
  for (int i = 0; i < p; ++i) expect(ones[static_cast<std::size_t>(i)] == number<T>(i, 5), "allgather of a value", 1);
}

// Rank a sends b elements 1000 a + ... to rank b.
template <class T>
void exchanges(const gs::communicator& w) {
  const int r = w.rank(), p = w.size();
  for (const std::size_t n : sizes_for<T>()) {
    std::vector<T> x, expected;
    for (int i = 0; i < p; ++i) {
      append(x, numbers<T>(r * p + i, n));
      append(expected, numbers<T>(i * p + r, n));
    }
    expect(w.alltoall(x) == expected, "alltoall", n);
    std::vector<T> out(x.size());
    w.alltoall(x, gs::out(out));
    expect(out == expected, "alltoall into an array", n);
    std::vector<std::size_t> counts, come;
    x.clear(), expected.clear();
    for (int i = 0; i < p; ++i) {
      counts.push_back(length_of(r + i, n));
      append(x, numbers<T>(r * p + i, counts.back()));
      come.push_back(length_of(i + r, n));
      append(expected, numbers<T>(i * p + r, come.back()));
    }
    const auto y = w.alltoall(x, counts);
    expect(y.values == expected && y.counts == come, "alltoall with counts", n);
  }
}

template <class T>
void all_verbs(const gs::communicator& w) {
  messages<T>(w);
  windows<T>(w);
  broadcasts<T>(w);
  gatherings<T>(w);
  exchanges<T>(w);
  if constexpr (gs::detail::number_type_of<T>() != gs::detail::number_type::none) reductions<T>(w);
}

void device_arrays(const gs::communicator& w) {
  const int r = w.rank(), p = w.size();
  for (const std::size_t n : sizes_for<float>()) {
    if (n == 0) continue;
    const std::vector<float> host = numbers<float>(r, n), left = numbers<float>(from_left(r, p), n);
    const auto x = gs::to_device(host);
    auto sent = w.start_send(x.slice(0, n), to_right(r, p));
    gs::device_array<float> y(n);
    w.receive(y, from_left(r, p));
    expect(y.copy_to_host() == left, "receive into a device array", n);
    sent.wait();
    auto coming = w.start_receive(gs::device_array<float>(n), from_left(r, p));
    w.send(x, to_right(r, p));
    expect(coming.wait().copy_to_host() == left, "start_receive into a device array", n);
    auto again = w.start_send(x.slice(0, n), to_right(r, p));
    expect(w.receive<gs::device_array<float>>(from_left(r, p)).copy_to_host() == left, "a new device array", n);
    again.wait();
    const auto sum = [](float a, float b) { return a + b; };
    expect(w.allreduce(x).copy_to_host() == folded<float>(p, n, sum), "allreduce of a device array", n);
    std::vector<float> all;
    for (int i = 0; i < p; ++i) append(all, numbers<float>(i, n));
    expect(w.allgather(x).copy_to_host() == all, "allgather of a device array", n);
    auto z = gs::to_device(host);
    w.broadcast(z, p - 1);
    expect(z.copy_to_host() == numbers<float>(p - 1, n), "broadcast of a device array", n);
  }
}

void groups(const gs::communicator& w) {
  const int r = w.rank(), p = w.size();
  const gs::communicator odd = w.split(r % 2, -r);  // in the reverse order
  expect(odd.size() == (p + 1 - r % 2) / 2, "the size of a group", 0);
  expect(odd.rank() == odd.size() - 1 - r / 2, "the order in a group", 0);
  int expected = 0;
  for (int i = r % 2; i < p; i += 2) expected += i;
  expect(odd.allreduce(r) == expected, "allreduce in a group", 0);
  expect(w.split_by_machine().size() == p, "the ranks of this machine", 0);
}

void account(const gs::communicator& w) {
  const gs::message_ledger before = gs::message_total();
  const int r = w.rank(), p = w.size();
  std::vector<double> x(10), y(10);
  auto sent = w.start_send(std::span(x).first(4), to_right(r, p));
  w.receive(std::span(y).first(4), from_left(r, p));
  const unsigned line = __LINE__ - 1;
  sent.wait();
  w.allreduce(x, gs::out(y));
  expect(gs::message_total() - before == gs::message_ledger{3, 32 + 80, 32 + 80}, "the account of messages", 10);
  bool found = false;
  for (const gs::line_messages& l : gs::messages_by_line())
    if (l.place.line == line && l.verb == "receive")
      found = l.messages == gs::message_ledger{1, 0, 32} && l.place.file.ends_with("ranks.cpp");
  expect(found, "the account by line", 4);
}

void verbs() {
  const gs::communicator& w = gs::world();
  w.barrier();
  all_verbs<float>(w);
  if (!are_many()) {
    all_verbs<std::int8_t>(w);
    all_verbs<std::uint32_t>(w);
    all_verbs<std::complex<double>>(w);
    all_verbs<sample>(w);
    reductions<std::int64_t>(w);
    reductions<double>(w);
  }
  device_arrays(w);
  groups(w);
  account(w);
}

// --- mistakes --------------------------------------------------------------------------------------------------------

void another_size() {
  const gs::communicator& w = gs::world();
  std::vector<float> x(7), y(10);
  if (w.rank() == 0) w.send(x, 1, 2);
  if (w.rank() == 1) w.receive(y, 0, 2);
}
void half_an_element() {
  const gs::communicator& w = gs::world();
  std::vector<char> x(7);
  std::vector<double> y(1);
  if (w.rank() == 0) w.send(x, 1);
  if (w.rank() == 1) y = w.receive<std::vector<double>>(0);
}
void no_such_rank() { gs::world().send(1, gs::world().size()); }
void no_such_tag() { gs::world().send(1, 0, -1); }
// Rank 1 ends, and the others wait for it.
void one_fails() {
  const gs::communicator& w = gs::world();
  w.barrier();
  if (w.rank() == 1) throw gs::error("a rank", "it fails", "nothing to do");
  static_cast<void>(w.receive<int>(1));
}
void one_is_killed() {
  const gs::communicator& w = gs::world();
  w.barrier();
  if (w.rank() == 1) raise(SIGKILL);
  w.barrier();
}
// Which rank it is tells the environment, before gs::world().
void one_dies_before_the_world() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char* const rank = std::getenv(variable); rank && rank == std::string("1")) raise(SIGKILL);
  gs::world().barrier();
}
void one_dies_before_a_message() {
  const gs::communicator& w = gs::world();
  if (w.rank() == 1) raise(SIGKILL);
  static_cast<void>(w.receive<int>(1));
}
void outside_of_a_window() {
  const gs::window<float> x(gs::world(), 10);
  x.put(std::vector<float>(3), 1, 8);
}

// --- what the checked flavour tells ----------------------------------------------------------------------------------

void other_verbs() {
  const gs::communicator& w = gs::world();
  if (w.rank() == 0)
    w.barrier();
  else
    w.allreduce(1);
}
void other_sizes() { gs::world().allreduce(std::vector<float>(gs::world().rank() == 0 ? 10 : 7)); }
void other_windows() { const gs::window<float> x(gs::world(), gs::world().rank() == 0 ? 10 : 7); }
void other_types() {
  if (gs::world().rank() == 0)
    gs::world().allreduce(1);
  else
    gs::world().allreduce(1.0f);
}
void other_roots() {
  int x = 0;
  gs::world().broadcast(x, gs::world().rank());
}
void other_requests() {
  const gs::communicator& w = gs::world();
  if (w.rank() == 0)
    w.start_allreduce(1).wait();
  else
    w.start_broadcast(1).wait();
}
void all_receive() {
  const gs::communicator& w = gs::world();
  int x = 0;
  w.receive(x, from_left(w.rank(), w.size()));
}
// Only goes well where MPI keeps the message for the receiver.
void all_send_first() {
  const gs::communicator& w = gs::world();
  w.send(1, to_right(w.rank(), w.size()));
  static_cast<void>(w.receive<int>(from_left(w.rank(), w.size())));
}
void waits_for_one_that_ended() {
  if (gs::world().rank() == 0) static_cast<void>(gs::world().receive<std::vector<int>>(gs::any_rank));
}
void one_does_not_come() {
  const gs::communicator& w = gs::world();
  if (w.rank() == 0)
    static_cast<void>(w.start_receive(1, 1).wait());
  else
    w.barrier();
}
// The first element is written, or read, between the call and its wait.
void touches_before_wait() {
  const gs::communicator& w = gs::world();
  std::vector<float> x(100, 1.0f), y(100);
  auto sent = w.start_send(std::span(x), to_right(w.rank(), w.size()));
  auto comes = w.start_receive(std::span(y), from_left(w.rank(), w.size()));
  const int line = __LINE__ - 1;
  const float sum = x[0] + y[0];
  std::fprintf(stderr, "began at ranks.cpp:%d, read at ranks.cpp:%d, %g\n", line, line + 2, static_cast<double>(sum));
  sent.wait();
  comes.wait();
}
void writes_what_is_sent() {
  const gs::communicator& w = gs::world();
  std::vector<float> x(100, 1.0f), y(100);
  auto sent = w.start_send(std::span(x).first(50), to_right(w.rank(), w.size()));
  const int line = __LINE__ - 1;
  x[50] = 2.0f;
  x[49] = 2.0f;
  std::fprintf(stderr, "began at ranks.cpp:%d, written at ranks.cpp:%d\n", line, line + 3);
  w.receive(std::span(y).first(50), from_left(w.rank(), w.size()));
  sent.wait();
}
// Nobody is stuck: they all wait for rank 0, which computes for longer than a deadlock takes to be told.
void one_takes_long() {
  const gs::communicator& w = gs::world();
  if (w.rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(4500));
    w.send(1, 1);
  }
  if (w.rank() == 1) static_cast<void>(w.receive<int>(0));
  w.barrier();
}

// One element past the end of what came: the sanitizers have to see into a rank.
void reads_past_the_end() {
  const gs::communicator& w = gs::world();
  const auto sent = std::vector<int>(10, w.rank());
  std::vector<int> came(10);
  w.alltoall(sent, gs::out(came));
  const volatile std::size_t end = came.size();
  std::printf("%d\n", came.data()[end]);
}

void cores() { std::printf("%d ranks, %u cores\n", gs::world().size(), gs::core_count()); }
void nothing() { std::printf("rank %d of %d\n", gs::world().rank(), gs::world().size()); }

}  // namespace world_ranks

int main(int argc, char** argv) {
  using namespace world_ranks;
  const std::map<std::string, void (*)()> scenarios = {{"verbs", verbs},
                                                       {"another_size", another_size},
                                                       {"half_an_element", half_an_element},
                                                       {"no_such_rank", no_such_rank},
                                                       {"no_such_tag", no_such_tag},
                                                       {"one_fails", one_fails},
                                                       {"one_is_killed", one_is_killed},
                                                       {"one_dies_before_the_world", one_dies_before_the_world},
                                                       {"one_dies_before_a_message", one_dies_before_a_message},
                                                       {"other_verbs", other_verbs},
                                                       {"other_sizes", other_sizes},
                                                       {"other_windows", other_windows},
                                                       {"outside_of_a_window", outside_of_a_window},
                                                       {"other_types", other_types},
                                                       {"other_roots", other_roots},
                                                       {"other_requests", other_requests},
                                                       {"all_receive", all_receive},
                                                       {"all_send_first", all_send_first},
                                                       {"waits_for_one_that_ended", waits_for_one_that_ended},
                                                       {"one_does_not_come", one_does_not_come},
                                                       {"one_takes_long", one_takes_long},
                                                       {"touches_before_wait", touches_before_wait},
                                                       {"writes_what_is_sent", writes_what_is_sent},
                                                       {"reads_past_the_end", reads_past_the_end},
                                                       {"cores", cores},
                                                       {"nothing", nothing}};
  const auto scenario = scenarios.find(argc > 1 ? argv[1] : "");
  if (scenario == scenarios.end()) return argc > 1 && argv[1] == std::string("--help") ? 0 : 2;
  try {
    scenario->second();
  } catch (const gs::error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
