#pragma once
// strides: how the address of an access changes from a thread to its neighbour, and from one round of a loop to the
// next.

#include "compiler/kernel_body.h"

namespace splitter {

/// What a value differs by from one step to the next.
struct stride {
  enum class kind {
    constant,   ///< by `by`, such as 0 or the size of an element
    unknown,    ///< by the same each time, such as the length of a row
    irregular,  ///< or by anything else
  };
  kind is = kind::constant;
  HOST_WIDE_INT by = 0;

  bool none() const { return is == kind::constant && by == 0; }
};

/// The steps are those of a value that all others are computed from.
class strides {
 public:
  /// Of threads: `x` is the thread's number in its row.
  static strides of_threads(class loop* l, tree x) { return {l, x}; }
  /// Of the loop's rounds.
  static strides of_rounds(class loop* l) { return {l, NULL_TREE}; }

  stride of(tree value) const;
  /// Of the address that is read or written.
  stride of_access(tree reference) const;

 private:
  strides(class loop* l, tree x) : loop_(l), x_(x) {}
  stride computed(gimple* s) const;
  stride of_phi(gphi* phi) const;

  class loop* loop_;
  tree x_;
  mutable std::map<tree, stride> known_;
};

}  // namespace splitter
