#pragma once
// The timeline: what ran when, as bars in rows.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/device/timeline.h"
#include "workbook/axis.h"
#include "workbook/plot_kind.h"

namespace workbook {

/// A piece of work, from `start` to `stop` on the time axis. NaN: it wasn't timed.
struct timeline_bar {
  std::size_t row = 0;    ///< from 0, downwards
  std::size_t group = 0;  ///< its colour
  double start = 0, stop = 0;
  std::string text = {};

  template <class Archive>
  friend void fields(Archive& a, timeline_bar& b) {
    a(b.row, b.group, b.start, b.stop, b.text);
  }
};

/// What ran when, a row for each queue.
struct timeline {
  std::string title = {};
  axis time = {.label = "time", .unit = "ms"};
  std::vector<std::string> rows = {};    ///< their names, from the top
  std::vector<std::string> groups = {};  ///< kinds of work
  std::vector<timeline_bar> bars = {};

  /// Of what has been recorded, in ms: a row for each stream, a group for each kind of work.
  static timeline of(std::string title, std::span<const gs::timeline_entry> entries);

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
  friend void fields(Archive& a, timeline& t) {
    a(t.title, t.time, t.rows, t.groups, t.bars);
  }
};

}  // namespace workbook
