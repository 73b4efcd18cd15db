#include "viewer/text/file_text.h"

#include <fstream>
#include <iterator>

namespace viewer {

std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace viewer
