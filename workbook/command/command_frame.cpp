#include "workbook/command/command_frame.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/command/exit_status.h"

namespace workbook {
namespace {

int print_failure(std::string_view program, const std::exception& e, exit_status status) {
  fmt::print(stderr, "{}: {}\n", program, gs::detail::printable(e.what()));  // names of files stand in it
  return status;
}

}  // namespace

std::optional<int> parse_words(CLI::App& app, int argc, const char* const* argv, std::string_view program) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    fmt::print(stderr, "{}: {}; see {} --help\n", program, gs::detail::printable(e.what()), app.get_name());
    return exit_wrong_usage;
  }
  return std::nullopt;
}

int run_command(std::string_view program, gs::detail::function_ref<int()> command) {
  try {
    return command();
  } catch (const gs::machine_error& e) {
    return print_failure(program, e, exit_machine_lacks);
  } catch (const gs::error& e) {
    return print_failure(program, e, exit_wrong_usage);
  } catch (const std::exception& e) {
    return print_failure(program, e, exit_machine_lacks);
  }
}

}  // namespace workbook
