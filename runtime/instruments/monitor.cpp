#include "runtime/instruments/monitor.h"

#if GRIDSTRIDE_CHECKED

#include <dlfcn.h>
#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/fault_signal.h"
#include "runtime/core/source_notes.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/instruments/memory/access_trap.h"
#include "runtime/instruments/memory/watched_by_host.h"
#include "runtime/instruments/observing/finding_report.h"
#include "runtime/instruments/results/place_text.h"
#include "runtime/instruments/spin_watch.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

// The program or library that a piece of code belongs to.
const void* object_of(const void* code) {
  Dl_info info;
  return dladdr(code, &info) != 0 ? info.dli_fbase : nullptr;
}

// Whether it is the runtime's own, and not a template of its headers.
bool is_runtime_code(const void* code) {
  static const void* const runtime = object_of(reinterpret_cast<const void*>(&monitor::instance));
  return object_of(code) == runtime;
}

[[gnu::always_inline]] inline std::uintptr_t this_frame() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

// Each instrument, with the observation that they share.
template <class... Instrument>
std::tuple<Instrument...> instruments_of(observation& observed, std::type_identity<std::tuple<Instrument...>>) {
  return std::tuple<Instrument...>((static_cast<void>(sizeof(Instrument)), observed)...);
}

}  // namespace

[[gnu::tls_model("initial-exec")]] constinit thread_local monitor* monitor::here_ = nullptr;

monitor::monitor() : instruments_(instruments_of(observed_, std::type_identity<instrument_list>())) {
  access_trap::belong_to(observed_.arena, &monitor::trapped);
}

monitor& monitor::instance() {
  static auto* one = new monitor;  // never destroyed: kernels may still run while the program ends
  return *one;
}

// --- gs::inspect -----------------------------------------------------------------------------------------------------

void monitor::start(const inspect_options& options) {
  const std::scoped_lock lock(mutex, turn);
  observed_.options = options;
  observed_.time = {};
  observed_.log = {};
  observed_.accesses = 0;
  observed_.interrupted = false;
  replay_.begin_inspection();
  clock_.begin_inspection();
  shared_.forget();
  last_array_ = nullptr;
  // What ran before wasn't watched: it may have written anything.
  for (allocation& a : observed_.arena.allocations()) {
    a.all_written = true;
    a.cells.reset();
  }
  std::apply([&](auto&... one) { (one.turn(one.wanted(options)), ...); }, instruments_);
  running_ = true;
  tell([](auto& one) { one.begin_inspection(); });
  watched_by_host::add_arena(observed_.arena.base(), device_arena::reserved);
  watched_by_host::turn(true);
}

inspection monitor::stop() {
  const std::scoped_lock lock(mutex, turn);
  watched_by_host::turn(false);
  running_ = false;
  tell([](auto& one) { one.writes_are_done(); });
  tell([](auto& one) { one.end_inspection(); });
  return conclude();
}

// Whoever crashed may hold the locks, and lets go of them no more.
inspection monitor::so_far() {
  watched_by_host::turn(false);
  running_ = false;
  return conclude();
}

inspection monitor::conclude() {
  tell([](auto& one) { one.ask_for_places(); });
  observed_.sites.resolve();
  tell([](auto& one) { one.settle(); });
  const inspect_options& options = observed_.options;
  inspection result;
  result.seconds = clock_.seconds();
  for (std::size_t i = 0; i < detail::instrument_count; ++i)
    if (options.instruments[i]) result.instruments.push_back(static_cast<instrument>(i));
  result.model = options.model;
  result.registers_per_thread = options.registers_per_thread;
  result.orders = options.orders;
  result.notes = replay_.take_notes();
  if (detail::source_notes::of_loaded_code()->empty())
    result.notes.push_back(
        "Names of arrays and indices were left out, and lines alone are told: the program was compiled "
        "without our plugin for g++; './gridstride doctor' says which package is missing.");
  tell([&](auto& one) { one.add_to(result); });
  result.findings = finding_report(observed_.log, observed_.sites, options);
  for (line_counters& line : result.lines) {
    line.array = detail::name_of_array(line.made);
    line.expression = detail::text_of_access(line.where);
  }
  for (warp_picture& picture : result.pictures) {
    picture.array = detail::name_of_array(picture.made);
    picture.expression = detail::text_of_access(picture.where);
  }
  std::apply([](auto&... one) { (one.turn(false), ...); }, instruments_);
  // The shadow memory of this run serves no other.
  for (allocation& a : observed_.arena.allocations()) a.cells.reset();
  return result;
}

// --- what runs -------------------------------------------------------------------------------------------------------

void monitor::begin_work(const queued_work& work) {
  here_ = this;
  observed_.time.begin_work(work);
  clock_.begin_launch(1);  // which a library's call is, too
  observed_.indices.forget();
  observed_.call = unknown_site;
  observed_.in_thread = false;
  observed_.all_threads = 1;
  in_library_ = false;
  engines_own_ = own_stack_ = {};
  tell([](auto& one) { one.begin_work(); });
}

void monitor::end_work() {
  tell([](auto& one) { one.writes_are_done(); });
  tell([](auto& one) { one.end_work(); });
  here_ = nullptr;
}

void monitor::name_work(std::string_view name) {
  observed_.time.name_work(name);
  in_library_ = true;
}

void monitor::observe_launch(const launch_description& launch, detail::function_ref<void()> run) {
  bool finds = false;
  tell([&](auto& one) { finds |= one.depends_on_order(); });
  clock_.begin_launch(replay_.begin_launch(launch, finds));
  observed_.log.begin_launch();
  observed_.time.begin_launch(launch);
  tell([&](auto& one) { one.begin_launch(launch); });
  const std::exception_ptr failure = replay_.run(launch, [&] { return run_once(launch, run); });
  tell([](auto& one) { one.end_launch(); });
  observed_.log.end_launch();
  if (failure) std::rethrow_exception(failure);
}

std::exception_ptr monitor::run_once(const launch_description& launch, detail::function_ref<void()> run) {
  shared_.begin_run(launch.static_shared_bytes, launch.dynamic_shared_bytes);
  observed_.bases.fill(0);
  tell([](auto& one) { one.begin_run(); });
  std::exception_ptr failure;
  try {
    run();
  } catch (...) {
    failure = std::current_exception();
  }
  observed_.in_thread = false;
  tell([](auto& one) { one.writes_are_done(); });
  tell([](auto& one) { one.end_run(); });
  observed_.time.end_launch();
  observed_.log.end_run();
  return failure;
}

void monitor::enter_block(std::size_t number, bool goes_on) {
  observed_.time.enter_block(number, goes_on);
  if (!goes_on) clock_.enter_block();
  tell([&](auto& one) { one.enter_block(number, goes_on); });
}

void monitor::set_block_aside() {
  tell([](auto& one) { one.writes_are_done(); });
  tell([](auto& one) { one.set_block_aside(); });
  observed_.time.set_block_aside();
}

void monitor::go_back_to_block(std::size_t number) {
  observed_.time.go_back_to_block(number);
  tell([&](auto& one) { one.go_back_to_block(number); });
}

void monitor::block_has_met() {
  observed_.time.block_has_met();
  tell([](auto& one) { one.block_has_met(); });
}

void monitor::warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool orders, bool exchanges) {
  tell([&](auto& one) { one.warp_has_met(warp, mask, whole_warp, exchanges); });
  if (orders) observed_.time.warp_has_met(warp, mask);
}

void monitor::grid_has_met() {
  observed_.time.grid_has_met();
  tell([](auto& one) { one.grid_has_met(); });
}

void monitor::begin_thread(unsigned number, const void* frame) {
  observed_.bases[number % observation::most_threads] = reinterpret_cast<std::uintptr_t>(frame);
  tell([&](auto& one) { one.begin_thread(number); });
  enter_thread(number);
}

void monitor::enter_thread(unsigned number) {
  observed_.time.enter_thread(number);
  ++observed_.turns;
  observed_.in_thread = true;
  observed_.all_threads = 1;
  tell([&](auto& one) { one.enter_thread(number); });
}

void monitor::enter_all_threads(unsigned threads) {
  tell([&](auto& one) { one.enter_all_threads(threads); });
  enter_thread(0);
  observed_.all_threads = threads;
}

void monitor::leave_thread() {
  tell([](auto& one) { one.leave_thread(); });
  observed_.in_thread = false;
}

void monitor::thread_has_failed() {
  tell([](auto& one) { one.thread_has_failed(); });
  observed_.in_thread = false;
}

bool monitor::stopped_by(const detail::fault_signal& signal) {
  if (!observed_.in_thread) return false;
  bool is_finding = false;
  tell([&](auto& one) { is_finding |= one.stopped_by(signal); });
  if (!is_finding) return false;
  observed_.in_thread = false;
  observed_.range = {};
  return true;
}

// --- elements --------------------------------------------------------------------------------------------------------

void* monitor::element(const indexing& i) {
  const own_work now(busy_);
  const std::uintptr_t frame = this_frame();
  each([&](auto& one) { one.before_index(i, frame); });
  std::size_t offset = 0;
  for (std::size_t d = 0; d < i.rank; ++d) {
    if (i.index[d] >= i.extents[d]) {
      const std::size_t piece = next_piece_of_nowhere();
      each([&](auto& one) { one.index_outside(i, piece); });
      return nowhere::cleared(piece, i.element.bytes);
    }
    offset = offset * i.extents[d] + i.index[d];
  }
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(i.data) + offset * i.element.bytes;
  noted_index& note = observed_.indices.add(i, address, observed_.sites.number_of(i.where), observed_.turns);
  each([&](auto& one) { one.index_formed(i, note); });
  if (allocation* const array = observed_.arena.contains(address) ? array_at(address) : nullptr) {
    if (observed_.is_gone(*array)) {
      const std::size_t piece = next_piece_of_nowhere();
      each([&](auto& one) { one.index_of_freed(note, *array, piece); });
      return nowhere::cleared(piece, i.element.bytes);
    }
    array->element = i.element;
    array->first_element = note.data;
  }
  return reinterpret_cast<void*>(address);
}

// The address lies in the arena. Mostly it is the same array again.
inline allocation* monitor::array_at(std::uintptr_t address) {
  if (!last_array_ || address - last_array_->begin >= last_array_->bytes) last_array_ = observed_.arena.find(address);
  return last_array_;
}

// --- accesses --------------------------------------------------------------------------------------------------------

void monitor::set_range(const address_range& range) {
  if (range.begin != range.end) tell([](auto& one) { one.writes_are_done(); });
  observed_.range = range;
}

void monitor::access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  if (busy_) return;
  if (observed_.interrupted.load(std::memory_order_relaxed)) end_interrupted_thread(address, code);
  const own_work now(busy_);
  const std::uintptr_t frame = this_frame();
  // The hook of what a struct is copied from comes after that of where it is copied to, and before the copy. The pieces
  // of a range are written after the hooks of all of them.
  const bool is_after_writes = kind != access_kind::read && observed_.range.begin == observed_.range.end;
  each([&](auto& one) {
    if (is_after_writes) one.writes_are_done();
    one.before_access(address, bytes);
    one.before_plain_access(frame, code);
  });
  if (nowhere::contains(address)) return reach_nowhere(address, kind);
  reach(address, bytes, kind, kind == access_kind::read, kind == access_kind::write, code);
}

void monitor::atomic(std::uintptr_t address, std::size_t bytes, atomic_effect effect, const void* code) {
  if (observed_.interrupted.load(std::memory_order_relaxed)) end_interrupted_thread(address, code);
  const own_work now(busy_);
  each([&](auto& one) {
    one.writes_are_done();
    one.before_access(address, bytes);
  });
  if (nowhere::contains(address)) return reach_nowhere(address, access_kind::atomic);
  if (effect != atomic_effect::load) observed_.time.hand_over(address);
  reach(address, bytes, access_kind::atomic, effect != atomic_effect::store, effect != atomic_effect::load, code);
  if (effect != atomic_effect::store) observed_.time.take_over(address);
}

void monitor::bulk_access(std::uintptr_t address, std::size_t bytes, access_kind kind,
                          const std::source_location* where) {
  const own_work now(busy_);
  observed_.call = where ? observed_.sites.number_of(*where) : unknown_site;
  if (bytes > 0) reach(address, bytes, kind, kind == access_kind::read, kind == access_kind::write, nullptr);
}

// What the access that an index was formed for does.
void monitor::reach_nowhere(std::uintptr_t address, access_kind kind) {
  const std::size_t piece = nowhere::piece_of(address);
  each([&](auto& one) { one.access_nowhere(piece, kind); });
}

void monitor::reach(std::uintptr_t address, std::size_t bytes, access_kind kind, bool reads, bool writes,
                    const void* code) {
  if (replay_.is_endless()) give_up();
  allocation* array = nullptr;
  shadow* cells = nullptr;
  std::uintptr_t begin = 0;
  if (observed_.arena.contains(address)) {
    array = array_at(address);
    if (!array || address + bytes > array->end() || observed_.is_gone(*array))
      return reach_stray(address, bytes, kind, code);
    cells = &array->cells_made();
    begin = array->begin;
  } else if (detail::in_shared_memory(reinterpret_cast<const void*>(address))) {
    const detail::block_scheduler* running = detail::block_scheduler::running_here();
    begin = running ? reinterpret_cast<std::uintptr_t>(running->shared_memory_so_far()) : 0;
    if (begin == 0 || !shared_.holds(address - begin, bytes)) return reach_stray(address, bytes, kind, code);
    cells = &shared_.of(begin);
  } else {
    return reach_stray(address, bytes, kind, code);
  }
  const noted_index* note = observed_.indices.find(address);
  touch({.kind = kind,
         .reads = reads,
         .writes = writes,
         .space = array ? memory_space::global : memory_space::shared,
         .address = address,
         .bytes = bytes,
         .note = note,
         .owner = array,
         .memory_begin = begin,
         .cells = cells,
         .code = code,
         .by = observed_.time.now(observed_.site_of(note, code))},
        *cells);
  if ((++observed_.accesses & 0xffff) == 0) clock_.tell(observed_);
  if (writes && replay_.saves() && array) save(address, bytes, true);
}

inline void monitor::touch(const observed_access& a, shadow& cells) {
  const bool by_all = observed_.all_threads > 1;
  const bool changes = a.writes && observed_.order.as_numbered();  // what other orders write is taken back
  each([&](auto& one) { one.access(a); });
  if (by_all && a.writes) {
    cells.visit(a.offset(), a.bytes, [&](cell& c, std::size_t /*offset*/) {
      c.write = a.by;
      if (changes) c.written = c.device_wrote = 1;
    });
    return;
  }
  cells.visit(a.offset(), a.bytes, [&](cell& c, std::size_t offset) {
    each([&](auto& one) { one.access_cell(a, cells, c, offset); });
    observed_.history.remember(cells, c, a.by, a.kind, a.writes, a.space);
    if (a.reads) c.device_read = 1;
    if (changes) c.written = c.device_wrote = 1;
  });
  if (by_all && a.kind == access_kind::read) {  // the last thread stands for all others
    mark last = a.by;
    last.thread = (observed_.all_threads - 1) & 1023;
    cells.visit(a.offset(), a.bytes,
                [&](cell& c, std::size_t /*offset*/) { observed_.history.remember_read(cells, c, last, a.space); });
  }
}

// What is neither in an array nor in shared memory: the thread's own, or what a pointer has led to.
void monitor::reach_stray(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  if (!observed_.in_thread || (kind == access_kind::read ? engines_own_ : own_stack_).contains(address)) return;
  const noted_index* note = observed_.indices.find(address);
  const auto stray = [&](stray_place place, const allocation* owner = nullptr) {
    const stray_access a{place, kind, address, note, owner, observed_.site_of(note, code)};
    bool is_finding = false;
    each([&](auto& one) { is_finding |= one.access_stray(a); });
    return is_finding;
  };
  if (observed_.arena.contains(address)) {
    observed_.arena.let_through(address);
    stray(stray_place::no_array, observed_.arena.find(address));
  } else if (detail::in_shared_memory(reinterpret_cast<const void*>(address))) {
    if (stray(stray_place::beyond_shared) && !is_memory(address)) stop_block();
  } else if (const auto own = memory_of_kernels_on_the_host(address); own.range.contains(address)) {
    if (kind == access_kind::read)
      engines_own_ = own.range;
    else if (own.is_stack)
      own_stack_ = own.range;
    else if (replay_.saves())
      save(address, bytes, false);
  } else if (is_memory(address)) {
    stray(stray_place::host_memory);
  } else {
    if (stray(stray_place::no_memory)) stop_block();
  }
}

// Before the access: what it would write can't be taken back, or the run would never end.
void monitor::save(std::uintptr_t address, std::size_t bytes, bool of_array) {
  if (!replay_.save(address, bytes, of_array)) give_up();
}

void monitor::trapped(std::uintptr_t address, access_kind kind, const void* code) {
  const auto* next = static_cast<const char*>(code) + 1;  // places of code are told by where calls return to
  monitor* m = here_;
  if (m == nullptr) {
    if (is_runtime_code(code)) return;
    const void* const caller = site_table::caller_of(next);
    return instance().each([&](auto& one) { one.host_access(address, 1, kind, caller); });
  }
  if (m->busy_ || m->in_library_ || (!m->observed_.in_thread && is_runtime_code(code))) return;
  m->tell([&](auto& one) { one.trapped(address, kind, next); });
}

// --- threads that are stopped, or wait -------------------------------------------------------------------------------

void monitor::end_interrupted_thread(std::uintptr_t address, const void* code) {
  const bool is_device_memory =
      observed_.arena.contains(address) || detail::in_shared_memory(reinterpret_cast<const void*>(address));
  if (!observed_.in_thread || !is_device_memory || !detail::block_scheduler::running_here()) return;
  const site where = site_of(address, code);
  std::exception_ptr why;
  {
    const own_work now(busy_);
    const timeline& time = observed_.time;
    why = std::make_exception_ptr(error(
        fmt::format("kernel {}", time.work().kernel),
        fmt::format("interrupted in thread {} of block {} at {}", time.thread(), time.block(), place_text(where, code)),
        "run it again to see the rest"));
  }
  stop_thread(std::move(why));
}

// The access would end the program: the block ends instead.
void monitor::stop_block() {
  if (detail::block_scheduler::running_here()) stop_thread();
}

void monitor::give_up() {
  if (!detail::block_scheduler::running_here()) return;
  replay_.give_up();
  stop_thread();
}

void monitor::stop_thread(std::exception_ptr why) {
  observed_.in_thread = busy_ = false;
  observed_.range = {};
  detail::block_scheduler::go_on_without_this_thread(std::move(why));
}

void monitor::while_others_run(detail::function_ref<void()> others) {
  const index_notes before = observed_.indices;
  others();
  observed_.indices = before;
}

site monitor::site_of(std::uintptr_t address, const void* code) {
  const noted_index* note = observed_.indices.find(address);
  if (note) return note->where;
  const own_work now(busy_);
  return observed_.sites.number_of_code(code);
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
