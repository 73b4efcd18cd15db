#include "assessments/grader/file_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "runtime/core/error.h"

namespace grader {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file, const std::string& asked, std::uint64_t most) {
  std::error_code problem;
  const fs::file_status status = fs::status(file, problem);
  if (!fs::exists(status)) throw gs::error(asked, "there is no such file", "check its name");
  if (!fs::is_regular_file(status)) throw gs::error(asked, "it is no regular file", "give a file");
  if (fs::file_size(file, problem) > most)
    throw gs::error(asked, "it has more than " + std::to_string(most) + " bytes", "check its name");
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw gs::error(asked, "it can't be read", "give yourself the right to");
  return text;
}

bool write_text(const fs::path& file, std::string_view text, const std::string& asked, existing if_there, mode_t mode) {
  const auto refuse = [&](const std::string& found) {
    throw gs::error(asked, found, "check that its folder can be written to and the disk has room");
  };
  std::error_code problem;
  const fs::path folder = fs::absolute(file).parent_path();
  fs::create_directories(folder, problem);
  if (problem) refuse(folder.string() + ": " + problem.message());

  std::string draft = (folder / ".gridstride-XXXXXX").string();
  const int descriptor = mkstemp(draft.data());  // only the owner can read it, from the first moment on
  if (descriptor < 0) refuse(std::strerror(errno));
  const std::shared_ptr<void> gone{nullptr, [&](void*) { unlink(draft.c_str()), close(descriptor); }};
  for (std::string_view left = text; !left.empty();) {
    const ssize_t written = ::write(descriptor, left.data(), left.size());
    if (written < 0 && errno != EINTR) refuse(std::strerror(errno));
    if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0) refuse(std::strerror(errno));
  if (if_there == existing::keep) {
    if (link(draft.c_str(), file.c_str()) == 0) return true;  // unlike rename, it never takes another's place
    if (errno == EEXIST) return false;
    refuse(std::strerror(errno));
  }
  if (rename(draft.c_str(), file.c_str()) != 0) refuse(std::strerror(errno));
  return true;
}

}  // namespace grader
