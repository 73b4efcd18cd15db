#pragma once
// The observed loops of a thread, as for_pieces and the hooks see them.

#include <cstddef>
#include <cstdint>

#include "runtime/core/config.h"
#include "runtime/core/function_ref.h"
#include "runtime/observe/access_kind.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// Who observes the loops that a thread of the host spreads over the cores: observe_host_loops.
class host_loop_watch {
 public:
  /// The one that observes this thread, if any.
  static host_loop_watch* here() { return here_; }

  /// for_pieces: runs a loop.
  virtual void run(std::size_t n, std::size_t grain, detail::function_ref<void(std::size_t, std::size_t)> body) = 0;
  /// The hooks: an access by code compiled with observation.
  virtual void access(std::uintptr_t address, std::size_t bytes, access_kind kind, const void* code) = 0;

 protected:
  ~host_loop_watch() = default;
  [[gnu::tls_model("initial-exec")]] static constinit thread_local host_loop_watch* here_;
};

}  // namespace gs::inline GS_FLAVOUR::instruments
