// viewer_line, viewer_heat_map: frames of a single plot, drawn as without a window: a long line that is zoomed and
// moved, and a field that is another in every frame.

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

#include "bench/workloads/workloads.h"
#include "viewer/fonts.h"
#include "viewer/plot/plot_widget.h"
#include "viewer/window/offscreen.h"

namespace bench {
namespace {

class drawn_plot {
 public:
  explicit drawn_plot(workbook::plot p)
      : on_({1280, 720}),
        look_(viewer::make_theme(viewer::brightness::light, 1)),
        plot_(std::make_shared<const workbook::plot>(std::move(p))) {
    load_fonts(look_, viewer::find_fonts());
    apply(look_);
    on_.fonts_changed();
    do {
      draw();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (plot_.working());
  }

  void draw() {
    on_.begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(on_.size);
    ImGui::Begin("plot", nullptr, ImGuiWindowFlags_NoDecoration);
    plot_.draw("plot", ImGui::GetContentRegionAvail(), look_);
    ImGui::End();
    on_.end_frame();
    on_.finish();
  }

  // Ten frames into the middle, ten to the side, ten back out.
  void draw_next() {
    const int k = frame_++ % 30;
    if (k == 0) on_.mouse = {640, 360};
    if (k < 10) on_.wheel = 1;
    if (k == 10) on_.buttons[0] = true;
    if (k >= 10 && k < 20) on_.mouse.x += 30;
    if (k == 20) on_.buttons[0] = false;
    if (k > 20) on_.wheel = -1;
    draw();
  }

  void set(workbook::plot p) { plot_.set(std::make_shared<const workbook::plot>(std::move(p))); }

 private:
  viewer::offscreen on_;
  viewer::theme look_;
  viewer::plot_widget plot_;
  int frame_ = 0;
};

workbook::plot noise(std::size_t points) {
  std::vector<float> y(points);
  std::minstd_rand draw(1);
  for (float& v : y) v = static_cast<float>(draw()) / static_cast<float>(std::minstd_rand::max());
  return workbook::xy_plot{.title = "Noise", .series = {{.name = "noise", .y = std::move(y)}}};
}

workbook::plot field(std::size_t side, float level) {
  std::vector<float> values(side * side, level);
  return workbook::heat_map{.title = "A field", .rows = side, .columns = side, .values = std::move(values)};
}

}  // namespace

workload viewer_line(std::size_t points) {
  return {.name = "viewer_line",
          .text = "a frame of the viewer at 1280 x 720: a line zoomed and moved",
          .elements = points,
          .dtype = "float32",
          .memory = points * sizeof(float) * 5 / 4,
          .wanted = demand{demand::in_seconds, 1 / 30.0, "30 frames/s"},
          .prepare = [points] {
            contest c;
            c.add("drawn by EGL", role::ours,
                  repeated([plot = std::make_shared<drawn_plot>(noise(points))] { plot->draw_next(); }));
            return c;
          }};
}

workload viewer_heat_map(std::size_t side) {
  return {.name = "viewer_heat_map",
          .text = "a frame of the viewer at 1280 x 720: another field in every frame",
          .elements = side * side,
          .dtype = "float32",
          .memory = 4 * side * side * sizeof(float),
          .wanted = demand{demand::in_seconds, 1 / 30.0, "30 frames/s"},
          .prepare = [side] {
            contest c;
            c.add("drawn by EGL", role::ours,
                  repeated([side, level = 0.0f, plot = std::make_shared<drawn_plot>(field(side, 0))]() mutable {
                    plot->set(field(side, level += 1));
                    plot->draw();
                  }));
            return c;
          }};
}

}  // namespace bench
