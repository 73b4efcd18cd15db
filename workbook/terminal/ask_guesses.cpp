#include "workbook/terminal/ask_guesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "runtime/core/error.h"
#include "workbook/terminal/text_layout.h"

namespace workbook {
namespace {

// What was typed, without blanks around it.
std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

}  // namespace

void ask_guesses(parameters& values, std::istream& in, std::ostream& out, const terminal& t) {
  const auto say = [&](const std::string& text) { out << (t.unicode ? text : to_ascii(text)) << std::flush; };
  for (const prediction& p : values.predictions()) {
    if (values.guess(p.name)) continue;
    say(wrap(p.question, std::min(t.width, widest_prose)));
    while (true) {
      say(fmt::format("Your guess{} (Enter skips): ", p.unit.empty() ? "" : ", in " + p.unit));
      std::string line;
      if (!std::getline(in, line)) {
        say("\n");
        return;
      }
      const std::string typed = trimmed(line);
      if (typed.empty()) break;
      try {
        values.set_guess(p.name, typed);
        break;
      } catch (const gs::error& e) {
        say(std::string(e.what()) + "\n");
      }
    }
    say("\n");
  }
}

}  // namespace workbook
