#pragma once
// closed_memory: device memory of the engine that only the device can reach. The engine's memory is the process's own,
// so that a pointer to it works on the host, where a GPU's wouldn't. Here it doesn't either: its pages have no rights
// but while queued work or a copy runs, and host code that touches them gets SIGSEGV.

#include <atomic>
#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::closed_memory {

/// From now on all memory of the engine is closed. For programs that run another's code: to be called before the first
/// array is made. Not in the checked flavour, where the instruments find such accesses by their lines.
void begin();
extern std::atomic<bool> begun;
inline bool on() { return begun.load(std::memory_order_relaxed); }

/// Whether the address lies in closed memory. May be asked in a signal's handler.
bool contains(const void* address);

/// The engine's: null if there is no room.
void* allocate(std::size_t bytes);
void deallocate(void* memory, std::size_t bytes);

/// From its construction to its end, closed memory is open, for every thread.
class passage {
 public:
  passage() : opens_(on()) {
    if (opens_) open();
  }
  ~passage() {
    if (opens_) close();
  }
  passage(const passage&) = delete;
  passage& operator=(const passage&) = delete;

 private:
  static void open();
  static void close();
  bool opens_;
};

}  // namespace gs::inline GS_FLAVOUR::closed_memory
