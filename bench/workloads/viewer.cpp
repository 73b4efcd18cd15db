// viewer_diffusion, viewer_input: frames of a live simulation, drawn as without a window; the frames that a
// reader of the diffusion lesson sees, and the time from an input to the picture.

#include <fmt/format.h>
#include <imgui.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include "bench/measure/agreement.h"
#include "bench/workloads/workloads.h"
#include "runtime/core/error.h"
#include "viewer/application/application.h"
#include "viewer/pages/all_pages.h"
#include "viewer/window/offscreen.h"

namespace bench {
namespace {

// Lesson 26 on its page, a step a frame.
class live_diffusion {
 public:
  explicit live_diffusion(std::size_t side, bool plays = true)
      : on_({1280, 720}),
        viewer_(on_, viewer::all_pages(), here(), {.brightness = viewer::brightness::light, .scale = 1.0f}) {
    viewer_.open("Simulation", fmt::format("26_diffusion size={} steps_a_frame=1", side));
    do viewer_.draw_frame();
    while (viewer_.shown().busy());
    if (!plays) return;
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

  // Passes an input and draws until the picture changes: the number of frames that takes. Throws
  // bench::disagreement if they are more than two.
  template <class Input>
  int answer(Input input) {
    const std::vector<ImDrawVert> before = corners();
    input(on_);
    for (int frames = 1; frames <= 2; ++frames) {
      viewer_.draw_frame();
      on_.finish();
      const std::vector<ImDrawVert> now = corners();
      if (now.size() != before.size() || std::memcmp(now.data(), before.data(), now.size() * sizeof now[0]) != 0)
        return frames;
    }
    throw disagreement("viewer_input: two frames after an input the picture is what it was");
  }
  // Until an input has no further effect.
  void rest() {
    for (int k = 0; k < 3; ++k) viewer_.draw_frame();
    on_.finish();
  }

 private:
  static std::vector<ImDrawVert> corners() {
    std::vector<ImDrawVert> all;
    const ImDrawData& picture = *ImGui::GetDrawData();
    for (int n = 0; n < picture.CmdListsCount; ++n)
      all.insert(all.end(), picture.CmdLists[n]->VtxBuffer.begin(), picture.CmdLists[n]->VtxBuffer.end());
    return all;
  }
  static viewer::application::places here() {
    const auto build = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path();
    if (const auto module = build / "lessons" / "26_diffusion.so"; !std::filesystem::exists(module))
      throw gs::machine_error("frames of lesson 26", module.string() + " isn't there", "build it, or copy it there");
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

// Inputs to the page at rest, each with its reverse.
contest prepare_input(std::size_t side) {
  const auto live = std::make_shared<live_diffusion>(side, false);
  const ImVec2 field{640, 300};
  contest c;
  const auto add = [&](const char* what, auto first, auto second) {
    live->rest();
    const int frames = live->answer(first);
    live->rest();
    live->answer(second);
    c.add(fmt::format("{}, after {} {}", what, frames, frames == 1 ? "frame" : "frames"), role::ours, repeated([=] {
            live->answer(first);
            live->answer(second);
          }));
  };
  add("crosshair", [=](auto& on) { on.mouse = field; }, [=](auto& on) { on.mouse = {field.x + 20, field.y}; });
  add("zoom", [](auto& on) { on.wheel = 1; }, [](auto& on) { on.wheel = -1; });
  add("help", [](auto& on) { on.text = "?"; }, [](auto& on) { on.text = "?"; });
  return c;
}

}  // namespace

workload viewer_input(std::size_t side) {
  return {.name = "viewer_input",
          .text = "two inputs, each until the viewer's picture at 1280 x 720 shows it",
          .elements = side * side,
          .dtype = "float32",
          .memory = 12 * side * side * sizeof(float),
          .wanted = demand{demand::in_seconds, 4 / 30.0, "twice 2 frames of 30/s"},
          .prepare = [=] { return prepare_input(side); }};
}

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
