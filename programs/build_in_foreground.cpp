#include "programs/build_in_foreground.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>
#include <variant>

#include "workbook/terminal/progress_bar.h"

namespace programs {

std::optional<built_program> build_in_foreground(const program_files& files, workshop::flavour f, foreground& terminal,
                                                 products wanted) {
  std::optional<std::variant<built_program, build_failure, build_interrupted>> result;
  {
    workbook::progress_bar bar(files.name, workbook::detect_terminal(STDERR_FILENO));
    bar.set(-1, "compiling");
    result = build_program(files, f, terminal.interruption(), wanted);
  }
  if (std::holds_alternative<build_interrupted>(*result)) end_by(terminal.ending_signal());
  if (const auto* failure = std::get_if<build_failure>(&*result)) {
    fmt::print(stderr, "{}", failure->text);
    return std::nullopt;
  }
  fmt::print(stderr, "{}", std::get<built_program>(*result).left_out);
  return std::get<built_program>(std::move(*result));
}

}  // namespace programs
