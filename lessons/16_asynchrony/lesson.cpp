// Lesson 16: asynchrony. A launch returns before the work is done; streams and events say what waits for what.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"
#include "workbook/timeline.h"

using number = std::uint32_t;
using array = gs::device_array<number>;

// x becomes factor * x + 1, modulo 2^32, `rounds` times: much work on few bytes, exact on every machine.
GS_FN number stirred(number x, number factor, number rounds) {
  for (number k = 0; k < rounds; ++k) x = factor * x + 1;
  return x;
}
GS_FN void stir(gs::thread t, gs::view<number> x, number factor, number rounds) {
  for (auto i : t.grid_stride(x.size())) x[i] = stirred(x[i], factor, rounds);
}
GS_FN void copy_elements(gs::thread t, gs::view<const number> from, gs::view<number> to) {
  for (auto i : t.grid_stride(to.size())) to[i] = from[i];
}

constexpr number first_factor = 1'664'525, second_factor = 22'695'477;
const gs::launch_options wide{.grid = 64, .block = 128};

std::vector<number> counting(std::size_t size) {
  std::vector<number> x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = static_cast<number>(i);
  return x;
}

// Wall-clock time of one execution, or of the quickest of several, since other programs use the machine.
template <class F>
double wall_seconds(F statement, int executions = 1) {
  return gs::timeit(statement, {.runs = executions, .loops = 1, .max_seconds = 1}).best();
}
constexpr int several = 7;

// --- a launch returns ------------------------------------------------------------------------------------------------

struct clocks {
  double launch = 0, wait = 0, between_events = 0;  // seconds
  bool done_at_once = false;
};

clocks time_launch(const array& x, number rounds) {
  clocks taken;
  gs::event started, stopped;
  taken.launch = wall_seconds([&] {
    started.record();
    gs::launch<stir>(wide, x, first_factor, rounds);
    stopped.record();
  });
  taken.done_at_once = stopped.done();
  taken.wait = wall_seconds([] { gs::synchronize(); });
  taken.between_events = gs::seconds_between(started, stopped);
  return taken;
}

void a_launch_returns(const workbook::parameters& given, number rounds, workbook::report& report) {
  report.heading("A launch returns");
  const std::vector<number> start = counting(given.size());
  array x = gs::to_device(start);
  gs::launch<stir>(wide, x, first_factor, 1u);  // the first launch of a kernel also loads it
  gs::synchronize();

  // The system may hand the host's core to the device in the middle of a launch: take the least disturbed one.
  clocks taken{.launch = std::numeric_limits<double>::infinity()};
  for (int k = 0; k < several; ++k) {
    x.copy_from_host(start);
    if (const clocks again = time_launch(x, rounds); again.launch < taken.launch) taken = again;
  }
  std::vector<number> result;
  const double copy = wall_seconds([&] { result = x.copy_to_host(); });

  auto& table = report.table("", {"statement", "took"});
  table.row("gs::launch<stir>(...)", workbook::seconds(taken.launch));
  table.row("gs::synchronize()", workbook::seconds(taken.wait));
  table.row("x.copy_to_host()", workbook::seconds(copy));
  auto& says = report.table("How long does the kernel take?", {"clock", "says"});
  says.row("around the launch", workbook::seconds(taken.launch));
  says.row("around launch and synchronize", workbook::seconds(taken.launch + taken.wait));
  says.row("between two events", workbook::seconds(taken.between_events));
  report.paragraph(std::string("When the launch had returned, the kernel was ") +
                   (taken.done_at_once ? "done." : "not done yet."));
  report.prediction(given, "launch", 1e6 * taken.launch);

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < result.size(); ++i) wrong += result[i] != stirred(start[i], first_factor, rounds);
  report.check_equal("wrong elements", wrong, 0);
}

// --- the host works meanwhile ----------------------------------------------------------------------------------------

// The host's own work: the sum of `size` elements, stirred.
number host_sum(std::size_t size, number rounds) {
  number sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += stirred(static_cast<number>(i), second_factor, rounds);
  return sum;
}

void the_host_works_meanwhile(std::size_t size, number rounds, workbook::report& report) {
  report.heading("The host works meanwhile");
  const std::size_t mine = size / 8;
  const array x = gs::to_device(counting(size));
  number in_turn = 0, at_once = 0;
  const array part = x.slice(0, static_cast<std::ptrdiff_t>(mine));
  const auto launch = [&] { gs::launch<stir>({.grid = 1, .block = 128}, part, first_factor, rounds); };
  const auto device_alone = [&] {
    launch();
    gs::synchronize();
  };
  const auto host_alone = [&] { in_turn = host_sum(mine, rounds); };
  const auto both = [&] {
    launch();
    at_once = host_sum(mine, rounds);
    gs::synchronize();
  };
  auto& table = report.table("", {"who", "took"});
  table.row("the device alone", workbook::seconds(wall_seconds(device_alone, several)));
  table.row("the host alone", workbook::seconds(wall_seconds(host_alone, several)));
  table.row("launch, host's work, synchronize", workbook::seconds(wall_seconds(both, several)));
  report.check_equal("the host's sum, computed meanwhile", at_once, in_turn);
}

// --- streams ---------------------------------------------------------------------------------------------------------

struct span {
  gs::event start, stop;
};

void launch_small(const gs::stream& s, const array& x, number rounds, span& noted) {
  noted.start.record(s);
  gs::launch<stir>({.grid = 1, .block = 128, .stream = s}, x, first_factor, rounds);
  noted.stop.record(s);
}

struct outcome {
  double seconds = 0;
  std::vector<span> spans;
  std::size_t wrong = 0;
};

// Four kernels of one block each, on `streams` streams in turn.
outcome four_kernels(std::size_t streams, const std::vector<number>& start, number rounds) {
  const std::vector<gs::stream> queues(streams);
  std::vector<array> x;
  for (int k = 0; k < 4; ++k) x.push_back(gs::to_device(start));
  outcome found{.spans = std::vector<span>(x.size())};
  found.seconds = wall_seconds([&] {
    for (std::size_t k = 0; k < x.size(); ++k) launch_small(queues[k % streams], x[k], rounds, found.spans[k]);
    gs::synchronize();
  });
  for (const array& one : x) {
    const std::vector<number> got = one.copy_to_host();
    for (std::size_t i = 0; i < got.size(); ++i) found.wrong += got[i] != stirred(start[i], first_factor, rounds);
  }
  return found;
}

void two_streams(const workbook::parameters& given, number rounds, workbook::report& report) {
  report.heading("Two streams");
  const std::vector<number> start = counting(given.size() / 8);
  workbook::timeline picture{.title = "When each kernel began and ended",
                             .rows = {"the only stream", "first of two", "second of two"},
                             .groups = {"kernel 1", "kernel 2", "kernel 3", "kernel 4"}};
  double seconds[2];
  std::size_t wrong = 0;
  for (std::size_t streams : {1, 2}) {
    outcome best = four_kernels(streams, start, rounds);
    wrong += best.wrong;
    for (int k = 1; k < several && !std::isnan(best.seconds); ++k) {
      outcome next = four_kernels(streams, start, rounds);
      wrong += next.wrong;
      if (next.seconds < best.seconds) best = std::move(next);
    }
    seconds[streams - 1] = best.seconds;
    for (std::size_t k = 0; k < best.spans.size(); ++k) {
      const span& kernel = best.spans[k];
      const auto milliseconds = [&](const gs::event& e) { return 1e3 * gs::seconds_between(best.spans[0].start, e); };
      picture.bars.push_back({.row = streams - 1 + k % streams,
                              .group = k,
                              .start = milliseconds(kernel.start),
                              .stop = milliseconds(kernel.stop)});
    }
  }
  auto& table = report.table("Four kernels of one block", {"streams", "took"});
  table.row(1, workbook::seconds(seconds[0]));
  table.row(2, workbook::seconds(seconds[1]));
  report.prediction(given, "streams", seconds[0] / seconds[1]);
  report.check_equal("wrong elements of the four, in every attempt", wrong, 0);
  report.plot(std::move(picture));
}

// --- what waits for what ---------------------------------------------------------------------------------------------

void what_waits_for_what(std::size_t size, number rounds, workbook::report& report) {
  report.heading("What waits for what");
  // In one stream, in order: first one factor, then the other. In the other order the result is different.
  const std::vector<number> start = counting(size);
  const array x = gs::to_device(start);
  gs::launch<stir>(wide, x, first_factor, rounds);
  gs::launch<stir>(wide, x, second_factor, rounds);
  const std::vector<number> both = x.copy_to_host();

  // In two streams, ordered by an event.
  const array y = gs::to_device(start), copied(size);
  gs::synchronize();
  gs::stream maker, reader;
  gs::event made;
  gs::launch<stir>({.grid = 64, .block = 128, .stream = maker}, y, first_factor, rounds);
  made.record(maker);
  reader.wait(made);  // the stream waits; the host goes on
  gs::launch<copy_elements>({.grid = 64, .block = 128, .stream = reader}, y, copied);
  reader.synchronize();
  const std::vector<number> read = copied.copy_to_host();

  std::size_t out_of_order = 0, early = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const number expected = stirred(start[i], first_factor, rounds);
    out_of_order += both[i] != stirred(expected, second_factor, rounds);
    early += read[i] != expected;
  }
  report.check_equal("one stream: elements not stirred in the order of the launches", out_of_order, 0);
  report.check_equal("two streams and an event: elements read too early", early, 0);
}

void run(const workbook::parameters& given, workbook::report& report) {
  const auto rounds = static_cast<number>(given.integer("rounds"));
  a_launch_returns(given, rounds, report);
  the_host_works_meanwhile(given.size(), rounds, report);
  two_streams(given, rounds, report);
  what_waits_for_what(given.size(), rounds, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 16,
      .name = "asynchrony",
      .title = "A launch returns before the work is done",
      .summary = "What a clock around a launch shows, and how streams and events say what waits for what.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "elements",
                                       .min = 1,
                                       .max = 10'000'000,
                                       .default_value = 100'000,
                                       .inspected = 10'000},
                     workbook::integer{.name = "rounds",
                                       .text = "how often each element is stirred",
                                       .min = 1,
                                       .max = 1'000'000,
                                       .default_value = 1'000,
                                       .inspected = 10}},
      .predictions = {{.name = "launch",
                       .question = "A kernel runs for some 50 ms. After how many µs does its launch return?",
                       .unit = "µs"},
                      {.name = "streams",
                       .question = "Four kernels of one block each: how many times as fast on two streams as on one?",
                       .unit = "times"}},
      .run = run};
}
