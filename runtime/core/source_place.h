#pragma once
// source_place: where something stands in the source, for people to read.

#include <string>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// A place in a source file. Line and column count from 1; line 0: not known.
struct source_place {
  std::string file;
  unsigned line = 0, column = 0;
  bool operator==(const source_place&) const = default;
};
/// "file:line:column", and "an unknown place" for line 0.
std::string to_string(const source_place& place);

}  // namespace gs::inline GS_FLAVOUR
