#include "runtime/world/lent_memory.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <mutex>
#include <vector>

#include "runtime/observe/site.h"

namespace gs::inline GS_FLAVOUR::instruments {

struct loans {
  struct loan {
    std::uint64_t number;
    std::uintptr_t begin, end;
    bool is_written;
    access_kind kind = access_kind::read;  // of the first access
    const void* code = nullptr;            // null: there was none
  };
  std::mutex mutex;
  std::uint64_t made = 0;
  std::vector<loan> all;

  static loans& of_program() {
    static auto& the_loans = *new loans;
    return the_loans;
  }
  // For the hooks' quick look.
  void set_bounds() const {
    std::uintptr_t begin = UINTPTR_MAX, end = 0;
    for (const loan& l : all) begin = std::min(begin, l.begin), end = std::max(end, l.end);
    lent_memory::bytes_ = 0;
    lent_memory::from_ = begin;
    lent_memory::bytes_ = end > begin ? end - begin : 0;
  }
};

std::uint64_t lent_memory::lend(const void* memory, std::size_t bytes, bool is_written) {
  loans& us = loans::of_program();
  const std::lock_guard lock(us.mutex);
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  us.all.push_back({++us.made, begin, begin + bytes, is_written});
  us.set_bounds();
  return us.made;
}

std::string lent_memory::take_back(std::uint64_t number) {
  loans& us = loans::of_program();
  const std::lock_guard lock(us.mutex);
  const auto ended = std::ranges::find(us.all, number, &loans::loan::number);
  if (ended == us.all.end()) return {};
  const loans::loan l = *ended;
  us.all.erase(ended);
  us.set_bounds();
  if (!l.code) return {};
  return (l.kind == access_kind::read ? "read at " : "written at ") + place_text(unknown_site, l.code);
}

void lent_memory::touch(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  loans& us = loans::of_program();
  const std::lock_guard lock(us.mutex);
  for (loans::loan& l : us.all)
    if (!l.code && address < l.end && address + bytes > l.begin && (l.is_written || kind != access_kind::read))
      l.kind = kind, l.code = code;
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
