#pragma once
// The viewer's pages, in the order of the list at the left. The first one is shown for a lesson.

#include <memory>
#include <vector>

#include "viewer/page.h"

namespace viewer {

std::vector<std::unique_ptr<page>> all_pages();

/// For a program of the reader's own: those that are about it, and the machine.
std::vector<std::unique_ptr<page>> pages_of_program();

}  // namespace viewer
