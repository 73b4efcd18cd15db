#pragma once
// The recorded timeline of a run as JSON: written by a lesson's program (--timeline FILE), read by the viewer.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/timeline.h"

namespace workbook {

/// What a lesson did on its device, in the order in which it was queued.
struct run_timeline {
  std::string program = {};  ///< "34_streams_and_overlap"
  std::string title = {};
  std::string device = {};
  std::vector<gs::timeline_entry> entries = {};
};

/// "schema": "gridstride-timeline".
std::string to_json(const run_timeline& t);

/// Throws gs::error that begins with `asked` if the text is no such document.
run_timeline read_run_timeline(std::string_view text, const std::string& asked);

}  // namespace workbook
