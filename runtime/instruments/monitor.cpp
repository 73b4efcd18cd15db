#include "runtime/instruments/monitor.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "runtime/array/index.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/engine/shared_window.h"
#include "runtime/instruments/finding_text.h"
#include "runtime/instruments/launch_refusals.h"
#include "runtime/instruments/occupancy.h"
#include "runtime/instruments/place_text.h"

namespace gs::inline GS_FLAVOUR::instruments {
namespace {

// What lies below belongs to nobody on Linux (vm.mmap_min_addr): null pointers, and elements near them.
constexpr std::uintptr_t lowest_address = std::uintptr_t{1} << 16;

// The monitor's own code calls functions of the standard library that the program has compiled with hooks too. What
// these access is no thread's.
class own_work {
 public:
  explicit own_work(bool& busy) : busy_(busy) { busy_ = true; }
  ~own_work() { busy_ = false; }
  own_work(const own_work&) = delete;
  own_work& operator=(const own_work&) = delete;

 private:
  bool& busy_;
};

}  // namespace

monitor& monitor::instance() {
  static auto* one = new monitor;  // never destroyed: kernels may still run while the program ends
  return *one;
}

constinit thread_local monitor* monitor::here_ = nullptr;
alignas(64) std::byte monitor::nowhere[nowhere_bytes];

void* monitor::nowhere_for(std::size_t bytes) {
  if (bytes > nowhere_bytes)
    throw error("an element under inspection", "it has more than 64 KiB", "use smaller elements");
  std::memset(nowhere, 0, bytes);
  return nowhere;
}

// --- gs::inspect -----------------------------------------------------------------------------------------------------

void monitor::start(const inspect_options& options) {
  const std::scoped_lock lock(mutex, turn);
  options_ = options;
  time_ = {};
  log_ = {};
  requests_ = request_recorder();
  copies_.clear();
  shared_cells_.clear();
  shared_ = nullptr;
  last_allocation_ = nullptr;
  allocations_before_ = arena.allocations().size();
  // What ran before wasn't watched: it may have written anything.
  for (allocation& a : arena.allocations()) {
    a.all_written = true;
    a.cells.reset();
  }
  started_ = std::chrono::steady_clock::now();
  running_ = true;
}

inspection monitor::stop() {
  const std::scoped_lock lock(mutex, turn);
  running_ = false;
  settle_pending();
  if (wants(instrument::leakcheck)) {
    for (std::size_t i = allocations_before_; i < arena.allocations().size(); ++i) {
      const allocation& a = arena.allocations()[i];
      if (a.freed) continue;
      const finding_log::key key{finding_kind::leak, "", a.made, unknown_site};
      if (log_.count_again(key) != finding_log::no_finding) continue;
      finding f;
      f.kind = finding_kind::leak;
      f.access.where = f.made = sites.place(a.made);
      log_.add(key, std::move(f));
    }
  }
  sites.resolve();
  inspection result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  for (std::size_t i = 0; i < instrument_count; ++i)
    if (options_.instruments[i]) result.instruments.push_back(static_cast<instrument>(i));
  result.model = options_.model;
  if (options_.counters) {
    requests_.report(result, sites);
    result.copies = copies_by_line();
  }
  result.registers_per_thread = options_.registers_per_thread;
  for (kernel_counters& k : result.kernels)
    k.occupancy = occupancy_of(model_of(options_.model), k.block, k.static_shared_bytes + k.dynamic_shared_bytes,
                               options_.registers_per_thread)
                      .share;
  for (std::size_t i = 0; i < log_.size(); ++i) {
    finding& f = log_[i];
    f.access.where = f.access.where.line ? f.access.where : sites.place(log_.where(i));
    if (f.other && f.other->where.line == 0) f.other->where = sites.place(log_.other(i));
  }
  result.findings = log_.take();
  finish_findings(result.findings);
  for (line_counters& line : result.lines) line.array = name_of_array(line.made);
  for (warp_picture& picture : result.pictures) picture.array = name_of_array(picture.made);
  // The shadow memory of this run serves no other.
  for (allocation& a : arena.allocations()) a.cells.reset();
  return result;
}

void monitor::count_copy(const line_copies& one, const std::source_location& where) {
  if (options_.counters) copies_[sites.number_of_caller(where)].add(one);
}

// Several calls may stand in one line.
std::vector<line_copies> monitor::copies_by_line() const {
  std::map<std::pair<std::string, unsigned>, line_copies> lines;
  for (const auto& [caller, made] : copies_) {
    const source_place& place = sites.place(caller);
    const auto [line, is_new] = lines.try_emplace({place.file, place.line}, line_copies{.where = place});
    line->second.add(made);
  }
  std::vector<line_copies> sorted;
  for (const auto& [place, one] : lines) sorted.push_back(one);
  return sorted;
}

// --- what runs -------------------------------------------------------------------------------------------------------

void monitor::begin_work(const queued_work& work) {
  here_ = this;
  time_.begin_work(work);
  notes_ = {};
  in_thread_ = false;
  engines_own_ = {};
}

void monitor::end_work() {
  settle_pending();
  requests_.finish_requests();
  here_ = nullptr;
}

void monitor::begin_launch(const launch_description& launch) {
  time_.begin_launch(launch);
  requests_.begin_launch(launch);
  launch_started_ = std::chrono::steady_clock::now();
  blocks_done_ = 0;
  if (!wants(instrument::limits)) return;
  for (const error& refusal :
       launch_refusals(model_of(options_.model), {.kernel = std::string(launch.kernel),
                                                 .grid = launch.grid,
                                                 .block = launch.block,
                                                 .static_shared_bytes = launch.static_shared_bytes,
                                                 .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                                                 .parameter_bytes = launch.parameter_bytes,
                                                 .registers_per_thread = options_.registers_per_thread,
                                                 .cooperative = launch.cooperative})) {
    const finding_log::key key{finding_kind::launch_limit, launch.kernel, sites.number_of_text(refusal.what()),
                               sites.number_of(launch.where)};
    if (log_.count_again(key) != finding_log::no_finding) continue;
    finding f = describe_here(finding_kind::launch_limit, access_kind::read);
    f.access.where = place_of(launch.where);
    describe(f, refusal);
    log_.add(key, std::move(f));
  }
}

void monitor::end_launch() {
  requests_.finish_requests();
  time_.end_launch();
}

void monitor::enter_block(std::size_t number, bool goes_on) {
  time_.enter_block(number, goes_on);
  if (!goes_on && number > 0) ++blocks_done_;
  requests_.enter_block(number);
}

void monitor::enter_thread(unsigned number) {
  time_.enter_thread(number);
  requests_.enter_thread(number);
  in_thread_ = true;
}

// An exception that the kernel or the engine has made lies in the host's memory: no finding of its own.
void monitor::thread_has_failed() {
  in_thread_ = false;
  const finding_access me = describe_here(finding_kind::host_memory, access_kind::read).access;
  for (std::size_t i = 0; i < log_.size(); ++i) {
    finding& f = log_[i];
    if (f.kind == finding_kind::host_memory && f.access.kernel == me.kernel && f.access.block == me.block &&
        f.access.thread == me.thread)
      f.count = 0;
  }
}

void monitor::block_has_met() {
  time_.block_has_met();
  requests_.finish_requests();
  requests_.count_barrier();
}

void monitor::warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool orders) {
  if (orders) time_.warp_has_met(warp, mask);
  if (whole_warp) requests_.finish_requests();
}

void monitor::grid_has_met() {
  time_.grid_has_met();
  requests_.finish_requests();
}

// --- elements --------------------------------------------------------------------------------------------------------

void* monitor::element(const indexing& i) {
  const own_work now(busy_);
  std::size_t offset = 0;
  for (std::size_t d = 0; d < i.rank; ++d) {
    if (i.index[d] >= i.extents[d]) {
      outside(i);
      return nowhere_for(i.element_bytes);
    }
    offset = offset * i.extents[d] + i.index[d];
  }
  const auto data = reinterpret_cast<std::uintptr_t>(i.data);
  const std::uintptr_t address = data + offset * i.element_bytes;
  noted_index& note = notes_[next_note_++ % notes_.size()];
  note.address = address;
  note.bytes = i.element_bytes;
  note.where = sites.number_of(i.where);
  note.data = data;
  note.rank = std::min(i.rank, note.extents.size());
  for (std::size_t d = 0; d < note.rank; ++d) note.extents[d] = i.extents[d];
  if (arena.contains(address)) {
    if (!last_allocation_ || address - last_allocation_->begin >= last_allocation_->bytes)
      last_allocation_ = arena.find(address);
    if (last_allocation_ && is_gone(*last_allocation_)) {
      report(finding_kind::use_after_free, access_kind::read, note.where, address, &note, last_allocation_);
      return nowhere_for(i.element_bytes);
    }
  }
  return reinterpret_cast<void*>(address);
}

void monitor::outside(const indexing& i) {
  if (!wants(instrument::memcheck)) return;
  const site where = sites.number_of(i.where);
  const finding_log::key key{finding_kind::outside_shape, time_.work().kernel, where, unknown_site};
  outside_ = log_.count_again(key);
  if (*outside_ != finding_log::no_finding) return;
  finding f = describe_here(finding_kind::outside_shape, access_kind::read);
  f.index.assign(i.index, i.index + i.rank);
  f.extents.assign(i.extents, i.extents + i.rank);
  const auto data = reinterpret_cast<std::uintptr_t>(i.data);
  // An empty array has no memory, and is none of a thread's: those have a fixed size.
  const bool is_empty = std::find(f.extents.begin(), f.extents.end(), 0) != f.extents.end();
  f.space = in_shared_memory(i.data)           ? memory_space::shared
            : is_empty || arena.contains(data) ? memory_space::global
                                               : memory_space::local;
  if (const allocation* owner = arena.contains(data) ? arena.find(data) : nullptr) f.made = sites.place(owner->made);
  outside_ = log_.add(key, std::move(f));
}

// The index formed last at an address is the one the access belongs to.
const monitor::noted_index* monitor::noted(std::uintptr_t address) const {
  for (std::size_t back = 1; back <= notes_.size(); ++back) {
    const noted_index& note = notes_[(next_note_ - back) % notes_.size()];
    if (address - note.address < note.bytes) return &note;
  }
  return nullptr;
}

// --- accesses --------------------------------------------------------------------------------------------------------

void monitor::access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  if (busy_) return;
  if (pending_) settle_pending();
  if (is_nowhere(address)) {
    if (outside_ && *outside_ != finding_log::no_finding) log_[*outside_].access.kind = kind;
    outside_.reset();
    return;
  }
  const own_work now(busy_);
  reach(address, bytes, kind, kind == access_kind::read, kind == access_kind::write, code);
}

void monitor::atomic(std::uintptr_t address, std::size_t bytes, atomic_effect effect, const void* code) {
  if (pending_) settle_pending();
  if (is_nowhere(address)) {
    if (outside_ && *outside_ != finding_log::no_finding) log_[*outside_].access.kind = access_kind::atomic;
    outside_.reset();
    return;
  }
  const own_work now(busy_);
  if (effect != atomic_effect::load) time_.hand_over(address);
  reach(address, bytes, access_kind::atomic, effect != atomic_effect::store, effect != atomic_effect::load, code);
  if (effect != atomic_effect::store) time_.take_over(address);
}

void monitor::reach(std::uintptr_t address, std::size_t bytes, access_kind kind, bool reads, bool writes,
                    const void* code) {
  allocation* owner = nullptr;
  shadow* cells = nullptr;
  std::uintptr_t begin = 0;
  if (arena.contains(address)) {
    if (!last_allocation_ || address - last_allocation_->begin >= last_allocation_->bytes)
      last_allocation_ = arena.find(address);
    owner = last_allocation_;
    if (!owner || address + bytes > owner->end() || is_gone(*owner)) return reach_foreign(address, kind, code);
    if (!owner->cells) owner->cells = std::make_unique<shadow>(owner->bytes);
    cells = owner->cells.get();
    begin = owner->begin;
  } else if (in_shared_memory(reinterpret_cast<const void*>(address))) {
    if (!shared_ || address - shared_begin_ >= shared_slot::stride) {
      shared_begin_ = address - (address - shared_window_start) % shared_slot::stride;
      auto& mine = shared_cells_[shared_begin_];
      if (!mine) mine = std::make_unique<shadow>(shared_slot::bytes);
      shared_ = mine.get();
    }
    cells = shared_;
    begin = shared_begin_;
  } else {
    return reach_foreign(address, kind, code);
  }
  const memory_space space = owner ? memory_space::global : memory_space::shared;
  const noted_index* note = noted(address);
  const site where = note ? note->where : code ? sites.number_of_code(code) : unknown_site;
  const reached_element at{kind, reads, writes, space, address, bytes, note, owner};
  const mark me = time_.now(where);
  cells->visit(address - begin, bytes, [&](cell& c) { touch(c, me, at); });
  if (options_.counters && time_.in_launch())
    requests_.record(where, kind, space, owner ? address : address - begin, bytes,
                     {.begin = owner ? begin : 0,
                      .bytes = owner ? owner->bytes : shared_slot::bytes,
                      .made = owner ? owner->made : unknown_site,
                      .element_bytes = note ? note->bytes : bytes,
                      .rank = note ? note->rank : 0,
                      .extents = note ? note->extents.data() : nullptr});
  if ((++ticks_ & 0xffff) == 0) tick();
}

// What is neither an array nor shared memory: the thread's own, or what a pointer has led to.
void monitor::reach_foreign(std::uintptr_t address, access_kind kind, const void* code) {
  if (!in_thread_ || engines_own_.contains(address)) return;
  const noted_index* note = noted(address);
  const auto where = [&] { return note ? note->where : code ? sites.number_of_code(code) : unknown_site; };
  if (arena.contains(address)) {
    arena.let_through(address);
    const allocation* owner = arena.find(address);
    const bool gone = owner && is_gone(*owner);
    report(gone ? finding_kind::use_after_free : finding_kind::outside_shape, kind, where(), address, note, owner);
  } else if (const address_range own = memory_of_kernels_on_the_host(address); own.contains(address)) {
    engines_own_ = own;
  } else if (address < lowest_address) {
    report(finding_kind::outside_shape, kind, where(), address, nullptr, nullptr);
    if (!block_scheduler::running_here()) return;
    // The access would end the program: the block ends instead.
    std::exception_ptr stop = std::make_exception_ptr(block_stopped{});
    in_thread_ = busy_ = false;
    block_scheduler::go_on_without_this_thread(std::move(stop));
  } else {
    report(finding_kind::host_memory, kind, where(), address, note, nullptr);
  }
}

inline void monitor::touch(cell& c, const mark& me, const reached_element& at) {
  if (wants(instrument::racecheck)) {
    conflict(me, c.write, at, access_kind::write);
    if (at.kind != access_kind::atomic) {
      conflict(me, c.atomic, at, access_kind::atomic);
      conflict(me, c.other_atomic, at, access_kind::atomic);
    }
    if (at.writes) {
      for (const mark* earlier : {&c.read, &c.other_read}) {
        if (!earlier->atomic)
          conflict(me, *earlier, at, access_kind::read);
        else if (at.kind != access_kind::atomic)
          conflict(me, *earlier, at, access_kind::atomic);
      }
    }
  }
  if (at.reads && wants(instrument::initcheck)) {
    const bool written = at.owner ? c.written || at.owner->written(at.address - at.owner->begin, &c)
                                  : time_.by_this_block(c.write) || time_.by_this_block(c.atomic);
    if (!written) report(finding_kind::uninitialized_read, at.kind, me.where, at.address, at.note, at.owner);
  }
  switch (at.kind) {
    case access_kind::read:
      remember(c.read, c.other_read, me, at.space);
      break;
    case access_kind::write:
      c.write = me;
      break;
    case access_kind::atomic:
      if (at.writes)
        remember(c.atomic, c.other_atomic, me, at.space);
      else
        remember_load(c, me, at.space);
      break;
  }
  if (at.writes) c.written = 1;
}

// `other` keeps what races with more than `last` does: the access of another block, or of another warp.
inline void monitor::remember(mark& last, mark& other, const mark& me, memory_space space) const {
  if (last.when != me.when || last.thread != me.thread) {
    const bool keeps = space == memory_space::global && other.when != 0 && other.when < me.when &&
                       time_.to(other) != relation::ordered;
    const bool keeps_warp = time_.in_other_warp(other) && !time_.in_other_warp(last);
    if (!keeps && !keeps_warp) other = last;
  }
  last = me;
}

// An atomic load is a read that doesn't race with atomic writes: it takes no plain read's place that may still race
// with them.
void monitor::remember_load(cell& c, mark me, memory_space space) const {
  me.atomic = 1;
  const auto may_go = [&](const mark& earlier) {
    return earlier.when == 0 || earlier.atomic || time_.to(earlier) == relation::ordered;
  };
  if (may_go(c.read) && may_go(c.other_read))
    remember(c.read, c.other_read, me, space);
  else if (may_go(c.other_read))
    c.other_read = me;
  else if (may_go(c.read))
    c.read = me;
}

inline void monitor::conflict(const mark& me, const mark& earlier, const reached_element& at,
                              access_kind earlier_kind) {
  if (earlier.when == 0) return;
  const relation lies = at.space == memory_space::shared ? time_.to_shared(earlier) : time_.to(earlier);
  if (lies != relation::ordered) race(lies, me, earlier, at, earlier_kind);
}

void monitor::race(relation lies, const mark& me, const mark& earlier, const reached_element& at,
                   access_kind earlier_kind) {
  const finding_kind kind = lies == relation::in_block         ? finding_kind::race_in_block
                            : lies == relation::between_blocks ? finding_kind::race_between_blocks
                                                               : finding_kind::race_between_streams;
  const finding_log::key key{kind, time_.work().kernel, me.where, earlier.where, at.kind, earlier_kind};
  const bool two_writes = at.kind == access_kind::write && earlier_kind == access_kind::write;
  std::size_t number = log_.count_again(key);
  if (number == finding_log::no_finding) {
    finding f = describe_here(kind, at.kind);
    f.other = who(earlier, earlier_kind);
    f.same_value = two_writes;  // until one of them writes something else
    locate(f, at.address, at.note, at.owner);
    number = log_.add(key, std::move(f));
  }
  if (two_writes && log_[number].same_value && at.bytes <= pending_write{}.before.size()) {
    pending_ = pending_write{number, at.address, at.bytes, {}};
    std::memcpy(pending_->before.data(), reinterpret_cast<const void*>(at.address), at.bytes);
  }
}

void monitor::settle_pending() {
  if (!pending_) return;
  if (std::memcmp(pending_->before.data(), reinterpret_cast<const void*>(pending_->address), pending_->bytes) != 0)
    log_[pending_->finding].same_value = false;
  pending_.reset();
}

void monitor::bulk_access(std::uintptr_t address, std::size_t bytes, access_kind kind) {
  if (bytes > 0) reach(address, bytes, kind, kind == access_kind::read, kind == access_kind::write, nullptr);
}

void monitor::tick() {
  if (!options_.on_progress) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = now;
  const auto seconds_since = [&](auto start) { return std::chrono::duration<double>(now - start).count(); };
  options_.on_progress({.seconds = seconds_since(started_),
                        .accesses = requests_.accesses(),
                        .kernel = time_.work().kernel,
                        .launch_seconds = seconds_since(launch_started_),
                        .blocks_done = blocks_done_,
                        .blocks = time_.work().grid.size()});
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
