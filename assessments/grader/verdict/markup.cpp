#include "assessments/grader/verdict/markup.h"

#include "runtime/core/printable.h"

namespace grader {

using gs::detail::printable;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char letter : printable(text)) switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += letter;
    }
  return out;
}

}  // namespace grader
