#pragma once
// The access picture: which lane of a warp touches which element, sector and bank.

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/instruments/results/counters.h"
#include "workbook/plot_kind.h"

namespace workbook {

/// One request of a warp to global memory, drawn by sectors, or to shared memory, drawn by banks.
struct access_picture {
  std::string title = {};
  gs::warp_picture warp = {};
  std::size_t request = 0;  ///< which of warp.requests

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
  friend void fields(Archive& a, access_picture& p) {
    a(p.title, p.warp, p.request);
  }
};

}  // namespace workbook
