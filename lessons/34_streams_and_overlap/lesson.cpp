// Lesson 34: streams and overlap. An array goes to the device and back in pieces, so that one piece is copied while
// another is worked on.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "workbook/lesson.h"
#include "workbook/number_text.h"
#include "workbook/timeline.h"

using array = gs::device_array<float>;

// The root of each number by Newton's steps: y becomes the mean of y and x / y. After three it has all its digits; more
// take time and change nothing.
GS_FN void take_roots(gs::thread t, gs::view<float> x, unsigned steps) {
  for (auto i : t.grid_stride(x.size())) {
    const float number = x[i];
    float y = 0.5f * (1 + number);
    unsigned k = 0;
    do y = 0.5f * (y + number / y);
    while (++k < steps);
    x[i] = y;
  }
}

void launch_roots(const gs::stream& s, const array& x, unsigned steps) {
  gs::launch<take_roots>({.grid = 64, .block = 256, .stream = s}, x, steps);
}

// Copy in, kernel, copy out, for each piece on the next stream. Between pieces nobody waits, if the host's arrays are
// pinned.
void through_the_device(std::span<const float> in, std::span<float> out, const array& there,
                        std::span<const gs::stream> streams, std::size_t pieces, unsigned steps) {
  const std::size_t size = std::max<std::size_t>(1, (in.size() + pieces - 1) / pieces);
  for (std::size_t first = 0, k = 0; first < in.size(); first += size, ++k) {
    const std::size_t count = std::min(size, in.size() - first);
    const gs::stream& s = streams[k % streams.size()];
    array part = there.slice(first, first + count);
    part.copy_from_host(in.subspan(first, count), s);
    launch_roots(s, part, steps);
    part.copy_to_host(out.subspan(first, count), s);
  }
  gs::synchronize();
}

// --- what is right, and how long it takes ----------------------------------------------------------------------------

// The largest relative error against the root in float64.
double error_of(std::span<const float> roots, std::span<const float> x) {
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = std::sqrt(static_cast<double>(x[i]));
    error = std::max(error, std::abs(static_cast<double>(roots[i]) - expected) / expected);
  }
  return error;
}
constexpr double rounding = 1.2e-7;  // of a float, as a share of it

const gs::timeit_options several{.runs = 9, .loops = 1, .max_seconds = 1};
template <class Statement>
double seconds_of(const Statement& statement) {
  return gs::timeit(statement, several).best();
}

struct host_arrays {
  gs::pinned_array<float> pinned_in, pinned_out;
  std::vector<float> ordinary_in, ordinary_out;
};

// --- each step alone -------------------------------------------------------------------------------------------------

struct step_times {
  double copy_in = 0, kernel = 0, copy_out = 0;

  double sum() const { return copy_in + kernel + copy_out; }
  double longest() const { return std::max({copy_in, kernel, copy_out}); }
};

step_times each_alone(host_arrays& host, array& there, unsigned steps, workbook::report& report) {
  report.heading("Three steps");
  gs::stream s;
  const auto alone = [&](const auto& step) {
    return seconds_of([&] {
      step();
      s.synchronize();
    });
  };
  const step_times took{.copy_in = alone([&] { there.copy_from_host(host.pinned_in, s); }),
                        .kernel = alone([&] { launch_roots(s, there, steps); }),
                        .copy_out = alone([&] { there.copy_to_host(host.pinned_out, s); })};
  auto& table = report.table("Each alone", {"step", "took"});
  table.row("copy in", workbook::seconds(took.copy_in));
  table.row("kernel", workbook::seconds(took.kernel));
  table.row("copy out", workbook::seconds(took.copy_out));
  table.row("one after the other", workbook::seconds(took.sum()));
  table.row("the longest alone", workbook::seconds(took.longest()));
  return took;
}

// --- in pieces -------------------------------------------------------------------------------------------------------

struct way {
  std::string memory;
  std::size_t streams;
};

void in_pieces(const workbook::parameters& given, host_arrays& host, const array& there, unsigned steps,
               workbook::report& report) {
  report.heading("In pieces");
  const std::size_t pieces = given.size("pieces");
  auto& table = report.table(std::to_string(pieces) + " pieces", {"memory", "streams", "took", "times as fast"});
  const way ways[] = {{"pinned", 1}, {"pinned", 2}, {"pinned", 4}, {"ordinary", 1}, {"ordinary", 4}};
  double of_one = 0, gain = 0, gain_of_ordinary = 0;
  for (const way& w : ways) {
    const bool pinned = w.memory == "pinned";
    const std::vector<gs::stream> streams(w.streams);
    const std::span<const float> in =
        pinned ? std::span<const float>(host.pinned_in) : std::span<const float>(host.ordinary_in);
    const std::span<float> out = pinned ? std::span<float>(host.pinned_out) : std::span<float>(host.ordinary_out);
    const auto once = [&] { through_the_device(in, out, there, streams, pieces, steps); };
    std::ranges::fill(out, 0.0f);
    const double seconds = seconds_of(once);
    const std::string name = w.memory + ", " + std::to_string(w.streams) + (w.streams == 1 ? " stream" : " streams");
    report.check_at_most(name + ": largest error, in float32's steps", error_of(out, in) / rounding, 2.0);
    if (w.streams == 1) of_one = seconds;
    table.row(w.memory, w.streams, workbook::seconds(seconds), of_one / seconds);
    if (w.streams == 4) (pinned ? gain : gain_of_ordinary) = of_one / seconds;
    if (w.streams == 2) continue;
    const gs::timeline_recording recording;
    once();
    report.plot(workbook::timeline::of(name, recording.entries()));
  }
  report.prediction(given, "gain", gain);
  report.prediction(given, "ordinary", gain_of_ordinary);
}

// --- without a copy --------------------------------------------------------------------------------------------------

void without_a_copy(const host_arrays& host, const step_times& took, unsigned steps, workbook::report& report) {
  report.heading("Without a copy of yours");
  const gs::managed_array<float> both(host.pinned_in.size());
  double sum = 0;
  const auto write = [&] { std::ranges::copy(host.pinned_in, both.on_host().begin()); };
  const gs::ledger_scope scope;
  const double seconds = seconds_of([&] {
    write();
    launch_roots(gs::default_stream(), both, steps);
    sum = 0;
    for (const float root : both.on_host()) sum += static_cast<double>(root);
  });
  auto& table = report.table("Write, take roots, add them up", {"memory", "took", "copies"});
  table.row("managed", workbook::seconds(seconds), scope.account().copies_to_device + scope.account().copies_to_host);
  report.paragraph("The three steps above, one after the other: " + to_text(workbook::seconds(took.sum())) + ".");
  double expected = 0;
  for (const float x : host.pinned_in) expected += std::sqrt(static_cast<double>(x));
  report.check_near("the sum of all roots", sum, expected, rounding);
}

void run(const workbook::parameters& given, workbook::report& report) {
  const auto steps = static_cast<unsigned>(given.integer("steps"));
  const std::vector<float> x = gs::uniform<float>({given.size()}, given.seed()).copy_to_host();
  host_arrays host{.pinned_in = gs::pinned_array<float>(x.size()),
                   .pinned_out = gs::pinned_array<float>(x.size()),
                   .ordinary_in = std::vector<float>(x.size()),
                   .ordinary_out = std::vector<float>(x.size())};
  for (std::size_t i = 0; i < x.size(); ++i) host.pinned_in[i] = host.ordinary_in[i] = 0.5f + x[i];
  array there(x.size());
  const step_times took = each_alone(host, there, steps, report);
  in_pieces(given, host, there, steps, report);
  without_a_copy(host, took, steps, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 34,
      .name = "streams_and_overlap",
      .title = "One piece is copied while another is worked on",
      .summary =
          "A pipeline in pieces on several streams, pinned and ordinary memory, and a timeline of what ran "
          "when.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "numbers",
                                       .min = 1,
                                       .max = 200'000'000,
                                       .default_value = 8'000'000,
                                       .inspected = 3000},
                     workbook::integer{
                         .name = "pieces", .text = "pieces of the array", .min = 1, .max = 1000, .default_value = 8},
                     workbook::integer{
                         .name = "steps", .text = "Newton's steps", .min = 3, .max = 10'000, .default_value = 3}},
      .predictions = {{.name = "gain",
                       .question =
                           "Copy in, kernel, copy out, for each piece: how many times as fast are four streams as one?",
                       .unit = "times"},
                      {.name = "ordinary",
                       .question = "The same with a std::vector on the host's side: how many times as fast on four "
                                   "streams as on one?",
                       .unit = "times"}},
      .run = run};
}
