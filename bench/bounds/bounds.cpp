// gridstride-bounds: the least times of ten kernels on a GPU, by their work, beside what they take where there is one.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bounds/cases.h"
#include "runtime/gs.h"
#include "runtime/instruments/device_model/time_bound.h"
#include "workbook/lesson.h"

namespace bench::bounds {
namespace {

constexpr std::size_t warm_ups = 2, runs = 15;

std::vector<std::string> cards() {
  std::vector<std::string> names;
  for (const gs::device_model& model : gs::device_models()) names.emplace_back(model.card);
  return names;
}

struct times {
  double median, best;
};

// Of the device's own clock, around each launch.
times timed(const std::function<void()>& run) {
  for (std::size_t k = 0; k < warm_ups; ++k) run();
  std::vector<double> seconds;
  for (std::size_t k = 0; k < runs; ++k) {
    gs::event start, stop;
    start.record();
    run();
    stop.record();
    stop.synchronize();
    seconds.push_back(seconds_between(start, stop));
  }
  std::ranges::sort(seconds);
  return {seconds[runs / 2], seconds.front()};
}

void run(const workbook::parameters& given, workbook::report& report) {
  const gs::device_model& model = gs::model_of(given.choice("model"));
  const std::vector<bounded_launch> launches = bounded_launches(given.size("elements"), given.size("side"));
  const bool on_gpu = gs::current_device() == gs::device_kind::cuda;
  report.heading("What bounds them");
  auto& bounds = report.table("Least times of a launch on " + std::string(model.card),
                              {"kernel", "memory", "L1 cache", "shared memory", "arithmetic", "bound", "limit"});
  for (const bounded_launch& l : launches) {
    const gs::time_bound bound = time_bound_of(model, l.work);
    const auto by = [&](gs::time_limit limit) { return workbook::seconds(bound.seconds_of(limit)); };
    bounds.row(l.name, by(gs::time_limit::memory), by(gs::time_limit::l1_cache), by(gs::time_limit::shared_memory),
               by(gs::time_limit::arithmetic), workbook::seconds(bound.seconds()), to_string(bound.limited_by()));
  }
  if (!on_gpu) {
    report.paragraph("Nothing was timed: the current device is no GPU. --target cuda chooses it, where there is one.");
    return;
  }

  const gs::device_info& gpu = gs::device();
  report.heading("And what they take");
  report.paragraph(gpu.name + ", " + std::to_string(gpu.multiprocessors) + " multiprocessors. Median and best of " +
                   std::to_string(runs) + " launches, by events before and after each.");
  report.check_equal("multiprocessors, as the model has them", gpu.multiprocessors, model.multiprocessors);
  auto& table = report.table("Times and bounds", {"kernel", "bound", "limit", "median", "best", "median / bound"});
  for (const bounded_launch& l : launches) {
    const prepared_launch launch = l.prepare();
    launch.run();
    report.check(l.name + " is right", launch.is_right());
    const times t = timed(launch.run);
    const gs::time_bound bound = time_bound_of(model, l.work);
    table.row(l.name, workbook::seconds(bound.seconds()), to_string(bound.limited_by()), workbook::seconds(t.median),
              workbook::seconds(t.best), t.median / bound.seconds());
  }
}

}  // namespace
}  // namespace bench::bounds

workbook::lesson workbook::this_lesson() {
  return {.name = "bounds",
          .title = "Bounds of kernels, and their times",
          .summary = "The least times of ten kernels on a GPU, by what they move and compute, beside their times.",
          .parameters = {workbook::integer{.name = "elements",
                                           .text = "floats of an array, a multiple of 1,024",
                                           .min = 1024,
                                           .max = 2'147'483'648,
                                           .default_value = 134'217'728,
                                           .inspected = 8192},
                         workbook::integer{
                             .name = "side",
                             .text = "rows and columns of a product, a multiple of 32; transposes have twice as many",
                             .min = 32,
                             .max = 32'768,
                             .default_value = 4096,
                             .inspected = 64},
                         workbook::choice{.name = "model",
                                          .text = "the GPU that the bounds are of",
                                          .choices = bench::bounds::cards(),
                                          .default_value = "H100 SXM"}},
          .run = bench::bounds::run};
}
