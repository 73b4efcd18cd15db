#pragma once
// Plots in an off-screen window, operated by a test.

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "viewer/fonts.h"
#include "viewer/keys.h"
#include "viewer/plot/plot_widget.h"
#include "viewer/window/null_surface.h"
#include "workbook/plot.h"

namespace viewer_test {

using viewer::brightness;
using viewer::linked_view;
using viewer::plot_widget;
using viewer::theme;

/// `plots` side by side, each `each` pixels large, on a surface that is as large as they need.
template <class S>
class driven_plots {
 public:
  driven_plots(std::vector<workbook::plot> plots, ImVec2 size_of_each, brightness b = brightness::light,
               float scale = 1, bool linked = false)
      : on({size_of_each.x * static_cast<float>(plots.size()), size_of_each.y}),
        look(viewer::make_theme(b, scale)),
        each_(size_of_each),
        linked_(linked) {
    viewer::load_fonts(look, viewer::find_fonts());
    viewer::apply(look);
    on.fonts_changed();
    for (auto& p : plots) widgets.emplace_back(std::make_shared<const workbook::plot>(std::move(p)));
    frames(2);
  }

  void frame() {
    on.begin_frame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::Begin("plots", nullptr, ImGuiWindowFlags_NoDecoration);
    for (std::size_t k = 0; k < widgets.size(); ++k) {
      ImGui::SetCursorScreenPos({each_.x * static_cast<float>(k), 0});
      widgets[k].draw(fmt::format("plot {}", k).c_str(), each_, look, linked_ ? &link : nullptr);
    }
    ImGui::End();
    ImGui::PopStyleVar();
    on.end_frame();
  }
  void frames(int n) {
    for (int k = 0; k < n; ++k) frame();
  }
  /// Until nothing goes on in the background.
  void settle() {
    const auto busy = [&] {
      bool any_shown = false;
      for (const auto& w : widgets) any_shown = any_shown || w.working();
      return any_shown;
    };
    frame();
    for (int k = 0; k < 3000 && busy(); ++k) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      frame();
    }
    frames(2);
  }

  plot_widget& widget(std::size_t k = 0) { return widgets[k]; }

  /// A place of a plot's data box, from 0 to 1 to the right and downwards, in pixels of the surface.
  ImVec2 point_inside(double right, double down, std::size_t k = 0) {
    const workbook::box& plot = widgets[k].geometry().plot;
    return pixel({plot.left + right * plot.width, plot.top + down * plot.height}, k);
  }
  ImVec2 pixel(workbook::position p, std::size_t k = 0) {
    return {each_.x * static_cast<float>(k) + static_cast<float>(p.x) * look.scale,
            static_cast<float>(p.y) * look.scale};
  }

  void point(ImVec2 at) {
    on.mouse = at;
    frame();
  }
  void click(ImVec2 at, int button = 0) {
    point(at);
    on.buttons[button] = true;
    frame();
    on.buttons[button] = false;
    frame();
  }
  void drag(ImVec2 from, ImVec2 to, int button = 0) {
    point(from);
    on.buttons[button] = true;
    frame();
    point({(from.x + to.x) / 2, (from.y + to.y) / 2});
    point(to);
    on.buttons[button] = false;
    frame();
    frame();
  }
  void turn_wheel(ImVec2 at, float by) {
    point(at);
    on.wheel = by;
    frame();
    frame();
  }
  void press(int key) {
    on.keys = {key};
    frame();
    on.keys = {};
    frame();
  }
  void type(const char* text) {
    on.text = text;
    frame();
    frame();
  }
  /// Waits until a click isn't the second of two.
  void pause() { frames(40); }

  S on;
  theme look;
  linked_view link;
  std::vector<plot_widget> widgets;

 private:
  ImVec2 each_;
  bool linked_;
};

}  // namespace viewer_test
