#pragma once
// What the terminal, pipe or file that text goes to can show.

#include <cstddef>

namespace workbook {

enum class colour_depth { none, palette_256, true_colour };

struct terminal {
  std::size_t width = 80;  ///< in columns
  colour_depth colours = colour_depth::none;
  bool unicode = true;
  bool interactive = false;  ///< a person is looking at it
};

/// Looks at a file descriptor and the environment: COLUMNS, NO_COLOR, TERM, COLORTERM, LC_ALL, LC_CTYPE, LANG.
/// Colours are for terminals only. Without a terminal the width is 80.
terminal detect_terminal(int file_descriptor);

}  // namespace workbook
