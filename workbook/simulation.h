#pragma once
// A simulation: something that goes on step by step for as long as somebody watches.

#include <cstddef>
#include <vector>

#include "workbook/parameters.h"
#include "workbook/plot.h"

namespace workbook {

/// A lesson that simulates offers one of these (lesson::simulate). Steps run on the current device; fields() waits for
/// them and brings them home.
class simulation {
 public:
  virtual ~simulation() = default;
  /// Goes on by `n` steps. May return before they are done.
  virtual void step(std::size_t n) = 0;
  /// How many steps it has made.
  virtual std::size_t steps() const = 0;
  /// What can be seen now, always in the same order and of the same shape.
  virtual std::vector<heat_map> fields() const = 0;
  /// What is shown before them and never changes, whatever is stepped or changed: called once.
  virtual std::vector<heat_map> originals() const { return {}; }
  /// The index in fields() of the one that evolves: its total should stay, or change, as the lesson says.
  virtual std::size_t main_field() const { return 0; }
  /// Goes on with other choices and real numbers: another kernel, another rate. What it began with (the whole numbers,
  /// the seed) stays.
  virtual void change(const parameters& /*given*/) {}
};

}  // namespace workbook
