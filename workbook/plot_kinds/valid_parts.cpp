#include "workbook/plot_kinds/valid_parts.h"

#include <fmt/format.h>

#include <cmath>

#include "runtime/core/error.h"

namespace workbook {

void check_axis(const std::string& title, const char* name, const axis& a) {
  for (const auto& end : {a.min, a.max})
    if (end && (!std::isfinite(*end) || (a.log && *end <= 0)))
      throw gs::error(fmt::format("the plot \"{}\"", title),
                      fmt::format("its {} axis{} is to end at {}", name, a.log ? ", which is logarithmic," : "", *end),
                      a.log ? "give a positive number" : "give a finite number");
  if (a.min && a.max && *a.min >= *a.max)
    throw gs::error(fmt::format("the plot \"{}\"", title),
                    fmt::format("its {} axis runs from {} to {}", name, *a.min, *a.max), "give min below max");
}

void check_length(const std::string& title, const std::string& part, std::size_t size, std::size_t expected) {
  if (size != expected)
    throw gs::error(fmt::format("the plot \"{}\"", title), fmt::format("{} has {} values", part, size),
                    fmt::format("give {}", expected));
}

}  // namespace workbook
