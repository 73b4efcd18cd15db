#pragma once
// What the plugin reads of g++: its headers need an order, and are no example of tidiness. The standard library's come
// first, since g++ forbids names that they use.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "context.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "basic-block.h"
#include "cfghooks.h"
#include "cfgcleanup.h"
#include "cfgloop.h"
#include "ssa.h"
#include "calls.h"
#include "diagnostic-core.h"
#include "dumpfile.h"
#include "fold-const.h"
#include "gimple-iterator.h"
#include "gimple-ssa.h"
#include "gimple-walk.h"
#include "gimple-expr.h"
#include "gimplify.h"
#include "options.h"
#include "ssa-iterators.h"
#include "stor-layout.h"
#include "target.h"
#include "tree-cfg.h"
#include "tree-cfgcleanup.h"
#include "tree-dfa.h"
#include "tree-into-ssa.h"
#include "tree-phinodes.h"
#include "tree-ssa-alias.h"
#include "tree-ssa-loop-manip.h"
// clang-format on
