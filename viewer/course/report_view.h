#pragma once
// A report in the window: what a lesson found, item by item.

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/instruments/results/finding.h"
#include "viewer/plot/plot_widget.h"
#include "viewer/theme.h"
#include "workbook/report.h"

namespace viewer {

class report_view {
 public:
  using items = std::vector<std::shared_ptr<const workbook::item>>;

  /// Draws the items at ImGui's cursor, as wide as there is room. Returns the place in the source that was pressed in a
  /// finding. Plots keep their zoom as long as their item, or one of the same place and kind, is shown.
  std::optional<gs::source_place> draw(const items& entries, const theme& look);

  /// Whether a plot is still being read, so that its picture will change.
  bool working() const;

 private:
  plot_widget& widget_of(std::size_t position, const std::shared_ptr<const workbook::item>& item);

  struct shown_plot {
    std::shared_ptr<const workbook::item> item;
    plot_widget widget;
  };
  std::map<std::size_t, shown_plot> plots_;  // by position in the report
};

}  // namespace viewer
