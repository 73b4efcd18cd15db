#include "workbook/plot/csv_file.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "runtime/core/error.h"
#include "workbook/plot/scale.h"

namespace workbook {

csv_file::csv_file(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
  require(file_ != nullptr);
}

csv_file::~csv_file() {
  if (file_ != nullptr) std::fclose(file_);
}

void csv_file::put(const std::string& text) {
  separate();
  if (text.find_first_of(",\"\r\n") == text.npos) {
    line_.append(text);
    return;
  }
  line_.push_back('"');
  for (const char c : text) {
    if (c == '"') line_.push_back('"');
    line_.push_back(c);
  }
  line_.push_back('"');
}

void csv_file::put(double v) {
  separate();
  if (std::isnan(v))
    line_.append(std::string_view("NaN"));
  else
    fmt::format_to(std::back_inserter(line_), "{}", v);
}

void csv_file::end_line() {
  line_.push_back('\n');
  begun_ = false;
  if (line_.size() > 65536) write();
}

void csv_file::close() {
  write();
  require(std::fclose(std::exchange(file_, nullptr)) == 0);
}

void csv_file::separate() {
  if (begun_) line_.push_back(',');
  begun_ = true;
}

void csv_file::write() {
  require(std::fwrite(line_.data(), 1, line_.size(), file_) == line_.size());
  line_.clear();
}

void csv_file::require(bool done) const {
  if (!done)
    throw gs::error(fmt::format("writing the file {}", path_), std::strerror(errno),
                    "check that the folder can be written to and the disk has room");
}

std::string column_name(const axis& a, const char* otherwise) {
  const std::string title = axis_title(a);
  return title.empty() ? otherwise : title;
}

}  // namespace workbook
