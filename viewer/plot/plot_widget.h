#pragma once
// A plot in the window: the plot model drawn by ImGui, to be zoomed, moved and read off.
//
//   wheel           zooms around the mouse; with Shift only x, with Ctrl only y
//   drag            moves; with the right button draws a box to zoom into
//   double click    shows everything again
//   legend          a click hides or shows a series
// The menu (right click without dragging) saves the picture as PNG or SVG and the data as CSV, all or what is visible.

#include <imgui.h>

#include <memory>
#include <optional>

#include "viewer/theme.h"
#include "workbook/plot.h"

namespace viewer {

/// Plots that share one of these move together and show one crosshair.
struct linked_view {
  struct range {
    double low, high;
  };
  std::optional<range> x, y;                       ///< visible part, in data units; nothing: all
  std::optional<double> crosshair_x, crosshair_y;  ///< where the mouse is, in data units; cleared where it isn't
};

class plot_widget {
 public:
  explicit plot_widget(std::shared_ptr<const workbook::plot> shown);
  ~plot_widget();
  plot_widget(plot_widget&&) noexcept;
  plot_widget& operator=(plot_widget&&) noexcept;

  /// Other data of the same kind; zoom and hidden series stay.
  void set(std::shared_ptr<const workbook::plot> shown);
  const workbook::plot& shown() const;

  /// Draws it at ImGui's cursor, `size` pixels large; `label` tells widgets apart ("##name" as ImGui has it).
  void draw(const char* label, ImVec2 size, const theme& look, linked_view* link = nullptr);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace viewer
