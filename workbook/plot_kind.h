#pragma once
// What a kind of plot offers: a struct with its data, and the functions below, which everything that shows or writes
// plots calls. They are defined in plot_kinds/.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "workbook/samples.h"

namespace workbook {

class csv_file;           // plot/csv_file.h
struct crosshair;         // picture/readings.h
struct picture_geometry;  // picture/picture.h
struct picture_size;      // picture/picture.h
struct plot_reading;      // picture/readings.h
struct plot_view;         // plot/plot_view.h
struct sheet;             // picture/picture.h
struct terminal;          // terminal/terminal.h

/// How many values a plot has, and how many of them are NaN.
struct value_count {
  std::size_t values = 0, nan = 0;

  void add(const samples& s);
};

/// The functions of a kind of plot. It also has a title, and says what it consists of by a friend
/// fields(archive, kind); see stream/archive.h.
template <class Kind>
concept plot_kind = requires(const Kind& kind) {
  kind.title;
  // Throws gs::error if its parts don't fit together.
  static_cast<void (Kind::*)() const>(&Kind::validate);
  static_cast<value_count (Kind::*)() const>(&Kind::count_values);
  // What can be hidden, such as its series; a name may be empty.
  static_cast<std::vector<std::string> (Kind::*)() const>(&Kind::names);
  // Its object in a report's JSON document, whose first member is its "kind".
  static_cast<nlohmann::ordered_json (Kind::*)() const>(&Kind::to_json);
  // The rows that a view shows, a header first.
  static_cast<void (Kind::*)(csv_file&, const plot_view&) const>(&Kind::write_csv);
  // In characters, in UTF-8; ends in a line break.
  static_cast<std::string (Kind::*)(const terminal&) const>(&Kind::to_text);
  // Of an SVG or PNG file.
  static_cast<picture_size (Kind::*)() const>(&Kind::size);
  // In files and in the viewer's window.
  static_cast<picture_geometry (Kind::*)(const sheet&) const>(&Kind::paint);
  // What the viewer says beside the crosshair; never called for a picture without scales.
  static_cast<std::vector<plot_reading> (Kind::*)(const crosshair&) const>(&Kind::readings);
};

/// The kind itself. If it isn't one, the compiler names the functions that it lacks.
template <plot_kind Kind>
using complete_kind = Kind;

}  // namespace workbook
