#include "assessments/grader/verdict/grading.h"

#include <fmt/format.h>

#include <algorithm>

#include "workshop/machine.h"

namespace grader {

using workshop::bytes_text;
namespace {

bool same(const mishap& a, const mishap& b) {
  return a.kind == b.kind && a.place == b.place && a.other_place == b.other_place && a.call == b.call &&
         a.text == b.text;
}

}  // namespace

bool grading::fits(const test_case& c) {
  if (c.bytes_needed <= memory_bytes) return true;
  const std::string text = to_string(c);
  if (left_out.insert(text).second)
    result.notes.push_back(fmt::format("{} was left out: it needs {} of memory, and {} are free", text,
                                       bytes_text(c.bytes_needed), bytes_text(memory_bytes)));
  return false;
}

gs::source_place grading::as_given(gs::source_place place) const {
  if (place.line > 0 && std::filesystem::path(place.file).filename() == file.filename()) place.file = file.string();
  return place;
}

void grading::add(mishap m, const criterion& c, const test_case* test) {
  m.criterion = c.id;
  if (test != nullptr) m.call = to_string(*test);
  m.place = as_given(m.place);
  m.other_place = as_given(m.other_place);
  if (std::ranges::none_of(result.mishaps, [&](const mishap& known) { return same(known, m); }))
    result.mishaps.push_back(std::move(m));
}

void grading::add_unless_known(const mishap& m, const criterion& c, const test_case& test) {
  if (std::ranges::find(result.mishaps, m.kind, &mishap::kind) == result.mishaps.end()) add(m, c, &test);
}

const call_result& grading::inspected(const test_case& c) {
  const auto [found, is_new] = inspections.try_emplace(to_string(c));
  if (is_new) {
    found->second = inspection_timed_out ? *inspection_timed_out : inspect(c, seeds.fresh());
    if (found->second.went_wrong && found->second.went_wrong->kind == mishap_kind::timed_out)
      inspection_timed_out = found->second;
  }
  return found->second;
}

criterion_result unknown_result(const criterion& c) {
  criterion_result r;
  r.id = c.id;
  r.title = c.title;
  r.possible = c.points;
  r.required = c.required;
  return r;
}

void award(criterion_result& r, const criterion& c, double share) {
  r.points = share * c.points;
  r.state = share >= 1 ? criterion_state::passed : share > 0 ? criterion_state::partly : criterion_state::failed;
}

void not_graded_here(criterion_result& r, std::string why) {
  r.state = criterion_state::not_run;
  r.points = r.possible = 0;
  r.summary = std::move(why);
}

}  // namespace grader
