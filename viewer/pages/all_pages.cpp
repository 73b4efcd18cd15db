#include "viewer/pages/all_pages.h"

#include "viewer/pages/assessments_page.h"
#include "viewer/pages/course_page.h"
#include "viewer/pages/instruments_page.h"
#include "viewer/pages/machine_page.h"
#include "viewer/pages/simulation_page.h"
#include "viewer/pages/timeline_page.h"
#include "viewer/pages/timings_page.h"

namespace viewer {

std::vector<std::unique_ptr<page>> all_pages() {
  std::vector<std::unique_ptr<page>> pages;
  pages.push_back(std::make_unique<course_page>());
  pages.push_back(std::make_unique<simulation_page>());
  pages.push_back(std::make_unique<instruments_page>());
  pages.push_back(std::make_unique<timeline_page>());
  pages.push_back(std::make_unique<timings_page>());
  pages.push_back(std::make_unique<assessments_page>());
  pages.push_back(std::make_unique<machine_page>());
  return pages;
}

std::vector<std::unique_ptr<page>> pages_of_program() {
  std::vector<std::unique_ptr<page>> pages;
  pages.push_back(std::make_unique<course_page>("Program"));
  pages.push_back(std::make_unique<simulation_page>());
  pages.push_back(std::make_unique<instruments_page>());
  pages.push_back(std::make_unique<timeline_page>());
  pages.push_back(std::make_unique<machine_page>());
  return pages;
}

}  // namespace viewer
