#include "courses/finding.h"

#include "runtime/core/printable.h"

namespace courses {

std::string to_string(const finding& f) { return gs::detail::printable(f.place + ": " + f.text); }

std::string to_string(const std::vector<finding>& findings) {
  std::string text;
  for (const finding& f : findings) text += to_string(f) + "\n";
  return text;
}

}  // namespace courses
