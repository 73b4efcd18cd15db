#pragma once
// What every command of the course does around its own work: it reads its words, and ends with a status.

#include <optional>
#include <string_view>

#include "runtime/core/function_ref.h"

namespace CLI {
class App;
}

namespace workbook {

/// Parses argv into the app's options. Returns the status to end with, or none if the command goes on: exit_fine when
/// the words asked for help, which has been printed; exit_wrong_usage when the app doesn't take them, in which case
/// standard error has "PROGRAM: what is wrong; see APP --help".
std::optional<int> parse_words(CLI::App& app, int argc, const char* const* argv, std::string_view program);

/// Returns the status of `command`. Where that throws, standard error has "PROGRAM: the exception's message", and the
/// status is exit_wrong_usage for gs::error, exit_machine_lacks for gs::machine_error and every other std::exception.
/// What isn't one passes through.
int run_command(std::string_view program, gs::detail::function_ref<int()> command);

}  // namespace workbook
