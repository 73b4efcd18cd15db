#include "runtime/instruments/monitor.h"

#if GRIDSTRIDE_CHECKED

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "runtime/array/index.h"
#include "runtime/core/fault_signal.h"
#include "runtime/engine/block_scheduler.h"
#include "runtime/instruments/access_trap.h"
#include "runtime/instruments/finding_text.h"
#include "runtime/instruments/launch_refusals.h"
#include "runtime/instruments/occupancy.h"
#include "runtime/instruments/place_text.h"
#include "runtime/threads/shared_window.h"

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

// From the block's first byte of it.
std::size_t offset_in_shared(std::uintptr_t address) { return (address - shared_window_start) % shared_slot::stride; }

[[gnu::always_inline]] inline std::uintptr_t this_frame() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

}  // namespace

monitor& monitor::instance() {
  static auto* one = new monitor;  // never destroyed: kernels may still run while the program ends
  return *one;
}

constinit thread_local monitor* monitor::here_ = nullptr;
alignas(64) std::byte monitor::nowhere[nowhere_pieces * nowhere_bytes];

void* monitor::nowhere_for(std::size_t finding, std::size_t bytes) {
  if (bytes > nowhere_bytes)
    throw error("an element under inspection", "it has more than 64 KiB", "use smaller elements");
  const std::size_t piece = next_nowhere_++ % nowhere_pieces;
  nowhere_findings_[piece] = finding;
  std::byte* const begin = nowhere + piece * nowhere_bytes;
  std::memset(begin, 0, bytes);
  return begin;
}

// --- gs::inspect -----------------------------------------------------------------------------------------------------

void monitor::start(const inspect_options& options) {
  const std::scoped_lock lock(mutex, turn);
  options_ = options;
  local_bytes_ = model_of(options.model).local_bytes_per_thread;
  time_ = {};
  log_ = {};
  order_ = run_order();
  in_one_order_.clear();
  notes_of_launches_.clear();
  snapshot_bytes_ = 0;
  accesses_ = 0;
  requests_ = request_recorder();
  copies_.clear();
  shared_cells_.clear();
  shared_ = nullptr;
  nowhere_findings_.fill(finding_log::no_finding);
  forks_.clear();
  walks_.forget();
  walks_are_on_ = false;
  last_allocation_ = nullptr;
  allocations_before_ = arena.allocations().size();
  // What ran before wasn't watched: it may have written anything.
  for (allocation& a : arena.allocations()) {
    a.all_written = true;
    a.cells.reset();
  }
  {
    const std::lock_guard host(host_mutex_);
    host_accesses_.clear();
  }
  started_ = std::chrono::steady_clock::now();
  interrupted_ = false;
  running_ = true;
  close_to_host();
  if (options.hidden_accesses) {
    access_trap::begin();
    for (const allocation& a : arena.allocations())
      if (!a.freed) access_trap::add(a.begin, a.bytes);
    access_trap::draw();
  }
}

// The arena is there from the first array on.
void monitor::close_to_host() {
  if (!running_ || !wants(instrument::memcheck) || arena.base() == 0) return;
  closed_from_ = arena.base();
  closed_bytes_ = device_arena::reserved;
}

inspection monitor::stop() {
  const std::scoped_lock lock(mutex, turn);
  running_ = false;
  closed_bytes_ = 0;
  access_trap::end();
  settle_pending();
  report_host_accesses();
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
  return conclude();
}

// Whoever crashed may hold the locks, and lets go of them no more.
inspection monitor::so_far() {
  running_ = false;
  return conclude();
}

inspection monitor::conclude() {
  if (walks_are_on_) walks_.end_launch();  // that didn't end
  walks_.ask_for_places(sites);
  sites.resolve();
  settle_forks();
  walks_.settle(sites, [&](std::size_t finding, bool stands, std::string name) {
    if (!stands) log_[finding].count = 0;
    log_[finding].array = std::move(name);
  });
  inspection result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  for (std::size_t i = 0; i < instrument_count; ++i)
    if (options_.instruments[i]) result.instruments.push_back(static_cast<instrument>(i));
  result.model = options_.model;
  result.orders = options_.orders;
  result.notes = std::move(notes_of_launches_);
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
  announced_ = {};
  in_library_ = false;
  in_thread_ = false;
  all_threads_ = 1;
  engines_own_ = own_stack_ = {};
  access_trap::draw();
}

void monitor::end_work() {
  settle_pending();
  requests_.finish_requests();
  here_ = nullptr;
}

void monitor::enter_block(std::size_t number, bool goes_on) {
  forget_arrivals();
  time_.enter_block(number, goes_on);
  walks_.enter_block(number);
  if (!goes_on) ++blocks_entered_;
  requests_.enter_block(number);
}

void monitor::set_block_aside() {
  has_depth_ = false;
  settle_pending();
  walks_.set_block_aside();
  time_.set_block_aside();
  requests_.finish_requests();
}

void monitor::go_back_to_block(std::size_t number) {
  time_.go_back_to_block(number);
  walks_.enter_block(number);
  requests_.enter_block(number);
}

void monitor::begin_thread(unsigned number, const void* frame) {
  bases_[number & 1023] = reinterpret_cast<std::uintptr_t>(frame);
  block_base_ = 0;
  enter_thread(number);
}

void monitor::enter_thread(unsigned number) {
  time_.enter_thread(number);
  ++turns_;
  requests_.enter_thread(number);
  if (access_trap::is_on()) announced_ = {};
  accesses_of_host_memory_.clear();
  in_thread_ = true;
  all_threads_ = 1;
  const std::size_t most = local_bytes_;
  if (block_base_ != 0)
    deepest_ = block_deepest_;
  else
    deepest_ = has_depth_ && bases_[number & 1023] > most ? bases_[number & 1023] - most : 0;
}

void monitor::enter_all_threads(unsigned threads) {
  if (block_base_ == 0) {  // the block begins
    block_base_ = bases_[0];
    block_deepest_ = block_base_ > local_bytes_ ? block_base_ - local_bytes_ : 0;
    block_is_deep_ = false;
    side_by_side_.clear();
  }
  enter_thread(0);
  all_threads_ = threads;
}

void monitor::note_side_by_side(std::uintptr_t data, std::size_t bytes, unsigned threads) {
  const auto known = std::ranges::find(side_by_side_, data, &side_by_side_values::begin);
  const side_by_side_values one{data, bytes, bytes - bytes / threads};
  if (known != side_by_side_.end())
    *known = one;
  else
    side_by_side_.push_back(one);
}

// An exception that the kernel or the engine has made lies in the host's memory: no finding of its own.
void monitor::thread_has_failed() {
  if (block_base_ != 0) tell_depth_of_block();
  in_thread_ = false;
  for (const auto& [number, times] : accesses_of_host_memory_)
    log_[number].count -= std::min(log_[number].count, times);
}

void monitor::block_has_met() {
  time_.block_has_met();
  forget_arrivals();
  requests_.finish_requests();
  if (counts()) requests_.count_barrier();
}

void monitor::warp_has_met(unsigned warp, std::uint32_t mask, bool whole_warp, bool orders, bool exchanges) {
  if (exchanges) compare_lanes(warp, mask);
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
  if (const std::uintptr_t frame = this_frame(); in_thread_ && frame < deepest_)
    tell_depth(sites.number_of(i.where), frame);
  std::size_t offset = 0;
  for (std::size_t d = 0; d < i.rank; ++d) {
    if (i.index[d] >= i.extents[d]) return nowhere_for(outside(i), i.element.bytes);
    offset = offset * i.extents[d] + i.index[d];
  }
  const auto data = reinterpret_cast<std::uintptr_t>(i.data);
  const std::uintptr_t address = data + offset * i.element.bytes;
  noted_index& note = notes_[next_note_++ % notes_.size()];
  note.address = address;
  note.element = i.element;
  note.where = sites.number_of(i.where);
  note.data = data;
  note.takes_atomics = i.takes_atomics;
  note.rank = std::min(i.rank, note.extents.size());
  for (std::size_t d = 0; d < note.rank; ++d) note.extents[d] = i.extents[d];
  note.tile = tile_walks::none;
  note.turn = turns_;
  note.is_read = note.is_done = false;
  if (in_shared_memory(i.data)) {
    std::size_t elements = 1;
    for (std::size_t d = 0; d < i.rank; ++d) elements *= i.extents[d];
    point_to(data, i.element.bytes, elements);
    if (walks_are_on_ && i.is_fixed_array)
      note.tile = walks_.make_index(offset_in_shared(data), i.element.bytes, {i.extents, i.rank}, note.where);
  }
  if (arena.contains(address)) {
    if (!last_allocation_ || address - last_allocation_->begin >= last_allocation_->bytes)
      last_allocation_ = arena.find(address);
    if (last_allocation_ && is_gone(*last_allocation_))
      return nowhere_for(
          report(finding_kind::use_after_free, access_kind::read, note.where, address, &note, last_allocation_),
          i.element.bytes);
    if (last_allocation_) {
      last_allocation_->element = i.element;
      last_allocation_->first_element = data;
    }
  }
  return reinterpret_cast<void*>(address);
}

std::size_t monitor::outside(const indexing& i) {
  if (!wants(instrument::memcheck)) return finding_log::no_finding;
  const site where = sites.number_of(i.where);
  const finding_log::key key{finding_kind::outside_shape, time_.work().kernel, where, unknown_site};
  if (const std::size_t known = log_.count_again(key); known != finding_log::no_finding) return known;
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
  return log_.add(key, std::move(f));
}

void monitor::note_pointer(std::uintptr_t data, std::size_t element_bytes, std::span<const std::size_t> extents) {
  const own_work now(busy_);
  std::size_t elements = 1;
  for (const std::size_t n : extents) elements *= n;
  point_to(data, element_bytes, elements);
  if (!walks_are_on_ || !in_thread_ || !in_shared_memory(reinterpret_cast<const void*>(data))) return;
  const tile_walks::number tile = walks_.find(offset_in_shared(data), element_bytes, extents);
  if (tile != tile_walks::none) walks_.make_pointer(tile, time_.thread(), all_threads_ > 1);
}

void monitor::point_to(std::uintptr_t data, std::size_t element_bytes, std::size_t elements) {
  const pointed_array one{data, data + elements * element_bytes, element_bytes};
  if (pointed_count_ > 0 && pointed_[(pointed_count_ - 1) % pointed_.size()].begin == data) --pointed_count_;
  pointed_[pointed_count_++ % pointed_.size()] = one;
}

// What goes through the whole of it begins in its first tile.
void monitor::note_shared_struct() {
  pointed_count_ = 0;
  if (walks_are_on_ && in_thread_) walks_.make_pointer_to_struct();
}

// What begins in a tile, by the pointer to it that was made for the call, has to end there: behind it lies the next
// member of the block's struct, as much its own.
void monitor::range(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  if (busy_ || !in_thread_) return;
  const own_work now(busy_);
  for (std::size_t n = 0; n < std::min(pointed_count_, pointed_.size()); ++n) {
    const pointed_array& one = pointed_[n];
    if (address - one.begin >= one.end - one.begin || bytes <= one.end - address) continue;
    if (!wants(instrument::memcheck)) return;
    const finding_log::key key{finding_kind::outside_shape, time_.work().kernel, sites.number_of_code(code),
                               unknown_site, kind};
    if (log_.count_again(key) != finding_log::no_finding) return;
    finding f = describe_here(finding_kind::outside_shape, kind);
    f.space = in_shared_memory(reinterpret_cast<const void*>(address)) ? memory_space::shared : memory_space::local;
    f.extents = {(one.end - one.begin) / one.element_bytes};
    f.index = {static_cast<std::ptrdiff_t>(f.extents[0])};
    log_.add(key, std::move(f));
    return;
  }
}

// The index formed last at an address is the one the access belongs to.
const monitor::noted_index* monitor::noted(std::uintptr_t address) const {
  for (std::size_t back = 1; back <= notes_.size(); ++back) {
    const noted_index& note = notes_[(next_note_ - back) % notes_.size()];
    if (address - note.address < note.element.bytes) return &note;
  }
  return nullptr;
}

// --- accesses --------------------------------------------------------------------------------------------------------

void monitor::access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  if (busy_) return;
  if (interrupted_.load(std::memory_order_relaxed)) end_interrupted_thread(address, code);
  announce(address, bytes);
  pointed_count_ = 0;
  if (const std::uintptr_t frame = this_frame(); in_thread_ && frame < deepest_) {
    const own_work now(busy_);
    tell_depth(code ? sites.number_of_code(code) : unknown_site, frame);
  }
  if (pending_) settle_pending();
  if (is_nowhere(address)) return reach_nowhere(address, kind);
  const own_work now(busy_);
  reach(address, bytes, kind, kind == access_kind::read, kind == access_kind::write, code);
}

void monitor::atomic(std::uintptr_t address, std::size_t bytes, atomic_effect effect, const void* code) {
  if (interrupted_.load(std::memory_order_relaxed)) end_interrupted_thread(address, code);
  announce(address, bytes);
  if (pending_) settle_pending();
  if (is_nowhere(address)) return reach_nowhere(address, access_kind::atomic);
  const own_work now(busy_);
  if (effect != atomic_effect::load) time_.hand_over(address);
  reach(address, bytes, access_kind::atomic, effect != atomic_effect::store, effect != atomic_effect::load, code);
  if (effect != atomic_effect::store) time_.take_over(address);
}

// What the access that an index was formed for does.
void monitor::reach_nowhere(std::uintptr_t address, access_kind kind) {
  const std::size_t piece = (address - reinterpret_cast<std::uintptr_t>(nowhere)) / nowhere_bytes;
  const std::size_t finding = std::exchange(nowhere_findings_[piece], finding_log::no_finding);
  if (finding < log_.size()) log_[finding].access.kind = kind;
}

void monitor::reach(std::uintptr_t address, std::size_t bytes, access_kind kind, bool reads, bool writes,
                    const void* code) {
  if (!order_.as_numbered() && accesses_ > last_access_) give_up();
  allocation* owner = nullptr;
  shadow* cells = nullptr;
  std::uintptr_t begin = 0;
  if (arena.contains(address)) {
    if (!last_allocation_ || address - last_allocation_->begin >= last_allocation_->bytes)
      last_allocation_ = arena.find(address);
    owner = last_allocation_;
    if (!owner || address + bytes > owner->end() || is_gone(*owner)) return reach_foreign(address, bytes, kind, code);
    cells = &owner->cells_made();
    begin = owner->begin;
  } else if (in_shared_memory(reinterpret_cast<const void*>(address))) {
    const block_scheduler* running = block_scheduler::running_here();
    begin = running ? reinterpret_cast<std::uintptr_t>(running->shared_memory_so_far()) : 0;
    if (begin == 0 || !is_own_shared(address - begin, bytes)) return reach_foreign(address, bytes, kind, code);
    if (!shared_ || begin != shared_begin_) {
      shared_begin_ = begin;
      auto& mine = shared_cells_[shared_begin_];
      if (!mine) mine = std::make_unique<shadow>(shared_slot::bytes);
      shared_ = mine.get();
    }
    cells = shared_;
  } else {
    return reach_foreign(address, bytes, kind, code);
  }
  const memory_space space = owner ? memory_space::global : memory_space::shared;
  const noted_index* note = noted(address);
  if (!owner && walks_are_on_ && in_thread_) follow_pointer(address - begin, address, bytes, kind, note, code);
  const site where = note ? note->where : code ? sites.number_of_code(code) : unknown_site;
  const reached_element at{kind, reads, writes, space, address, bytes, note, owner, begin};
  const mark me = time_.now(where);
  told_uninitialized_ = false;
  if (all_threads_ > 1 && writes) {  // a race of the block with itself, and told as what it is
    report(finding_kind::outside_each, kind, where, address, note, owner);
    cells->visit(address - begin, bytes, [&](cell& c, std::size_t /*offset*/) {
      c.write = me;
      if (order_.as_numbered()) c.written = c.device_wrote = 1;
    });
  } else {
    cells->visit(address - begin, bytes, [&](cell& c, std::size_t offset) { touch(*cells, c, offset, me, at); });
  }
  if (all_threads_ > 1 && kind == access_kind::read) {  // the last thread stands for all others
    mark last = me;
    last.thread = (all_threads_ - 1) & 1023;
    cells->visit(address - begin, bytes,
                 [&](cell& c, std::size_t /*offset*/) { remember_read(*cells, c, last, space); });
  }
  if (counts() && time_.in_launch())
    requests_.record(where, kind, space, owner ? address : address - begin, bytes,
                     {.begin = owner ? begin : 0,
                      .bytes = owner ? owner->bytes : shared_slot::bytes,
                      .made = owner ? owner->made : unknown_site,
                      .element_bytes = note ? note->element.bytes : bytes,
                      .rank = note ? note->rank : 0,
                      .extents = note ? note->extents.data() : nullptr});
  if ((++accesses_ & 0xffff) == 0) tick();
  if (writes && saves_ && owner) save(address, bytes, true);
}

// Whether the index was formed for the access, and not for one before it: a read, a write, or the two of an update.
bool monitor::belongs_to(const noted_index& note, access_kind kind) const {
  if (note.turn != turns_ || note.is_done || (note.is_read && kind == access_kind::read)) return false;
  note.is_read = true;
  note.is_done = kind != access_kind::read;
  return true;
}

// By the index that was formed for the access, or by a raw pointer.
inline void monitor::follow_pointer(std::size_t offset, std::uintptr_t address, std::size_t bytes, access_kind kind,
                                    const noted_index* note, const void* code) {
  if (note && belongs_to(*note, kind)) {
    if (note->tile != tile_walks::none) walks_.use_index(note->tile, note->where, code);
    return;
  }
  if (!code || range_.contains(address)) return;
  const bool all = all_threads_ > 1;
  tile_walks::number left = walks_.straddled(offset, bytes, time_.thread(), all);
  if (left != tile_walks::none) return has_left(left, walks_.shape(left).end, kind, code, true);
  left = walks_.walk(offset, code, time_.thread(), all);
  if (left != tile_walks::none) has_left(left, offset, kind, code, false);
}

void monitor::has_left(tile_walks::number tile, std::size_t offset, access_kind kind, const void* code,
                       bool is_certain) {
  // Findings that may be withdrawn are kept apart from others at the same place.
  const site other = is_certain ? unknown_site : sites.number_of_text("beyond a tile");
  const finding_log::key key{finding_kind::outside_shape, time_.work().kernel, sites.number_of_code(code), other, kind};
  if (log_.count_again(key) != finding_log::no_finding) return;
  finding f = describe_here(finding_kind::outside_shape, kind);
  f.space = memory_space::shared;
  f.extents = walks_.shape(tile).extents;
  f.index = walks_.shape(tile).index_at(offset);
  const std::size_t number = log_.add(key, std::move(f));
  if (!is_certain) walks_.doubt(number, tile, offset, code, time_.thread(), all_threads_ > 1);
}

// What is neither an array nor shared memory: the thread's own, or what a pointer has led to.
void monitor::reach_foreign(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  if (!in_thread_ || (kind == access_kind::read ? engines_own_ : own_stack_).contains(address)) return;
  const noted_index* note = noted(address);
  const auto where = [&] { return note ? note->where : code ? sites.number_of_code(code) : unknown_site; };
  if (arena.contains(address)) {
    arena.let_through(address);
    const allocation* owner = arena.find(address);
    const bool gone = owner && is_gone(*owner);
    report(gone ? finding_kind::use_after_free : finding_kind::outside_shape, kind, where(), address, note, owner);
  } else if (in_shared_memory(reinterpret_cast<const void*>(address))) {
    report(finding_kind::outside_shape, kind, where(), address, nullptr, nullptr);
    if (!is_memory(address)) stop_block();
  } else if (const auto own = memory_of_kernels_on_the_host(address); own.range.contains(address)) {
    if (kind == access_kind::read)
      engines_own_ = own.range;
    else if (own.is_stack)
      own_stack_ = own.range;
    else if (saves_)
      save(address, bytes, false);
  } else if (is_memory(address)) {
    const std::size_t found = report(finding_kind::host_memory, kind, where(), address, note, nullptr);
    if (found != finding_log::no_finding) ++accesses_of_host_memory_[found];
  } else if (wants(instrument::memcheck)) {
    report(finding_kind::outside_shape, kind, where(), address, nullptr, nullptr);
    stop_block();
  }
}

// The access would end the program: the block ends instead.
void monitor::stop_block() {
  if (!wants(instrument::memcheck) || !block_scheduler::running_here()) return;
  stop_thread();
}

bool monitor::stopped_by(const fault_signal& signal) {
  if (!in_thread_ || !wants(instrument::memcheck) || signal.number == SIGILL) return false;
  const own_work now(busy_);
  report(finding_kind::outside_shape, signal.writes ? access_kind::write : access_kind::read,
         sites.number_of_calls(signal.calls()), reinterpret_cast<std::uintptr_t>(signal.address), nullptr, nullptr);
  in_thread_ = false;
  range_ = {};
  return true;
}

// The struct of gs::shared lies first, behind it, at a multiple of 16 bytes, what the launch has asked for.
bool monitor::is_own_shared(std::size_t offset, std::size_t bytes) const {
  const std::size_t dynamic_begin = (static_shared_bytes_ + 15) / 16 * 16;
  const auto lies_in = [&](std::size_t begin, std::size_t size) {
    return offset >= begin && offset - begin < size && bytes <= size - (offset - begin);
  };
  return lies_in(0, static_shared_bytes_) || lies_in(dynamic_begin, dynamic_shared_bytes_);
}

// Of a thread's stack, a GPU gives it so much. Told once for each thread.
void monitor::tell_depth(site where, std::uintptr_t frame) {
  if (block_base_ != 0) {  // how much of it is one thread's shows when the block has made all its variables
    deepest_ = block_deepest_ = frame;
    deepest_site_ = where;
    block_is_deep_ = true;
    return;
  }
  const std::uintptr_t base = deepest_ + local_bytes_;
  deepest_ = 0;
  report_depth(where, base, base - frame);
}

void monitor::tell_depth_of_block() {
  const std::uintptr_t base = std::exchange(block_base_, 0);
  if (!std::exchange(block_is_deep_, false)) return;
  const own_work now(busy_);
  std::size_t used = base - block_deepest_;
  for (const side_by_side_values& one : side_by_side_)
    if (one.begin >= block_deepest_ && one.begin + one.bytes <= base) used -= std::min(used, one.of_others);
  if (used > local_bytes_) report_depth(deepest_site_, base, used);
}

void monitor::report_depth(site where, std::uintptr_t base, std::size_t used) {
  const device_model& model = model_of(options_.model);
  // A thread that has given way to other blocks goes on where another one of its number has begun.
  const block_scheduler* running = block_scheduler::running_here();
  const guarded_stack* stack = running ? running->stack_in_use() : nullptr;
  if (!stack || !stack->contains(reinterpret_cast<const void*>(base))) return;
  const finding_log::key key{finding_kind::launch_limit, time_.work().kernel, where, unknown_site};
  if (!wants(instrument::limits) || log_.count_again(key) != finding_log::no_finding) return;
  finding f = describe_here(finding_kind::launch_limit, access_kind::read);
  describe(f, error(fmt::format("a launch of {} whose threads take {} KiB for local arrays and variables",
                                time_.work().kernel, used / 1024),
                    fmt::format("a GPU has {} KiB of local memory for a thread", model.local_bytes_per_thread / 1024),
                    "give each thread a part of a gs::device_array instead"));
  log_.add(key, std::move(f));
}

inline void monitor::touch(shadow& cells, cell& c, std::size_t offset, const mark& me, const reached_element& at) {
  if (wants(instrument::racecheck)) look_for_races(cells, c, me, at);
  if (at.reads && !told_uninitialized_ && wants(instrument::initcheck) && !is_written(c, offset, at) &&
      !may_be_padding(cells, offset, at)) {
    report(finding_kind::uninitialized_read, at.kind, me.where, at.address, at.note, at.owner);
    told_uninitialized_ = time_.in_launch();  // of a range that a library reads, each element counts
  }
  switch (at.kind) {
    case access_kind::read:
      remember_read(cells, c, me, at.space);
      break;
    case access_kind::write:
      c.write = me;
      // Whoever races with what was before, and not with this write, has been reported.
      cells.clear(c.more_reads);
      cells.clear(c.more_atomics);
      break;
    case access_kind::atomic: {
      mark atomic = me;
      atomic.atomic = !at.writes;
      if (at.writes)
        remember_atomic(cells, c, atomic, at.space);
      else
        remember_read(cells, c, atomic, at.space);
      break;
    }
  }
  if (at.reads) c.device_read = 1;
  if (at.writes && order_.as_numbered()) c.written = c.device_wrote = 1;  // what other orders write is taken back
}

inline void monitor::look_for_races(shadow& cells, cell& c, const mark& me, const reached_element& at) {
  const bool plain = at.kind != access_kind::atomic;
  conflict(me, c.write, at, access_kind::write);
  if (plain) {
    conflict(me, c.atomic, at, access_kind::atomic);
    for (std::uint32_t k = c.more_atomics; k != 0; k = cells.kept(k).next)
      if (conflict(me, cells.kept(k), at, access_kind::atomic)) break;
  }
  if (!at.writes) return;
  bool found = false;
  const auto kind_of = [](const mark& m) { return m.atomic ? access_kind::atomic : access_kind::read; };
  for (const mark* earlier : {&c.read, &c.other_read})
    if (plain || !earlier->atomic) found |= conflict(me, *earlier, at, kind_of(*earlier));
  for (std::uint32_t k = c.more_reads; k != 0 && !found; k = cells.kept(k).next) {
    const kept_access& earlier = cells.kept(k);
    if (plain || !earlier.by.atomic) found = conflict(me, earlier, at, kind_of(earlier.by));
  }
}

// `other` keeps what races with more than the last one does: the access of another block, or of another warp.
inline void monitor::remember_read(shadow& cells, cell& c, const mark& me, memory_space space) const {
  mark& last = c.read;
  mark& other = c.other_read;
  if (last.when != me.when || last.thread != me.thread || last.atomic != me.atomic) {
    const bool keeps = space == memory_space::global && other.when != 0 && other.when < me.when &&
                       time_.to(other) != relation::ordered;
    const bool keeps_warp = time_.in_other_warp(other) && !time_.in_other_warp(last);
    mark& gone = keeps || keeps_warp ? last : other;
    if (gone.when != 0) keep(cells, c.more_reads, gone, me, space);
    // What another launch of the stream has read before, or this one in another order, the present read stands for.
    const bool stands_for_last = !time_.in_this_launch(last) && (last.atomic || !me.atomic) && last.when != 0 &&
                                 time_.to(last) == relation::ordered;
    if (&gone == &other) other = stands_for_last ? mark() : last;
  }
  last = me;
}

inline void monitor::remember_atomic(shadow& cells, cell& c, const mark& me, memory_space space) const {
  if (c.atomic.when != 0 && (c.atomic.when != me.when || c.atomic.thread != me.thread))
    keep(cells, c.more_atomics, c.atomic, me, space);
  c.atomic = me;
}

inline bool monitor::conflict(const mark& me, const mark& earlier, const reached_element& at,
                              access_kind earlier_kind) {
  if (earlier.when == 0) return false;
  const relation lies = relation_to(earlier, at.space);
  if (lies != relation::ordered) race(lies, me, earlier, at, earlier_kind);
  return lies != relation::ordered;
}

bool monitor::conflict(const mark& me, const kept_access& earlier, const reached_element& at,
                       access_kind earlier_kind) {
  mark one = earlier.by;
  for (std::uint32_t lanes = earlier.lanes; lanes != 0; lanes &= lanes - 1) {
    one.thread = (one.thread / 32 * 32 + static_cast<unsigned>(std::countr_zero(lanes))) & 1023;
    if (conflict(me, one, at, earlier_kind)) return true;
  }
  return false;
}

void monitor::race(relation lies, const mark& me, const mark& earlier, const reached_element& at,
                   access_kind earlier_kind) {
  const finding_kind kind = lies == relation::in_block         ? finding_kind::race_in_block
                            : lies == relation::between_blocks ? finding_kind::race_between_blocks
                                                               : finding_kind::race_between_streams;
  const finding_log::key key{kind, time_.work().kernel, me.where, earlier.where, at.kind, earlier_kind};
  const bool two_writes = at.kind == access_kind::write && earlier_kind == access_kind::write;
  std::size_t number = log_.count_again(key);
  if (number == finding_log::no_finding && !order_.as_numbered()) number = log_.count_reversed(key);
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
  const own_work now(busy_);
  if (std::memcmp(pending_->before.data(), reinterpret_cast<const void*>(pending_->address), pending_->bytes) != 0)
    log_[pending_->finding].same_value = false;
  pending_.reset();
}

void monitor::bulk_access(std::uintptr_t address, std::size_t bytes, access_kind kind) {
  if (bytes > 0) reach(address, bytes, kind, kind == access_kind::read, kind == access_kind::write, nullptr);
}

void monitor::host_access(std::uintptr_t address, access_kind kind, const void* code) {
  const std::lock_guard lock(host_mutex_);
  host_accesses& known = host_accesses_[{code, kind}];
  if (known.count++ == 0) known.first = address;
}

void monitor::announce(std::uintptr_t address, std::size_t bytes) {
  if (!access_trap::is_on()) return;
  stretch& last = announced_[next_announced_ % announced_.size()];
  if (last.begin <= address && address <= last.end)
    last.end = std::max(last.end, address + bytes);
  else
    announced_[++next_announced_ % announced_.size()] = {address, address + bytes};
}

bool monitor::announced(std::uintptr_t address) const {
  return std::ranges::any_of(announced_, [&](const stretch& s) { return s.begin <= address && address < s.end; });
}

void monitor::trapped(std::uintptr_t address, access_kind kind, const void* code) {
  monitor* m = here_;
  const auto* next = static_cast<const char*>(code) + 1;  // places of code are told by where calls return to
  if (m == nullptr) {
    if (!is_runtime_code(code) && instance().wants(instrument::memcheck))
      instance().host_access(address, kind, site_table::caller_of(next));
    return;
  }
  if (m->busy_ || m->in_library_ || m->announced(address)) return;
  if (!m->in_thread_ && is_runtime_code(code)) return;
  const own_work now(m->busy_);
  m->report(finding_kind::unseen_access, kind, m->sites.number_of_stack_from(next), address, nullptr,
            m->arena.find(address));
}

void monitor::report_host_accesses() {
  const std::lock_guard lock(host_mutex_);
  for (const auto& [by, made] : host_accesses_) {
    const site where = sites.number_of_code(by.first);
    const finding_log::key key{finding_kind::device_memory, "", where, unknown_site, by.second};
    finding f;
    f.kind = finding_kind::device_memory;
    f.access.kind = by.second;
    f.access.has_threads = false;
    if (const allocation* owner = arena.find(made.first)) f.made = sites.place(owner->made);
    f.count = made.count;
    log_.add(key, std::move(f));
  }
}

void monitor::tick() {
  if (!options_.on_progress) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(100)) return;
  last_progress_ = now;
  const auto seconds_since = [&](auto start) { return std::chrono::duration<double>(now - start).count(); };
  options_.on_progress({.seconds = seconds_since(started_),
                        .accesses = accesses_,
                        .kernel = time_.work().kernel,
                        .launch_seconds = seconds_since(launch_started_),
                        .blocks_done = std::max<std::uint64_t>(blocks_entered_, 1) - 1,
                        .blocks = time_.work().grid.size() * runs_});
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
