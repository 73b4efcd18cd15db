#pragma once
// Numbers as people read them: grouped digits, significant digits, prefixed units.

#include <string>

#include "workbook/table.h"

namespace workbook {

/// 1234567 -> "1,234,567".
std::string grouped(long long n);
/// A real number with that many significant digits, without trailing zeros: "3.142", "0.5", "12,345", "1.5e-09".
/// Not finite: "NaN", "inf", "-inf".
std::string significant(double v, int digits);
/// With the fewest digits that read back as this number: as a float, if it is one, so that 0.1f is "0.1".
std::string shortest(double v);
/// Three significant digits and the prefix that fits: "3.42 ms", "400 MB", "27.1 GB/s"; "0 B". A time or
/// speed that is NaN is "not timed".
std::string to_text(const quantity& q);
/// A value on an axis: with its unit and prefix if the unit takes prefixes ("s", "B", "B/s", "FLOP/s"), else its three
/// significant digits alone, because the axis says the rest.
std::string value_text(double v, const std::string& unit);

}  // namespace workbook
