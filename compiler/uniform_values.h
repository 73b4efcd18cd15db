#pragma once
// uniform_values: which values of a kernel are the same for all threads of a block that come to them together.
//
// What depends on a thread's number or on memory may differ. So may what is chosen between where ways meet that threads
// part on: from a branch on such a value to where all ways from it have joined again. (R. Karrenberg and S. Hack,
// "Improving Performance of OpenCL on CPUs", CC 2012.)

#include "compiler/kernel_body.h"

namespace splitter {

class uniform_values {
 public:
  explicit uniform_values(const kernel_body& body);
  bool contains(tree name) const;

 private:
  bool differs(gimple* s) const;
  bool may_differ(gimple* s) const;
  bool mark(gimple* s);
  bool mark_joins(basic_block parting);

  const kernel_body& body_;
  std::set<tree> different_;
};

}  // namespace splitter
