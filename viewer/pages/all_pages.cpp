#include "viewer/pages/all_pages.h"

#include "viewer/pages/machine_page.h"
#include "viewer/pages/simulation_page.h"

namespace viewer {

std::vector<std::unique_ptr<page>> all_pages() {
  std::vector<std::unique_ptr<page>> pages;
  pages.push_back(std::make_unique<simulation_page>());
  pages.push_back(std::make_unique<machine_page>());
  return pages;
}

}  // namespace viewer
