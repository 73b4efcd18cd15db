#include "workbook/command/exit_status.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "runtime/core/error.h"
#include "runtime/core/printable.h"

namespace workbook {

int said_exception(std::string_view program) {
  const auto say = [&](const std::exception& e, exit_status status) {
    fmt::print(stderr, "{}: {}\n", program, gs::detail::printable(e.what()));  // names of files stand in it
    return status;
  };
  try {
    throw;
  } catch (const gs::machine_error& e) {
    return say(e, exit_machine_lacks);
  } catch (const gs::error& e) {
    return say(e, exit_wrong_usage);
  } catch (const std::exception& e) {
    return say(e, exit_machine_lacks);
  }
}

}  // namespace workbook
