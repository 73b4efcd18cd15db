// Stands in for the instruments in the toy lesson: runs the lesson and returns what TOY_FINDINGS asks for, in the file
// TOY_SOURCE, and some of it in TOY_OTHER_SOURCE.

#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "runtime/core/error.h"
#include "runtime/instruments/inspect.h"
#include "runtime/timing/untimed.h"
#include "tests/workbook/sample_inspection.h"

namespace {

// The second finding, the last line and one more picture.
void add_places_in(const char* file, gs::inspection& result) {
  if (!result.findings.empty()) result.findings.back().access.where = {file, 7, 1};
  result.lines.back().where = {file, 8, 1};
  gs::warp_picture& picture = result.pictures.emplace_back(result.pictures.front());
  picture.kernel = "fill";
  picture.where = result.lines.back().where;
}

}  // namespace

namespace gs::inline GS_FLAVOUR {

bool can_inspect() { return true; }

inspect_options inspect_options::from_environment() {
  inspect_options options;
  if (const char* gpu = std::getenv("GRIDSTRIDE_GPU")) options.model = gpu;
  if (const char* names = std::getenv("GRIDSTRIDE_INSPECT"); names && std::string(names) == "racecheck")
    options.instruments = 1u << static_cast<unsigned>(instrument::racecheck);
  else if (names)
    throw error("GRIDSTRIDE_INSPECT", "'" + std::string(names) + "'", "choose among those there are");
  return options;
}

inspection inspect(detail::function_ref<void()> body, const inspect_options& options) {
  if (!detail::untimed()) throw std::logic_error("the lesson would be timed");
  std::exception_ptr failure;
  try {
    body();
  } catch (...) {
    failure = std::current_exception();
  }
  options.on_progress(
      {.seconds = 10, .accesses = 50'000'000, .kernel = "slow", .launch_seconds = 2, .blocks_done = 1, .blocks = 100});
  const char* source = std::getenv("TOY_SOURCE");
  inspection result = sample_inspection(source ? source : "kernel.cpp");
  if (!std::getenv("TOY_FINDINGS")) result.findings.clear();
  if (const char* other = std::getenv("TOY_OTHER_SOURCE")) add_places_in(other, result);
  result.failure = failure;
  result.model = options.model;
  result.registers_per_thread = options.registers_per_thread;
  result.orders = options.orders;
  if (options.orders == 1) result.notes = {"kernel was observed in one order."};
  result.instruments.clear();
  for (std::size_t k = 0; k < detail::instrument_count; ++k)
    if (options.instruments[k]) result.instruments.push_back(static_cast<instrument>(k));
  return result;
}

}  // namespace gs::inline GS_FLAVOUR
