#include "runtime/instruments/checks/memcheck.h"

#if GRIDSTRIDE_CHECKED

#include <signal.h>

#include <algorithm>
#include <utility>

#include "runtime/core/fault_signal.h"
#include "runtime/threads/shared_window.h"

namespace gs::inline GS_FLAVOUR::instruments {

void memcheck::index_outside(const indexing& i, std::size_t piece) { nowhere_findings_[piece] = report_outside(i); }

std::size_t memcheck::report_outside(const indexing& i) {
  observation& o = observed_;
  const finding_log::key key{finding_kind::outside_shape, o.time.work().kernel, o.sites.number_of(i.where),
                             unknown_site};
  if (const std::size_t known = o.log.count_again(key); known != finding_log::no_finding) return known;
  finding f = o.finding_here(finding_kind::outside_shape, access_kind::read);
  f.index.assign(i.index, i.index + i.rank);
  f.extents.assign(i.extents, i.extents + i.rank);
  const auto data = reinterpret_cast<std::uintptr_t>(i.data);
  // An empty array has no memory, and is none of a thread's: those have a fixed size.
  const bool is_empty = std::find(f.extents.begin(), f.extents.end(), 0) != f.extents.end();
  f.space = detail::in_shared_memory(i.data)     ? memory_space::shared
            : is_empty || o.arena.contains(data) ? memory_space::global
                                                 : memory_space::local;
  if (const allocation* owner = o.arena.contains(data) ? o.arena.find(data) : nullptr)
    f.made = o.sites.place(owner->made);
  return o.log.add(key, std::move(f));
}

void memcheck::index_of_freed(const noted_index& note, const allocation& array, std::size_t piece) {
  nowhere_findings_[piece] =
      observed_.report(finding_kind::use_after_free, access_kind::read, note.where, note.address, &note, &array);
}

void memcheck::access_nowhere(std::size_t piece, access_kind kind) {
  const std::size_t finding = std::exchange(nowhere_findings_[piece], finding_log::no_finding);
  if (finding < observed_.log.size()) observed_.log[finding].access.kind = kind;
}

bool memcheck::access_stray(const stray_access& a) {
  switch (a.place) {
    case stray_place::no_array: {
      const bool gone = a.owner && observed_.is_gone(*a.owner);
      observed_.report(gone ? finding_kind::use_after_free : finding_kind::outside_shape, a.kind, a.where, a.address,
                       a.note, a.owner);
      break;
    }
    case stray_place::beyond_shared:
    case stray_place::no_memory:
      observed_.report(finding_kind::outside_shape, a.kind, a.where, a.address, nullptr, nullptr);
      break;
    case stray_place::host_memory:
      ++accesses_of_host_memory_[observed_.report(finding_kind::host_memory, a.kind, a.where, a.address, a.note,
                                                  nullptr)];
      break;
  }
  return true;
}

// An exception that the kernel or the engine has made lies in the host's memory: no finding of its own.
void memcheck::thread_has_failed() {
  for (const auto& [number, times] : accesses_of_host_memory_) {
    std::uint64_t& count = observed_.log[number].count;
    count -= std::min(count, times);
  }
}

bool memcheck::stopped_by(const detail::fault_signal& signal) {
  if (signal.number == SIGILL || signal.number == detail::trap_signal) return false;
  observed_.report(finding_kind::outside_shape, signal.writes ? access_kind::write : access_kind::read,
                   observed_.sites.number_of_calls(signal.calls()), reinterpret_cast<std::uintptr_t>(signal.address),
                   nullptr, nullptr);
  return true;
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
