#pragma once
// The heat map.

#include <cstddef>
#include <string>
#include <vector>

#include "workbook/axis.h"
#include "workbook/plot_kind.h"
#include "workbook/samples.h"

namespace workbook {

/// The first three run from dark to light. `diverging` runs from blue through grey to red, for values of both signs:
/// its grey is zero, unless the range says otherwise.
enum class colour_map { viridis, inferno, grey, diverging };

/// A matrix as colours: `values` row by row, row 0 at the top. `x` and `y` label the axes; without a range they count
/// columns and rows. NaN is drawn as nothing.
struct heat_map {
  std::string title = {};
  axis x = {};
  axis y = {};
  axis value = {};
  std::size_t rows = 0;
  std::size_t columns = 0;
  samples values = {};
  colour_map colours = colour_map::viridis;

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
  friend void fields(Archive& a, heat_map& p) {
    a(p.title, p.x, p.y, p.value, p.rows, p.columns, p.values, p.colours);
  }
};

}  // namespace workbook
