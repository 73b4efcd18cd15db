// Lesson 14: the launch configuration. How many threads in a block, how many blocks: what is allowed, what is fast.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "runtime/gs.h"
#include "runtime/instruments/device_model/occupancy.h"
#include "workbook/lesson.h"

// One element for each thread: the grid must be large enough.
GS_FN void length(gs::thread t, gs::view<const float> x, gs::view<const float> y, gs::view<float> out) {
  const std::size_t i = t.grid();
  if (i < out.size()) out[i] = std::sqrt(x[i] * x[i] + y[i] * y[i]);
}
// All elements, whatever the grid: each thread goes on with the element that lies as far ahead as there are threads.
GS_FN void length_strided(gs::thread t, gs::view<const float> x, gs::view<const float> y, gs::view<float> out) {
  for (auto i : t.grid_stride(out.size())) out[i] = std::sqrt(x[i] * x[i] + y[i] * y[i]);
}

class measurement {
 public:
  measurement(std::size_t n, std::uint64_t seed)
      : x_(gs::uniform<float>({n}, seed)), y_(gs::uniform<float>({n}, seed + 1)), out_(gs::device_array_like(x_)) {
    const auto x = x_.copy_to_host(), y = y_.copy_to_host();
    for (std::size_t i = 0; i < n; ++i)
      expected_.push_back(std::hypot(static_cast<double>(x[i]), static_cast<double>(y[i])));
  }

  std::size_t size() const { return expected_.size(); }

  template <auto kernel>
  void launch(const gs::launch_options& options) {
    gs::launch<kernel>(options, x_, y_, out_);
  }
  // Seconds that a launch takes, the best of a few. Counts the elements that it leaves wrong.
  template <auto kernel>
  double time(const gs::launch_options& options) {
    out_.copy_from_host(std::vector(size(), std::numeric_limits<float>::quiet_NaN()));
    const auto complete = [&] {
      launch<kernel>(options);
      gs::synchronize();
    };
    const gs::timing taken = gs::timeit(complete, {.runs = 20, .min_run_seconds = 0.002, .max_seconds = 0.2});
    wrong_ += wrong_now();
    return taken.best();
  }
  std::size_t wrong() const { return wrong_; }

 private:
  std::size_t wrong_now() const {
    const auto got = out_.copy_to_host();
    std::size_t count = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      count += !(std::abs(static_cast<double>(got[i]) - expected_[i]) <= 1e-6);
    return count;
  }

  gs::device_array<float> x_, y_, out_;
  std::vector<double> expected_;
  std::size_t wrong_ = 0;
};

// Blocks are made of whole warps of 32 lanes.
unsigned warps_of(unsigned threads) { return (threads + 31) / 32; }

// How much of a multiprocessor the threads of a launch take up, by the size of its blocks.
void lanes_without_a_thread(const workbook::parameters& given, workbook::report& report) {
  report.heading("Lanes without a thread");
  const gs::device_model& gpu = gs::model_of(given.choice("capability"));
  const auto registers = static_cast<unsigned>(given.integer("thread_registers"));
  auto& table = report.table(
      "On a GPU of compute capability " + given.choice("capability"),
      {"threads per block", "warps", "lanes without a thread", "blocks at once", "warps at once", {"occupancy", "%"}});
  bool within = true;
  for (const unsigned threads : {1u, 32u, 33u, 64u, 96u, 100u, 128u, 192u, 256u, 512u, 768u, 1024u}) {
    const unsigned warps = warps_of(threads);
    const gs::occupancy held = gs::occupancy_of(gpu, {threads, 1, 1}, 0, registers);
    table.row(threads, warps, 32 * warps - threads, held.active_blocks, held.active_warps,
              std::round(100 * held.share));
    within &= held.active_blocks <= gpu.blocks_per_sm && held.active_blocks * warps <= gpu.warps_per_sm;
  }
  report.check("a multiprocessor holds no more blocks and warps than it can", within);
  report.prediction(given, "idle", 100.0 * (32 * warps_of(33) - 33) / (32 * warps_of(33)));
}

void block_sizes(measurement& m, const workbook::parameters& given, workbook::report& report) {
  report.heading("How many threads in a block");
  auto& table = report.table("", {"threads per block", "blocks", "time of a launch"});
  std::vector<double> sizes, microseconds;
  double of_one = 0, of_256 = 0;
  for (const std::size_t threads : {1, 2, 4, 8, 16, 32, 33, 64, 100, 128, 256, 512, 1024}) {
    const std::size_t blocks = (m.size() + threads - 1) / threads;
    const double seconds = m.time<length>({.grid = blocks, .block = threads});
    table.row(threads, blocks, workbook::seconds(seconds));
    sizes.push_back(static_cast<double>(threads));
    microseconds.push_back(1e6 * seconds);
    if (threads == 1) of_one = seconds;
    if (threads == 256) of_256 = seconds;
  }
  report.plot(
      workbook::xy_plot{.title = "One thread for each element",
                        .x = {.label = "threads per block", .log = true},
                        .y = {.label = "time", .unit = "µs", .log = true},
                        .series = {{.x = sizes, .y = microseconds, .style = workbook::drawn_as::line_and_points}}});
  report.check_equal("elements wrong, all block sizes together", m.wrong(), 0);
  report.prediction(given, "single", of_one / of_256);
}

void numbers_of_blocks(measurement& m, const workbook::parameters& given, workbook::report& report) {
  report.heading("How many blocks");
  constexpr std::size_t threads = 256;
  const std::size_t enough = (m.size() + threads - 1) / threads, processors = gs::device().multiprocessors;
  auto& table = report.table("", {"blocks of 256", "per multiprocessor", "elements per thread", "time of a launch"});
  std::vector<double> numbers, microseconds;
  for (std::size_t blocks = 1; blocks < 2 * enough; blocks *= 2) {
    const std::size_t used = std::min(blocks, enough);
    const double seconds = m.time<length_strided>({.grid = used, .block = threads});
    const double each = static_cast<double>(m.size()) / static_cast<double>(used * threads);
    table.row(used, static_cast<double>(used) / static_cast<double>(processors), each, workbook::seconds(seconds));
    numbers.push_back(static_cast<double>(used));
    microseconds.push_back(1e6 * seconds);
  }
  report.plot(workbook::xy_plot{
      .title = "Any number of blocks",
      .x = {.label = "blocks of 256 threads", .log = true},
      .y = {.label = "time", .unit = "µs", .log = true},
      .series = {{.x = numbers, .y = microseconds, .style = workbook::drawn_as::line_and_points}},
      .references = {{.at = static_cast<double>(processors), .label = "one per multiprocessor", .vertical = true}}});
  report.check_equal("elements wrong, all numbers of blocks together", m.wrong(), 0);
  // The first that takes at most a tenth longer than the fastest.
  const double best = *std::ranges::min_element(microseconds);
  const auto first = std::ranges::find_if(microseconds, [&](double one) { return one <= 1.1 * best; });
  report.prediction(
      given, "blocks",
      first == microseconds.end() ? std::nan("") : numbers[static_cast<std::size_t>(first - microseconds.begin())]);
}

void bad_launches(measurement& m, workbook::report& report) {
  report.heading("What is refused");
  std::size_t attempts = 0, refused = 0;
  const auto attempt = [&](const gs::launch_options& options) {
    ++attempts;
    try {
      m.launch<length_strided>(options);
    } catch (const gs::error& e) {
      ++refused;
      report.paragraph(std::string(e.what()) + ".");
    }
  };
  attempt({.grid = 0, .block = 128});
  attempt({.grid = 8, .block = 1025});
  attempt({.grid = 8, .block = {32, 32, 2}});
  attempt({.grid = 8, .block = {1, 1, 65}});
  attempt({.grid = {1, 65'536}, .block = 128});
  attempt({.grid = -1, .block = 128});
  attempt({.grid = 8, .block = 128, .shared_bytes = 1024});
  report.check_equal("launches refused", refused, attempts);
  m.time<length_strided>({.grid = 3, .block = 1024});
  report.check_equal("elements wrong after all that", m.wrong(), 0);
}

void run(const workbook::parameters& given, workbook::report& report) {
  measurement m(given.size(), given.seed());
  block_sizes(m, given, report);
  lanes_without_a_thread(given, report);
  numbers_of_blocks(m, given, report);
  bad_launches(m, report);
}

workbook::lesson workbook::this_lesson() {
  return {
      .number = 14,
      .name = "launch_configuration",
      .title = "How many threads, in how many blocks",
      .summary = "A sweep over block sizes and numbers of blocks: what is allowed, what is fast, and what is refused.",
      .parameters = {workbook::integer{.name = "size",
                                       .text = "elements",
                                       .min = 1,
                                       .max = 100'000'000,
                                       .default_value = 1'000'000,
                                       .inspected = 10'000},
                     workbook::choice{.name = "capability",
                                      .text = "compute capability for the table of lanes",
                                      .choices = {"9.0", "7.0", "7.5", "8.0", "8.6", "8.9", "10.0", "12.0"}},
                     workbook::integer{.name = "thread_registers",
                                       .text = "registers that a thread takes there; 0: few enough",
                                       .min = 0,
                                       .max = 255,
                                       .default_value = 0}},
      .predictions = {{.name = "single",
                       .question = "How many times as long as blocks of 256 threads do blocks of 1 thread take, one "
                                   "thread for each element?",
                       .unit = "times"},
                      {.name = "idle",
                       .question = "Which part of the lanes that a block of 33 threads takes up has no thread?",
                       .unit = "%"},
                      {.name = "blocks",
                       .question = "How many blocks of 256 threads make this device as fast as it gets?",
                       .unit = "blocks"}},
      .run = run};
}
