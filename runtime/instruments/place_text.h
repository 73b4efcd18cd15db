#pragma once
// What stands in the source at the place of an access, or of an array's creation.

#include <string>
#include <vector>

#include "runtime/core/config.h"
#include "runtime/instruments/finding.h"

namespace gs::inline GS_FLAVOUR {

/// The name of the array made there: "x_device" for `auto x_device = gs::to_device(x);` or
/// `gs::device_array<float> x_device(n);`. The column is that of std::source_location in the call or constructor.
/// Empty if the array has no name there, or the file can't be read.
std::string name_of_array(const source_place& made);

/// The access as it is written there, blanks drawn together, cut after 60 bytes: "A(i, j + 1)", "s->a[k]"; "x[i]"
/// for gs::atomic_ref(x[i]). The column is that of std::source_location in the index. Empty if there is none, or the
/// file can't be read.
std::string text_of_access(const source_place& access);

/// The parts of such a text.
struct access_text {
  std::string object;                ///< "A"
  std::vector<std::string> indices;  ///< "i", "j + 1"
};
/// The parts of the access that is written there; empty if there is none.
access_text parts_of_access(const source_place& access);

}  // namespace gs::inline GS_FLAVOUR
