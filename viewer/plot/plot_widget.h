#pragma once
// A plot in the window: the plot model drawn by ImGui, to be zoomed, moved and read off.
//
//   wheel           zooms around the mouse; with Shift only x, with Ctrl only y (once the mouse has moved over the
//   plot:
//                   a page that is being scrolled goes on scrolling when a plot comes under the mouse)
//   drag            moves; with the right button draws a box to zoom into
//   double click    shows everything again
//   legend          a click hides or shows a series
// The menu (right click without dragging) saves the picture as PNG or SVG and the data as CSV, all or what is visible,
// and asks where.
//
// With the keyboard: Enter on a plot (or a click) enters it, Esc leaves. Then the arrows lead the crosshair, with Shift
// they move the plot, + and - zoom, with Ctrl as for the wheel, 0 and Home show everything, 1 to 9 hide and show a
// series, M opens the menu.

#include <imgui.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/theme.h"
#include "workbook/picture/picture.h"
#include "workbook/picture/readings.h"
#include "workbook/plot.h"

namespace viewer {

/// Plots that share one of these move together and show one crosshair.
struct linked_view {
  struct range {
    double low, high;
  };
  std::optional<range> x, y;                       ///< visible part, in data units; nothing: all
  std::optional<double> crosshair_x, crosshair_y;  ///< in data units; cleared where there is none
};

/// The colours of a picture that stands in the window.
workbook::look look_of(const theme& t);

class plot_widget {
 public:
  explicit plot_widget(std::shared_ptr<const workbook::plot> shown);
  ~plot_widget();
  plot_widget(plot_widget&&) noexcept;
  plot_widget& operator=(plot_widget&&) noexcept;

  /// Other data of the same kind; zoom and hidden series stay, and the room for numbers only grows.
  void set(std::shared_ptr<const workbook::plot> shown);
  const workbook::plot& shown() const;

  /// Draws it at ImGui's cursor, `size` pixels large; `label` tells widgets apart ("##name" as ImGui has it).
  void draw(const char* label, ImVec2 size, const theme& look, linked_view* link = nullptr);

  /// Whether another frame will show more, without any input: while data is read or a file written.
  bool working() const;
  /// The folder that the menu proposes; at first the current one, then that of the last file.
  void save_into(std::filesystem::path folder);

  /// What is shown, and where the last frame drew it, in points from the widget's corner.
  const workbook::plot_view& view() const;
  const workbook::picture_geometry& geometry() const;

  /// The lines beside the crosshair.
  const std::vector<workbook::plot_reading>& readings() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace viewer
