#pragma once
// What kinds of plots ask of their parts.

#include <cstddef>
#include <string>

#include "workbook/axis.h"

namespace workbook {

/// Throws gs::error unless the axis (`name`: "x") of the plot can be drawn: the ends that it asks for are finite, in
/// order, and positive where it is logarithmic.
void check_axis(const std::string& title, const char* name, const axis& a);

/// Throws gs::error unless a part of the plot has as many values as expected.
void check_length(const std::string& title, const std::string& part, std::size_t size, std::size_t expected);

}  // namespace workbook
