#pragma once
// command_name: how the user calls the launcher, for sentences that say what to type.

#include <string>

namespace workbook {

/// GRIDSTRIDE_COMMAND, as the installed command says, else "./gridstride".
std::string command_name();

}  // namespace workbook
