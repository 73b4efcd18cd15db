// viewer: frames of a live simulation, drawn as without a window; what a reader sees who watches diffusion.

#include <fmt/format.h>

#include <filesystem>

#include "bench/workloads/workloads.h"
#include "viewer/application.h"
#include "viewer/pages/all_pages.h"
#include "viewer/window/offscreen.h"

namespace bench {
namespace {

// Lesson 26 as it plays, a step a frame.
class live_diffusion {
 public:
  explicit live_diffusion(std::size_t side)
      : on_({1280, 720}),
        viewer_(on_, viewer::all_pages(), here(), {.brightness = viewer::brightness::light, .scale = 1.0f}) {
    viewer_.open("Simulation", fmt::format("26_diffusion size={} steps_a_frame=1", side));
    do viewer_.draw_frame();
    while (viewer_.shown().busy());
    on_.keys = {'P'};
    viewer_.draw_frame();
    on_.keys.clear();
  }

  // Until the picture shows a step that the last one didn't.
  void next_frame() {
    const std::string before = viewer_.status();
    do {
      viewer_.wait();
      viewer_.draw_frame();
    } while (viewer_.status() == before);
    on_.finish();
  }

 private:
  static viewer::application::places here() {
    const auto build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
    return {.root = {}, .build = build, .my = {}};
  }

  viewer::offscreen on_;
  viewer::application viewer_;
};

contest prepare(std::size_t side) {
  contest c;
  c.add("drawn by EGL", role::ours, repeated([live = std::make_shared<live_diffusion>(side)] { live->next_frame(); }));
  return c;
}

}  // namespace

workload viewer_diffusion(std::size_t side) {
  const double least = side > 1000 ? 30 : 60;
  return {.name = "viewer_diffusion_" + std::to_string(side),
          .text = "a frame of the viewer at 1280 x 720: a step, three fields home, six plots drawn",
          .elements = side * side,
          .dtype = "float32",
          .memory = 12 * side * side * sizeof(float),
          .wanted = demand{demand::in_seconds, 1 / least, fmt::format("{:.0f} frames/s", least)},
          .prepare = [=] { return prepare(side); }};
}

}  // namespace bench
