#pragma once
// The plots of a report as files: NN_name-title.svg and .png.

#include <string>
#include <vector>

#include "workbook/report.h"

namespace workbook {

/// A folder that pictures are written to.
class picture_folder {
 public:
  /// Makes the folder if need be. Throws gs::error if that can't be done or nothing can be written into it, so that
  /// a lesson fails before its long work and not after it.
  explicit picture_folder(std::string path);

  /// Writes every plot twice, as SVG and as PNG with two pixels per point, and returns the files' names. Two plots of
  /// one title are told apart by a number. Throws gs::error if a file can't be written.
  std::vector<std::string> write(const report& r) const;

 private:
  std::string path_;
};

/// A title as a part of a file name: "Time per element (ns)" -> "time-per-element-ns"; "plot" if nothing is left.
std::string slug(const std::string& title);

}  // namespace workbook
