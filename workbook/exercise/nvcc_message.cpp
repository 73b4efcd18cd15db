#include "workbook/exercise/nvcc_message.h"

#include <charconv>

namespace workbook {

std::optional<nvcc_message> read_nvcc_message(std::string_view line) {
  const std::size_t end = line.find("): "), begin = line.substr(0, end).rfind('(');
  if (end == line.npos || begin == line.npos || begin == 0) return std::nullopt;
  nvcc_message m{.file = line.substr(0, begin)};
  const auto read = std::from_chars(line.data() + begin + 1, line.data() + end, m.line);
  if (read.ec != std::errc{} || read.ptr != line.data() + end) return std::nullopt;
  line.remove_prefix(end + 3);
  m.error = line.starts_with("error") || line.starts_with("catastrophic error");
  const std::size_t text = line.find(": ");
  if ((!m.error && !line.starts_with("warning")) || text == line.npos) return std::nullopt;
  m.text = line.substr(text + 2);
  return m;
}

}  // namespace workbook
