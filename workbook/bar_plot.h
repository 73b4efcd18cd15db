#pragma once
// The bar plot.

#include <string>
#include <vector>

#include "workbook/axis.h"
#include "workbook/plot_kind.h"
#include "workbook/samples.h"

namespace workbook {

/// The values of one kind of bar, one per category. NaN: no bar.
struct bars {
  std::string name = {};
  samples values = {};
  samples spread = {};  ///< half the length of an error bar; empty: none
};

/// Bars side by side, in groups: one group per category, one bar in it per entry of `groups`.
struct bar_plot {
  std::string title = {};
  std::string category_label = {};
  std::vector<std::string> categories = {};
  axis value = {};
  std::vector<bars> groups = {};

  void validate() const;
  value_count count_values() const;
  std::vector<std::string> names() const;
  nlohmann::ordered_json to_json() const;
  void write_csv(csv_file& file, const plot_view& view) const;
  std::string to_text(const terminal& t) const;
  picture_size size() const;
  picture_geometry paint(const sheet& s) const;
  std::vector<plot_reading> readings(const crosshair& at) const;

  template <class Archive>
  friend void fields(Archive& a, bar_plot& p) {
    a(p.title, p.category_label, p.categories, p.value, p.groups);
  }
};

}  // namespace workbook
