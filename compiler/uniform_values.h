#pragma once
// uniform_values: which values of a kernel are the same for all threads of a block that come to them together.
//
// What depends on a thread's number or on memory may differ. So may what is chosen where paths join on which threads
// have diverged: from a branch on such a value to where all its paths have joined again. (R. Karrenberg and S. Hack,
// "Improving Performance of OpenCL on CPUs", CC 2012.) If threads diverge and meet at a barrier before that, some may
// be further on than others, such as in another round of a loop: then nothing is the same.

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
  bool wait_apart(basic_block parting, basic_block joined) const;
  blocks on_the_way(basic_block first, basic_block joined) const;

  const kernel_body& body_;
  bool apart_ = false;
  std::set<tree> different_;
};

}  // namespace splitter
