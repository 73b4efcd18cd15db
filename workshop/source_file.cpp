#include "workshop/source_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "runtime/core/error.h"
#include "runtime/host/descriptor.h"

namespace workshop {

bool is_header_name(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".h" || ending == ".hpp" || ending == ".hh" || ending == ".cuh";
}

bool is_c_name(const std::filesystem::path& file) { return file.extension() == ".c"; }

source_file read_source(const std::filesystem::path& path, const std::string& purpose) {
  const std::string asked = purpose + " " + path.string();
  const auto refuse = [&] {
    throw gs::error(asked, std::system_category().message(errno), "give a file that can be read");
  };
  const gs::detail::descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.open() && errno == ELOOP)
    throw gs::error(asked, "it is a symbolic link", "give the file that it points to");
  if (!file.open()) refuse();
  struct stat status{};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
    throw gs::error(asked, "it isn't a regular file", "give a C++ source file");
  const auto refuse_size = [&](std::size_t bytes) {
    if (bytes > largest_source)
      throw gs::error(asked, fmt::format("it has {:.1f} MB", static_cast<double>(bytes) / 1e6),
                      "give a source file of at most 1 MB");
  };
  refuse_size(static_cast<std::size_t>(status.st_size));
  source_file source{.path = path, .text = {}};
  std::array<char, 1 << 16> piece;
  ssize_t n = 0;
  while ((n = read(file.number(), piece.data(), piece.size())) > 0) {
    source.text.append(piece.data(), static_cast<std::size_t>(n));
    refuse_size(source.text.size());  // it may grow while it is read
  }
  if (n < 0) refuse();
  return source;
}

}  // namespace workshop
