#include "viewer/text/file_text.h"

#include "runtime/core/error.h"
#include "runtime/core/text_file.h"

namespace viewer {

std::string text_of_file(const std::filesystem::path& file) {
  return gs::detail::read_text_file(file, "reading " + file.string());
}

std::string shown_text_of_file(const std::filesystem::path& file) {
  try {
    return text_of_file(file);
  } catch (const gs::error& e) {
    return e.what();
  }
}

}  // namespace viewer
