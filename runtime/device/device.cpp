#include "runtime/device/device.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/engine/cores.h"
#include "runtime/engine/engine.h"
#if GRIDSTRIDE_CUDA
#include "runtime/cuda/cuda_device.h"
#endif

namespace gs::inline GS_FLAVOUR {
namespace {

device_kind first_choice() {
  const char* text = std::getenv("GRIDSTRIDE_TARGET");
  const target_choice asked = parse_target(text ? text : "");
  if (asked.device == target_choice::engine) return device_kind::engine;
  const std::string missing = why_no_cuda();
  if (asked.device == target_choice::cuda && !missing.empty())
    throw machine_error("GRIDSTRIDE_TARGET=cuda", missing, "use device or engine");
  return missing.empty() ? device_kind::cuda : device_kind::engine;
}

std::atomic<device_kind>& selected() {
  static std::atomic<device_kind> kind{first_choice()};
  return kind;
}

}  // namespace

device_kind current_device() { return selected().load(std::memory_order_relaxed); }

void select_device(device_kind kind) {
  device_context::of(kind);
  selected() = kind;
}

const device_info& device() { return device_context::current().hardware().info(); }

std::string why_no_cuda() {
#if GRIDSTRIDE_CUDA
  static const std::string reason = cuda_device_missing();
  return reason;
#else
  return "this build has no CUDA";
#endif
}

void synchronize() {
  ledger_entry::synchronization();
  device_context::current().wait();
}

void reset_device() { device_context::current().reset(); }

namespace {

// What is still queued when the program ends runs to its end, and an error that nobody waited for is said.
void finish_at_exit() {
  try {
    device_context::of(device_kind::engine).wait();
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "gs: a kernel failed and nothing waited for it: %s\n", failure.what());
  }
  finish_later(1);  // threads that were asked to help and came too late still hold their requests
}

}  // namespace

// Contexts are never destroyed: arrays in static storage may outlive anything that a destructor order could promise.
device_context& device_context::of(device_kind kind) {
  if (kind == device_kind::engine) {
    static auto* engine = [] {
      auto* made = new device_context(make_engine());
      std::atexit(finish_at_exit);
      return made;
    }();
    return *engine;
  }
#if GRIDSTRIDE_CUDA
  if (why_no_cuda().empty()) {
    static auto* cuda = new device_context(make_cuda_device());
    return *cuda;
  }
#endif
  throw machine_error("device cuda", why_no_cuda(), "use the engine");
}

device_context::device_context(std::unique_ptr<backend> hardware)
    : hardware_(std::move(hardware)), memory_(*hardware_), default_queue_(make_queue()) {}

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
  {
    std::lock_guard lock(mutex_);
    queues_.clear();
  }
  default_queue_ = make_queue();
  ++generation_;
}

}  // namespace gs::inline GS_FLAVOUR
