#include "courses/finding.h"

#include "runtime/core/printable.h"

namespace courses {

std::string to_string(const finding& f) { return gs::printable(f.place + ": " + f.text); }

std::string to_string(const std::vector<finding>& all) {
  std::string text;
  for (const finding& f : all) text += to_string(f) + "\n";
  return text;
}

}  // namespace courses
