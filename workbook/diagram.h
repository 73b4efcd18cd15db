#pragma once
// The diagram: cells and arrows between them.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "workbook/plot_kind.h"

namespace workbook {

/// A box with a text, in units of the diagram; y grows downwards. Its colour is that of its group; without a group it
/// is the text alone.
struct diagram_cell {
  double x = 0, y = 0;  ///< of its left and upper edge
  double width = 1, height = 1;
  std::string text = {};
  std::optional<std::size_t> group = {};

  template <class Archive>
  friend void fields(Archive& a, diagram_cell& c) {
    a(c.x, c.y, c.width, c.height, c.text, c.group);
  }
};

/// From one cell to another, by their numbers; grey without a group.
struct diagram_arrow {
  std::size_t from = 0, to = 0;
  std::optional<std::size_t> group = {};

  template <class Archive>
  friend void fields(Archive& a, diagram_arrow& arrow) {
    a(arrow.from, arrow.to, arrow.group);
  }
};

/// Shows by a few cells what moves where, or what waits for what.
struct diagram {
  std::string title = {};
  std::vector<std::string> groups = {};  ///< a colour each; the legend names those that have a name
  std::vector<diagram_cell> cells = {};
  std::vector<diagram_arrow> arrows = {};
  double unit_width = 44, unit_height = 28;  ///< points in a picture; less where it would be wider than a page

  /// Adds a cell and returns its number.
  std::size_t add(diagram_cell cell);

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
  friend void fields(Archive& a, diagram& d) {
    a(d.title, d.groups, d.cells, d.arrows, d.unit_width, d.unit_height);
  }
};

}  // namespace workbook
