#include "runtime/instruments/checks/host_races.h"

#if GRIDSTRIDE_CHECKED

#include <algorithm>

namespace gs::inline GS_FLAVOUR::instruments {

// --- memory_stretches ------------------------------------------------------------------------------------------------

void memory_stretches::add(std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t end = begin + bytes;
  if (!all_.empty() && begin <= all_.back().second && end >= all_.back().first) {  // mostly the next element
    all_.back() = {std::min(begin, all_.back().first), std::max(end, all_.back().second)};
    is_settled_ = is_settled_ && all_.size() == 1;
    return;
  }
  constexpr std::size_t most_added = 4096;
  all_.emplace_back(begin, end);
  is_settled_ = all_.size() == 1;
  if (all_.size() > settled_ + std::max(settled_, most_added)) settle();
}

void memory_stretches::settle() {
  std::ranges::sort(all_);
  std::size_t last = 0;
  for (std::size_t k = 1; k < all_.size(); ++k) {
    if (all_[k].first <= all_[last].second)
      all_[last].second = std::max(all_[last].second, all_[k].second);
    else
      all_[++last] = all_[k];
  }
  all_.resize(std::min(all_.size(), last + 1));
  is_settled_ = true;
  settled_ = all_.size();
}

bool memory_stretches::meets(std::uintptr_t begin, std::uintptr_t end) {
  if (!is_settled_) settle();
  const auto after = std::ranges::lower_bound(all_, end, {}, [](const auto& one) { return one.first; });
  return after != all_.begin() && std::prev(after)->second > begin;
}

// --- host_races ------------------------------------------------------------------------------------------------------

void host_races::begin_inspection() {
  const std::lock_guard lock(mutex_);
  works_.clear();
  running_ = nullptr;
  moments_.assign(1, {});
  pending_.clear();
  races_.clear();
  any_unwaited_ = false;
}

void host_races::queued(const queued_work& work) {
  const std::lock_guard lock(mutex_);
  works_[work.serial].order = work;
  moment now = moments_.back();
  now.queued = work.serial;
  add_moment(std::move(now));
  any_unwaited_ = true;
}

void host_races::waited(const work_order& order) {
  const std::lock_guard lock(mutex_);
  moment now = moments_.back();
  now.waited.join(order);
  add_moment(std::move(now));
  bool any_unwaited = false;
  for (auto& [serial, w] : works_) {
    w.is_waited_for = !is_concurrent(w, moments_.back());
    any_unwaited |= !w.is_waited_for;
  }
  any_unwaited_ = any_unwaited;
  forget_done();
}

void host_races::add_moment(moment now) {
  const bool is_kept = !pending_.empty() && pending_.back().moment == moments_.size() - 1;
  if (is_kept)
    moments_.push_back(std::move(now));
  else
    moments_.back() = std::move(now);
}

// What has run and has been waited for meets no access that comes later, and those before have been compared with it.
void host_races::forget_done() {
  std::erase_if(works_, [](const auto& one) {
    const work& w = one.second;
    return w.has_run && (w.is_waited_for || w.uses_nothing());
  });
  if (std::ranges::all_of(works_, [](const auto& one) { return one.second.has_run; })) {
    pending_.clear();
    moments_ = {moments_.back()};
  }
}

void host_races::begin_work() {
  const std::lock_guard lock(mutex_);
  const auto found = works_.find(observed_.time.work().order.serial);
  running_ = found == works_.end() ? nullptr : &found->second;
}

void host_races::begin_launch(const launch_description& launch) {
  if (running_) running_->where = observed_.sites.number_of_place({launch.where.file_name(), launch.where.line(), 0});
}

void host_races::use(std::uintptr_t address, std::size_t bytes, bool reads, bool writes, site where) {
  if (running_->where == unknown_site) running_->where = where;
  if (reads) running_->read.add(address, bytes);
  if (writes) running_->written.add(address, bytes);
}

void host_races::end_work() {
  const std::lock_guard lock(mutex_);
  if (!running_) return;
  work& w = *running_;
  w.name = observed_.time.work().kernel;
  w.has_run = true;
  running_ = nullptr;
  for (const host_use& one : pending_)
    if (is_concurrent(w, moments_[one.moment]))
      for (const auto& [begin, end] : one.memory.all()) compare(w, one.code, one.kind, begin, end);
  forget_done();
}

void host_races::host_access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) {
  if (in_host_function_) {
    const bool reads = kind != access_kind::write, writes = kind != access_kind::read;
    if (running_) use(address, bytes, reads, writes, unknown_site);
    return;
  }
  if (!any_unwaited_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  bool may_meet_more = false;
  for (auto& [serial, w] : works_) {
    if (w.is_waited_for) continue;
    if (w.has_run)
      compare(w, code, kind, address, address + bytes);
    else
      may_meet_more = true;
  }
  if (!may_meet_more) return;
  const std::size_t now = moments_.size() - 1;
  const auto known = std::ranges::find_if(pending_.rbegin(), pending_.rend(), [&](const host_use& one) {
    return one.moment != now || (one.code == code && one.kind == kind);
  });
  if (known == pending_.rend() || known->moment != now) {
    pending_.push_back({code, kind, now, {}});
    pending_.back().memory.add(address, bytes);
  } else {
    known->memory.add(address, bytes);
  }
}

void host_races::compare(work& w, const void* code, access_kind kind, std::uintptr_t begin, std::uintptr_t end) {
  const bool meets_write = w.written.meets(begin, end);
  if (!meets_write && (kind == access_kind::read || !w.read.meets(begin, end))) return;
  const access_kind work_kind = meets_write ? access_kind::write : access_kind::read;
  race& known = races_.try_emplace({code, kind, w.order.serial}, race{w.name, w.where, work_kind, begin}).first->second;
  if (meets_write) known.work_kind = access_kind::write;  // whichever of them was compared first
  known.address = std::min(known.address, begin);
}

void host_races::report() {
  observation& o = observed_;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, r] : races_) {
    const finding_log::key logged{
        finding_kind::race_with_host, r.name, o.sites.number_of_code(key.code), r.where, key.kind, r.work_kind};
    if (o.log.count_again(logged) != finding_log::no_finding) continue;
    finding f;
    f.kind = finding_kind::race_with_host;
    f.access.kind = key.kind;
    f.access.has_threads = false;
    f.other = finding_access{.kind = r.work_kind, .where = {}, .kernel = r.name, .block = {}, .thread = {}};
    f.other->has_threads = false;
    if (const allocation* owner = o.arena.find(r.address)) f.made = o.sites.place(owner->made);
    o.log.add(logged, std::move(f));
  }
}

}  // namespace gs::inline GS_FLAVOUR::instruments

#endif
