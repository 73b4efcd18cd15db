#pragma once
// nvcc_message: a message of nvcc's own front end, whose form isn't g++'s.

#include <optional>
#include <string_view>

namespace workbook {

struct nvcc_message {
  std::string_view file = {}, text = {};  ///< parts of the line; the text is what stands behind the kind and its number
  int line = 0;
  bool error = false;  ///< else a warning
};

/// Reads "file(12): error: text", "file(12): catastrophic error: text" and "file(12): warning #177-D: text". Nothing
/// for any other line.
std::optional<nvcc_message> read_nvcc_message(std::string_view line);

}  // namespace workbook
