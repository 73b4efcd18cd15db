#pragma once
// The viewer's pages, in the order of the list at the left.

#include <memory>
#include <vector>

#include "viewer/page.h"

namespace viewer {

std::vector<std::unique_ptr<page>> all_pages();

}  // namespace viewer
