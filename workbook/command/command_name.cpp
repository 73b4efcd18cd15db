#include "workbook/command/command_name.h"

#include <cstdlib>

namespace workbook {

std::string command_name() {
  const char* const name = std::getenv("GRIDSTRIDE_COMMAND");
  return name != nullptr && *name != '\0' ? name : "./gridstride";
}

}  // namespace workbook
