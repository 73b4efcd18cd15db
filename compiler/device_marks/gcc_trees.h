#pragma once
// What the plugin reads of g++: the functions of a program, who calls them, and what C++ knows of them. See
// compiler/gcc.h.

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "context.h"
#include "tree.h"
#include "cp/cp-tree.h"
#include "gimple.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "diagnostic-core.h"
#include "langhooks.h"
// clang-format on
