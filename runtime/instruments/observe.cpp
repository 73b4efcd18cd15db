#include "runtime/observe/observe.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <span>

#include "runtime/array/index.h"
#include "runtime/instruments/memory/watched_by_host.h"
#include "runtime/instruments/monitor.h"
#include "runtime/instruments/spin_watch.h"

namespace gs::inline GS_FLAVOUR::instruments {

bool watching() { return monitor::here() != nullptr; }

void* element(const indexing& i) {
  if (monitor* m = monitor::here()) return m->element(i);
  std::size_t offset = 0;
  for (std::size_t d = 0; d < i.rank; ++d) {
    if (i.index[d] >= i.extents[d]) detail::refuse_index(i.index[d], i.where, d, i.extents, i.rank);
    offset = offset * i.extents[d] + i.index[d];
  }
  return static_cast<std::byte*>(i.data) + offset * i.element.bytes;
}

void note_pointer(const void* data, std::size_t element_bytes, const std::size_t* extents, std::size_t rank) {
  const std::span<const std::size_t> shape(extents, rank);
  if (monitor* m = monitor::here())
    m->tell([&](auto& one) { one.pointer_made(reinterpret_cast<std::uintptr_t>(data), element_bytes, shape); });
}
void note_shared_struct() {
  if (monitor* m = monitor::here()) m->tell([](auto& one) { one.shared_struct_taken(); });
}
void note_atomic(const void* element, std::size_t bytes, atomic_effect effect) {
  const auto address = reinterpret_cast<std::uintptr_t>(element);
  monitor* const m = monitor::here();
  if (m) m->announce(address, bytes);
  if (detail::in_shared_memory(element) || monitor::instance().arena().contains(address)) {
    if (effect == atomic_effect::store)
      spin_watch::here().wrote();
    else
      spin_watch::here().read(address, bytes, __builtin_return_address(0), false);
  }
  if (m) m->atomic(address, bytes, effect, __builtin_return_address(0));
}
void note_fence(fence_scope scope) {
  if (monitor* m = monitor::here()) m->fence(scope);
}
void name_work(std::string_view name) {
  if (monitor* m = monitor::here()) m->name_work(name);
}
void note_read(const void* memory, std::size_t bytes) {
  if (monitor* m = monitor::here()) m->bulk_access(reinterpret_cast<std::uintptr_t>(memory), bytes, access_kind::read);
}
void note_written(const void* memory, std::size_t bytes) {
  if (monitor* m = monitor::here()) m->bulk_access(reinterpret_cast<std::uintptr_t>(memory), bytes, access_kind::write);
}

// --- threads ---------------------------------------------------------------------------------------------------------

void observe_launch(const launch_description& launch, detail::function_ref<void()> run) {
  monitor::here()->observe_launch(launch, run);
}
run_order order_of_turns() {
  const monitor* m = monitor::here();
  return m ? m->order() : run_order();
}
index3 position_in_turn(unsigned turn, const index3& block) {
  return detail::position_in(block, whose_turn(turn, block.size()));
}
bool runs_again() { return !order_of_turns().as_numbered(); }
bool given_up() {
  const monitor* m = monitor::here();
  return m && m->given_up();
}
void enter_block(std::size_t number, bool goes_on) {
  if (monitor* m = monitor::here()) m->enter_block(number, goes_on);
}
void set_block_aside() {
  if (monitor* m = monitor::here()) m->set_block_aside();
}
void go_back_to_block(std::size_t number) {
  if (monitor* m = monitor::here()) m->go_back_to_block(number);
}
unsigned running_thread() {
  const monitor* m = monitor::here();
  return m ? m->running_thread() : 0;
}
void begin_thread(unsigned number, const void* frame) {
  spin_watch::here() = {};
  if (monitor* m = monitor::here()) m->begin_thread(number, frame);
}
void enter_all_threads(unsigned threads) {
  if (monitor* m = monitor::here()) m->enter_all_threads(threads);
}
void note_side_by_side(const void* data, std::size_t bytes, unsigned threads) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  if (monitor* m = monitor::here()) m->tell([&](auto& one) { one.note_side_by_side(begin, bytes, threads); });
}
void arrive(unsigned thread, meeting_place at, const std::source_location& where, const void* frame) {
  if (monitor* m = monitor::here()) m->tell([&](auto& one) { one.arrive(thread, at, where, frame); });
}
bool stopped_by(const detail::fault_signal& signal) {
  monitor* m = monitor::here();
  return m && m->stopped_by(signal);
}
void enter_thread(unsigned number) {
  if (monitor* m = monitor::here()) m->enter_thread(number);
}
void leave_thread() {
  if (monitor* m = monitor::here()) m->leave_thread();
}
thread_scope::~thread_scope() {
  if (monitor* m = monitor::here()) std::uncaught_exceptions() > 0 ? m->thread_has_failed() : m->leave_thread();
}
void block_has_met() {
  if (monitor* m = monitor::here()) m->block_has_met();
}
void warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool orders, bool exchanges) {
  if (monitor* m = monitor::here()) m->warp_has_met(warp, mask, whole_warp, orders, exchanges);
}
void grid_has_met() {
  if (monitor* m = monitor::here()) m->grid_has_met();
}
bool divergent_barrier(const waiting_thread& one, const waiting_thread* other) {
  if (monitor* m = monitor::here()) m->tell([&](auto& each) { each.divergent_barrier(one, other); });
  return watching();
}
void read_of_absent_lane(unsigned thread, const std::source_location& where) {
  if (monitor* m = monitor::here()) m->tell([&](auto& one) { one.absent_lane_read(thread, where); });
}
void exit_before_grid_sync(unsigned thread, const std::source_location& where) {
  if (monitor* m = monitor::here()) m->tell([&](auto& one) { one.exit_before_grid_sync(thread, where); });
}

// --- order of queued work --------------------------------------------------------------------------------------------

queued_work note_queued(stream_clock& on) {
  monitor& m = monitor::instance();
  const std::lock_guard lock(m.mutex);
  if (on.number == 0) on.number = ++m.streams;
  on.order.join(m.host);
  on.order.advance(on.number);
  const queued_work work{on.order, on.number, ++m.queued};
  m.each([&](auto& one) { one.queued(work); });
  return work;
}

void note_waited(const work_order& order) {
  monitor& m = monitor::instance();
  const std::lock_guard lock(m.mutex);
  m.host.join(order);
  m.each([&](auto& one) { one.waited(order); });
}

work_scope::work_scope(const queued_work& work) {
  monitor& m = monitor::instance();
  watched_ = m.running();
  if (!watched_) return;
  m.turn.lock();
  if ((watched_ = m.running()))
    m.begin_work(work);
  else  // the inspection has ended meanwhile
    m.turn.unlock();
}
work_scope::~work_scope() {
  if (!watched_) return;
  monitor& m = monitor::instance();
  m.end_work();
  m.turn.unlock();
}

host_function_scope::host_function_scope() : watched_(monitor::here_ != nullptr) {
  if (!watched_) return;
  monitor::here_ = nullptr;
  monitor::instance().each([](auto& one) { one.begin_host_function(); });
}
host_function_scope::~host_function_scope() {
  if (!watched_) return;
  monitor::instance().each([](auto& one) { one.end_host_function(); });
  monitor::here_ = &monitor::instance();
}

// --- device memory ---------------------------------------------------------------------------------------------------

void* allocate(std::size_t bytes) {
  monitor& m = monitor::instance();
  const std::lock_guard lock(m.mutex);
  return m.arena().allocate(bytes);
}
void deallocate(void* memory, std::size_t bytes) {
  monitor& m = monitor::instance();
  const std::lock_guard lock(m.mutex);
  m.arena().deallocate(memory, bytes);
}
namespace {
void describe_array(void* memory, std::size_t bytes, const std::source_location& made, bool managed, bool pinned) {
  if (!memory) return;
  monitor& m = monitor::instance();
  const std::scoped_lock lock(m.mutex, m.turn);
  if (!m.arena().contains(reinterpret_cast<std::uintptr_t>(memory))) return;  // of another device
  allocation& array = m.arena().describe(memory, bytes, made, m.sites());
  array.managed = array.all_written = managed;
  array.pinned = pinned;
  watched_by_host::add_arena(m.arena().base(), device_arena::reserved);
  m.tell([&](auto& one) { one.array_made(array); });
}
}  // namespace
void note_allocated(void* memory, std::size_t bytes, const std::source_location& made, bool managed) {
  describe_array(memory, bytes, made, managed, false);
}
void note_pinned(void* memory, std::size_t bytes, const std::source_location& made) {
  describe_array(memory, bytes, made, true, true);
}

namespace {
// Calls change(allocation, offset) for the array that `memory` lies in.
template <class Change>
void change_array(const void* memory, const Change& change) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  monitor& m = monitor::instance();
  const std::scoped_lock lock(m.mutex, m.turn);
  if (!m.arena().contains(address)) return;
  if (allocation* a = m.arena().find(address)) change(*a, address - a->begin);
}
}  // namespace

void note_freed(void* memory) {
  change_array(memory, [](allocation& a, std::size_t) {
    a.freed = true;
    a.freed_at = monitor::instance().queued + 1;
    monitor::instance().tell([&](auto& one) { one.array_freed(a); });
  });
}
void note_lent(const void* memory) {
  change_array(memory, [](allocation& a, std::size_t) {
    a.managed = true;
    monitor::instance().tell([&](auto& one) { one.array_lent(a); });
  });
}
void note_device_variable(const void* memory, std::size_t bytes, std::string_view name,
                          const std::source_location& made) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  monitor& m = monitor::instance();
  const std::scoped_lock lock(m.mutex, m.turn);
  m.variables().add(begin, bytes, name, m.sites().number_of_place({made.file_name(), made.line(), 0}));
  watched_by_host::add_variable(begin, bytes);
}
void share_device_variables() { watched_by_host::share_variables(); }
void account_for_errors_by(error_account (*give_account)()) {
  monitor& m = monitor::instance();
  const std::lock_guard lock(m.mutex);
  m.account_for_errors_by(give_account);
}
bool watched_after_free(const void* memory) {
  bool freed = false;
  change_array(memory, [&](const allocation& a, std::size_t) { freed = a.freed; });
  return freed && monitor::instance().running();
}
void note_copy_to_device(const void* to, std::size_t bytes, const std::source_location& where) {
  monitor& m = monitor::instance();
  if (!m.running()) return;
  const std::scoped_lock lock(m.mutex, m.turn);
  m.tell([&](auto& one) { one.copied_to_device(bytes, where); });
  if (bytes == 0) return;
  change_array(to, [&](allocation& a, std::size_t offset) {
    a.note_copies({{offset, offset + bytes}});
    if (a.cells) a.cells->overwrite(offset, offset + bytes);
  });
}
void note_queued_copy_to_device(std::size_t bytes, const std::source_location& where) {
  monitor& m = monitor::instance();
  const std::scoped_lock lock(m.mutex, m.turn);
  if (m.running()) m.tell([&](auto& one) { one.copied_to_device(bytes, where); });
}
// Whether what it reads has been written shows when it runs: no address now.
void note_queued_copy_to_host(std::size_t bytes, std::size_t element_bytes, const std::source_location& where) {
  monitor& m = monitor::instance();
  const std::scoped_lock lock(m.mutex, m.turn);
  if (m.running()) m.tell([&](auto& one) { one.copied_to_host(0, bytes, element_bytes, where); });
}
void note_copy_writes(const void* to, std::size_t bytes, const std::source_location& where) {
  monitor* const m = monitor::here();
  if (!m) return;
  m->bulk_access(reinterpret_cast<std::uintptr_t>(to), bytes, access_kind::write, &where);
  change_array(to, [&](allocation& a, std::size_t offset) {
    if (a.cells) a.cells->overwrite(offset, offset + bytes);
  });
}
void note_copy_reads(const void* from, std::size_t bytes, const std::source_location& where) {
  if (monitor* m = monitor::here())
    m->bulk_access(reinterpret_cast<std::uintptr_t>(from), bytes, access_kind::read, &where);
}
void note_copy_within_device(const void* to, const void* from, std::size_t bytes) {
  if (bytes == 0 || !monitor::instance().running()) return;
  change_array(from, [&](allocation& source, std::size_t begin) {
    allocation::stretches written = source.written_in(begin, begin + bytes);
    change_array(to, [&](allocation& a, std::size_t offset) {
      for (auto& [first, last] : written) first += offset - begin, last += offset - begin;
      a.note_copies(written);
      a.cells_made().visit(offset, bytes, [](cell& c, std::size_t) { c.device_wrote = 1; });
    });
    source.cells_made().visit(begin, bytes, [](cell& c, std::size_t) { c.device_read = 1; });
  });
}
used_bytes use_of(const void* memory, std::size_t bytes) {
  used_bytes found;
  change_array(memory, [&](const allocation& a, std::size_t begin) {
    const auto inside = [&](const device_use::stretches& all) {
      std::uint64_t sum = 0;
      for (const auto& [from, to] : all) {
        const std::size_t first = std::max(from, begin), last = std::min(to, begin + bytes);
        if (first < last) sum += last - first;
      }
      return sum;
    };
    const device_use use = a.used();
    found = {inside(use.read), inside(use.written)};
  });
  return found;
}
void keep_use() {
  monitor& m = monitor::instance();
  const std::scoped_lock lock(m.mutex, m.turn);
  m.arena().keeps_use = true;
}
void note_copy_to_host(const void* from, std::size_t bytes, std::size_t element_bytes,
                       const std::source_location& where) {
  monitor& m = monitor::instance();
  const std::scoped_lock lock(m.mutex, m.turn);
  if (!m.running()) return;
  m.tell([&](auto& one) { one.copied_to_host(reinterpret_cast<std::uintptr_t>(from), bytes, element_bytes, where); });
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
