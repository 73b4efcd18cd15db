#include "workshop/file_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "runtime/core/error.h"
#include "runtime/core/text_file.h"

namespace workshop {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file, const std::string& asked, std::uint64_t most) {
  return gs::detail::read_text_file(file, asked, most);
}

bool write_text(const fs::path& file, std::string_view text, const std::string& asked, existing if_there, mode_t mode) {
  const auto refuse = [&](int number, const std::string& place = "") {
    const std::string found = place + std::strerror(number),
                      advice = "check that its folder can be written to and the disk has room";
    if (number == ENOSPC || number == EDQUOT || number == EROFS || number == EIO)
      throw gs::machine_error(asked, found, advice);
    throw gs::error(asked, found, advice);
  };
  std::error_code problem;
  const fs::path folder = fs::absolute(file).parent_path();
  fs::create_directories(folder, problem);
  if (problem) refuse(problem.value(), folder.string() + ": ");

  std::string draft = (folder / ".gridstride-XXXXXX").string();
  const int descriptor = mkstemp(draft.data());  // from the start, only the owner can read it
  if (descriptor < 0) refuse(errno);
  const std::shared_ptr<void> gone{nullptr, [&](void*) { unlink(draft.c_str()), close(descriptor); }};
  for (std::string_view left = text; !left.empty();) {
    const ssize_t written = ::write(descriptor, left.data(), left.size());
    if (written < 0 && errno != EINTR) refuse(errno);
    if (written > 0) left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0) refuse(errno);
  if (if_there == existing::keep) {
    if (link(draft.c_str(), file.c_str()) == 0) return true;  // unlike rename, it never replaces a file
    if (errno == EEXIST) return false;
    refuse(errno);
  }
  if (rename(draft.c_str(), file.c_str()) != 0) refuse(errno);
  return true;
}

}  // namespace workshop
