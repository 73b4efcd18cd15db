#pragma once
// What a run says while it lasts.

#include <string>

#include "bench/command/choices.h"

namespace bench {

/// What is being measured, on a line of standard error that the next one overwrites; only where somebody watches.
void say(const std::string& what);

/// What people are told on standard output, unless the document is all that is wanted.
void print(const choices& chosen, const std::string& text);

}  // namespace bench
