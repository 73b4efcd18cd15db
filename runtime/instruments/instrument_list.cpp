#include "runtime/instruments/instrument_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/core/error.h"
#include "runtime/instruments/results/finding_text.h"

namespace gs::inline GS_FLAVOUR {
namespace {

const detail::instrument_description& description_of(instrument i) {
  return *instruments::descriptions[static_cast<std::size_t>(i)];
}

struct described_kind {
  const detail::instrument_description& by;
  const detail::finding_description& finding;
};
described_kind description_of(finding_kind kind) {
  for (const detail::instrument_description* one : instruments::descriptions)
    if (const auto found = std::ranges::find(one->findings, kind, &detail::finding_description::kind);
        found != one->findings.end())
      return {*one, *found};
  throw error(fmt::format("the finding_kind with number {}", static_cast<int>(kind)), "no instrument describes it",
              "give it a line in the description of the instrument that finds it");
}

}  // namespace

std::string_view to_string(instrument i) { return description_of(i).name; }
std::string_view to_string(finding_kind kind) { return description_of(kind).finding.name; }
instrument instrument_of(finding_kind kind) { return description_of(kind).by.number; }
namespace detail {

void describe(finding& found) { description_of(found.kind).finding.describe(found); }

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
