#include "runtime/instruments/places/call_paths.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>

namespace gs::inline GS_FLAVOUR::instruments {

call_paths::number call_paths::number_of(const void* frame, const void* base, const void* bottom, const void* top) {
  // A frame begins with that of its caller, behind which the address stands that the call returns to.
  struct frame_start {
    const frame_start* caller;
    const void* returns_to;
  };
  path found;
  std::uintptr_t hash = 0;
  auto at = static_cast<const frame_start*>(frame);
  while (at != base && at >= bottom && at + 1 < top && found.length < most_calls) {
    found.calls[found.length++] = at->returns_to;
    hash = (hash ^ reinterpret_cast<std::uintptr_t>(at->returns_to)) * 0x9e3779b97f4a7c15u;
    if (at->caller <= at) break;  // who has no frame of this kind
    at = at->caller;
  }
  number& recent = recent_[hash >> 58];
  if (recent != 0 && paths_[recent - 1] == found) return recent - 1;
  const auto known = std::ranges::find(paths_, found);
  const auto result = static_cast<number>(known - paths_.begin());
  if (known == paths_.end()) paths_.push_back(found);
  recent = result + 1;
  return result;
}

detail::code_lines call_paths::find_lines() const {
  std::vector<const void*> code;
  for (const path& one : paths_) code.insert(code.end(), one.all().begin(), one.all().end());
  return detail::find_code_lines(code);
}

std::optional<std::pair<source_place, source_place>> call_paths::fork_of(number a, number b,
                                                                         const detail::code_lines& lines) const {
  const auto places_of = [&](number one) {
    std::vector<source_place> places;
    for (const void* call : paths_[one].all())
      if (const auto known = lines.find(call); known != lines.end())
        places.insert(places.end(), known->second.begin(), known->second.end());
    return places;
  };
  const std::vector<source_place> of_a = places_of(a), of_b = places_of(b);
  const auto [in_a, in_b] = std::ranges::mismatch(of_a, of_b);
  if (in_a == of_a.end() || in_b == of_b.end()) return std::nullopt;
  return std::pair{*in_a, *in_b};
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
