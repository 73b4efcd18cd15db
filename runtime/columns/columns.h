#pragma once
// Tables of columns on the device, and Arrow's interface to other libraries. Not part of gs.h.

#include "runtime/columns/arrow.h"
#include "runtime/columns/arrow_file.h"
#include "runtime/columns/filter.h"
#include "runtime/columns/group_by.h"
#include "runtime/columns/join.h"
#include "runtime/columns/table.h"
