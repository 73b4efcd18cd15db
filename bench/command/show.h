#pragma once
// Output during a run.

#include <string>

#include "bench/command/choices.h"

namespace bench {

/// Shows what is being measured, on a line of standard error that the next one overwrites; only on a terminal.
void say(const std::string& activity);

/// Prints text for people on standard output, unless --json asks for the document alone.
void print(const choices& chosen, const std::string& text);

}  // namespace bench
