#pragma once
// A table of texts in characters: columns aligned under their heads.

#include <string>
#include <vector>

#include "workbook/terminal/terminal.h"

namespace workbook {

struct text_grid {
  std::string title;
  std::vector<std::string> head;
  std::vector<bool> right;                      ///< which columns are aligned right; as many as in the head
  std::vector<std::vector<std::string>> lines;  ///< each as long as the head
};

/// The table, its title in bold. On a terminal a line too long for the window is cut rather than broken: broken tables
/// can't be read.
std::string to_text(const text_grid& g, const terminal& t);

}  // namespace workbook
