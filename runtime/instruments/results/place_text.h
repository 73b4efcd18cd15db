#pragma once
// What stands in the source at the place of an access, or of an array's creation: of code that is loaded, as g++ has
// noted it (compiler/README.md).

#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/results/finding.h"

namespace gs::inline GS_FLAVOUR::detail {

/// The name of the array made there: "x_device" for `auto x_device = gs::to_device(x);` or
/// `gs::device_array<float> x_device(n);`. The column is that of std::source_location in the call or constructor.
/// Column 0 stands for a place that was found by its code: the one array that is named in that line.
/// Empty if the array has no name there, or nothing was noted.
std::string name_of_array(const source_place& made);

/// Of the arrays that are named in a line, the columns that name_of_array knows them by, in the order of the source.
std::vector<unsigned> columns_of_arrays(const source_place& line);

/// The access as it is written there, blanks drawn together, cut after 60 bytes: "A(i, j + 1)", "s->a[k]"; "x[i]"
/// for gs::atomic_ref(x[i]); and "load(x, i)", where a function takes the index. The column is that of
/// std::source_location in the index. Empty if there is none, or nothing was noted.
std::string text_of_access(const source_place& access);

/// The parts of such a text.
struct access_text {
  std::string object;                ///< "A"
  std::vector<std::string> indices;  ///< "i", "j + 1"
};
/// The parts of the access that is written there; empty if there is none, and where a function is called that makes it.
access_text parts_of_access(const source_place& access);

}  // namespace gs::inline GS_FLAVOUR::detail
