#pragma once
// A file of comma-separated values.

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "workbook/axis.h"

namespace workbook {

/// Every number is written so that reading it gives the same number; texts are quoted where RFC 4180 asks for it. All
/// functions throw gs::error if the file can't be written.
class csv_file {
 public:
  explicit csv_file(const std::string& path);
  ~csv_file();
  csv_file(const csv_file&) = delete;
  csv_file& operator=(const csv_file&) = delete;

  /// The next cell of the line.
  void put(const std::string& text);
  void put(double v);
  void end_line();
  void close();

 private:
  void separate();
  void write();
  void require(bool done) const;

  std::string path_;
  std::FILE* file_;
  fmt::memory_buffer line_;
  bool begun_ = false;
};

/// What a column is called: the axis' title, or if it has none the name given.
std::string column_name(const axis& a, const char* otherwise);

}  // namespace workbook
