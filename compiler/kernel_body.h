#pragma once
// kernel_body: the part of a function that is a kernel, once for each thread, between the marks of split_loop.h.

#include "compiler/gcc.h"

namespace splitter {

/// In the order of their numbers, so that the same is said, and made, each time.
struct by_number {
  bool operator()(basic_block a, basic_block b) const { return a->index < b->index; }
};
using blocks = std::set<basic_block, by_number>;
using statements = std::vector<gimple*>;

/// The blocks reachable from `starts`, and `starts` themselves, forward or backward, as long as `enter(block)` is true.
template <class Enter>
blocks walk(const std::vector<basic_block>& starts, bool forward, const Enter& enter) {
  blocks reached;
  std::vector<basic_block> next;
  const auto reach = [&](basic_block bb) {
    if (enter(bb) && reached.insert(bb).second) next.push_back(bb);
  };
  for (const basic_block bb : starts) reach(bb);
  while (!next.empty()) {
    const basic_block bb = next.back();
    next.pop_back();
    edge e;
    edge_iterator i;
    FOR_EACH_EDGE (e, i, forward ? bb->succs : bb->preds) reach(forward ? e->dest : e->src);
  }
  return reached;
}

struct kernel_body {
  // The marks, in the order in which they are met.
  gimple *works = nullptr, *rows = nullptr, *columns = nullptr, *bytes = nullptr, *sweep = nullptr, *resume = nullptr,
         *left = nullptr;
  statements waits, refusals;

  basic_block first = nullptr, end = nullptr;  ///< the block behind `resume`, and the one that `left` begins
  blocks inside;                               ///< from `first` to before `end`
  class loop* nest = nullptr;                  ///< the outermost of the loops over the threads

  bool contains(const gimple* s) const { return inside.count(gimple_bb(s)) > 0; }
  basic_block before(const gimple* wait) const { return gimple_bb(wait); }
  basic_block behind(const gimple* wait) const { return single_succ(gimple_bb(wait)); }
};

/// Finds the marks of a function. `works` is null if there are none.
kernel_body find_marks(function* f);

/// Finds what lies between them, each wait, if there is any, at the end of its block. Returns why it can't be split;
/// empty if it can. Needs loops, and leaves dominators and postdominators.
std::string find_body(function* f, kernel_body& body);

/// Whether it reads a local variable of the function that nothing in the body can change. (Nothing stores directly: see
/// find_body.)
bool reads_constant(const gimple* s);

}  // namespace splitter
