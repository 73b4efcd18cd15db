#include "runtime/core/text_file.h"

#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR::detail {

namespace fs = std::filesystem;

std::string read_text_file(const fs::path& file, const std::string& asked, std::uint64_t max_bytes) {
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (status.type() == fs::file_type::none) throw error(asked, problem.message(), "give yourself the right to read it");
  if (!fs::exists(status)) throw error(asked, "there is no such file", "check its name");
  if (!fs::is_regular_file(status)) throw error(asked, "it is no regular file", "give a file");
  if (fs::file_size(file, problem) > max_bytes)
    throw error(asked, "it has more than " + std::to_string(max_bytes) + " bytes", "check its name");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw error(asked, "it can't be read", "give yourself the right to");
  return std::move(text).str();
}

}  // namespace gs::inline GS_FLAVOUR::detail
