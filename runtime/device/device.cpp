#include "runtime/device/device.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>

#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/registered_device.h"

namespace gs::inline GS_FLAVOUR {
namespace {

device_kind first_choice() {
  const char* text = std::getenv("GRIDSTRIDE_TARGET");
  const detail::target_choice asked = detail::parse_target(text ? text : "");
  if (asked.device) {
    if (const std::string missing = detail::why_missing(*asked.device); !missing.empty())
      throw machine_error("GRIDSTRIDE_TARGET=" + to_string(*asked.device), missing, "use device or engine");
    return *asked.device;
  }
  for (const detail::registered_device* device : detail::registered_device::all())
    if (device->automatic() && device->why_missing().empty()) return device->kind();
  return device_kind::engine;
}

// A small call asks for the current device some twenty times, so asking costs one load.
constexpr auto not_chosen = static_cast<device_kind>(detail::most_device_kinds);
constinit std::atomic<device_kind> selected{not_chosen};

[[gnu::cold, gnu::noinline]] device_kind select_first_choice() {
  const device_kind first = first_choice();
  device_kind known = not_chosen;
  return selected.compare_exchange_strong(known, first) ? first : known;
}

// Contexts are never destroyed: arrays in static storage may outlive anything that a destructor order could promise.
constinit std::array<std::atomic<detail::device_context*>, detail::most_device_kinds> contexts{};

[[gnu::cold, gnu::noinline]] detail::device_context& make_context(device_kind kind) {
  static constinit std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  std::atomic<detail::device_context*>& context = contexts[static_cast<std::size_t>(kind)];
  if (!context) {
    if (const std::string missing = detail::why_missing(kind); !missing.empty())
      throw machine_error("device " + to_string(kind), missing, "use the engine");
    context = new detail::device_context(detail::registered_device::of(kind)->make());
  }
  return *context;
}

}  // namespace

device_kind current_device() {
  const device_kind kind = selected.load(std::memory_order_relaxed);
  return kind != not_chosen ? kind : select_first_choice();
}

void select_device(device_kind kind) {
  detail::device_context::of(kind);
  current_device();  // refuses a misspelt GRIDSTRIDE_TARGET
  selected = kind;
}

const device_info& device() { return detail::device_context::current().hardware().info(); }

namespace detail {

std::string why_missing(device_kind kind) {
  const registered_device* const device = registered_device::of(kind);
  if (device) return device->why_missing();
  return "this build has no " + (kind == device_kind::cuda ? "CUDA" : to_string(kind));
}

}  // namespace detail

std::string why_no_cuda() { return detail::why_missing(device_kind::cuda); }

void synchronize() {
  ledger_entry::synchronization();
  detail::device_context::current().wait();
}

void reset_device() { detail::device_context::current().reset(); }

namespace detail {

device_context& device_context::of(device_kind kind) {
  device_context* const known = contexts[static_cast<std::size_t>(kind)].load(std::memory_order_acquire);
  return known ? *known : make_context(kind);
}

device_context& device_context::current() { return of(current_device()); }

device_context::device_context(std::unique_ptr<backend> hardware)
    : hardware_(std::move(hardware)),
      memory_(*hardware_),
      pinned_(*hardware_, memory_pool::keeps_by_default, memory_kind::pinned),
      managed_(*hardware_, memory_pool::keeps_by_default, memory_kind::managed),
      interprocess_(*hardware_, false, memory_kind::interprocess),
      default_queue_(make_queue()) {}

std::shared_ptr<queue> device_context::make_queue() {
  auto made = hardware_->make_queue();
  std::lock_guard lock(mutex_);
  std::erase_if(queues_, [](auto& q) { return q.expired(); });
  queues_.push_back(made);
  return made;
}

std::vector<std::shared_ptr<queue>> device_context::queues() {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<queue>> alive;
  for (auto& weak : queues_)
    if (auto q = weak.lock()) alive.push_back(std::move(q));
  return alive;
}

std::vector<std::shared_ptr<fence>> device_context::pending() {
  std::vector<std::shared_ptr<fence>> points;
  for (auto& q : queues())
    if (!q->idle()) points.push_back(q->mark());
  return points;
}

void device_context::wait() {
  std::exception_ptr first;
  for (auto& q : queues()) {
    try {
      q->wait();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  const std::exception_ptr lost = hardware_->take_lost_error();
  if (!first) first = lost;
  if (first) std::rethrow_exception(first);
}

void device_context::reset() {
  try {
    wait();
  } catch (...) {  // of work whose results are about to go
  }
  memory_.free_all();
  managed_.free_all();
  interprocess_.free_all();
  {
    std::lock_guard lock(mutex_);
    queues_.clear();
  }
  default_queue_ = make_queue();
  ++generation_;
}

}  // namespace detail

}  // namespace gs::inline GS_FLAVOUR
