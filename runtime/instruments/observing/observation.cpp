#include "runtime/instruments/observing/observation.h"

#if GRIDSTRIDE_CHECKED

#include <utility>

#include "runtime/threads/shared_window.h"

namespace gs::inline GS_FLAVOUR::instruments {

finding observation::finding_here(finding_kind kind, access_kind access) const {
  finding f;
  f.kind = kind;
  f.order = order.number();
  f.access = who(time.now(unknown_site), access);
  return f;
}

finding_access observation::who(const mark& m, access_kind kind) const {
  const timeline::work_record& work = time.work_of(m.when);
  finding_access a{.kind = kind, .where = {}, .kernel = work.kernel, .block = {}, .thread = {}};
  a.has_threads = work.is_launch;
  if (work.is_launch) {
    a.block = detail::position_in(work.grid, time.block_of(m.when));
    a.thread = detail::position_in(work.block, m.thread);
  }
  return a;
}

finding_access observation::thread_of_block(unsigned number) const {
  mark m = time.now(unknown_site);
  m.thread = number % most_threads;
  return who(m, access_kind::read);
}

void observation::locate(finding& f, std::uintptr_t address, const noted_index* note, const allocation* owner) const {
  f.space =
      detail::in_shared_memory(reinterpret_cast<const void*>(address)) ? memory_space::shared : memory_space::global;
  if (owner) f.made = sites.place(owner->made);
  if (!note || note->rank == 0) return;
  f.takes_atomics = note->takes_atomics;
  f.extents.assign(note->extents.begin(), note->extents.begin() + static_cast<std::ptrdiff_t>(note->rank));
  f.index.resize(note->rank);
  std::size_t linear = (address - note->data) / note->element.bytes;
  for (std::size_t d = note->rank; d-- > 0;) {
    f.index[d] = static_cast<std::ptrdiff_t>(linear % note->extents[d]);
    linear /= note->extents[d];
  }
}

bool observation::is_known(const finding_log::key& key) {
  return log.count_again(key) != finding_log::no_finding ||
         (!order.as_numbered() && log.count_reversed(key) != finding_log::no_finding);
}

std::size_t observation::report(finding_kind kind, access_kind access, site where, std::uintptr_t address,
                                const noted_index* note, const allocation* owner) {
  if (!wants(instrument_of(kind))) return finding_log::no_finding;
  const finding_log::key key{kind, time.work().kernel, where, unknown_site, access};
  if (const std::size_t known = log.count_again(key); known != finding_log::no_finding) return known;
  finding f = finding_here(kind, access);
  locate(f, address, note, owner);
  return log.add(key, std::move(f));
}

void observation::report_thread(finding_kind kind, unsigned thread, const std::source_location& where) {
  if (!wants(instrument_of(kind))) return;
  const finding_log::key key{kind, time.work().kernel, sites.number_of(where), unknown_site};
  if (log.count_again(key) != finding_log::no_finding) return;
  finding f = finding_here(kind, access_kind::read);
  f.access.where = place_of(where);
  f.access.thread = detail::position_in(time.work().block, thread);
  log.add(key, std::move(f));
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
