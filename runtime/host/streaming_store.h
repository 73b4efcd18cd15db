#pragma once
// Streaming stores: writing large outputs past the caches. A regular store first reads the line it will overwrite;
// a streaming store doesn't, which saves a third of the traffic of `z = x + y`.

#include <cstddef>

#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR::detail {

/// Outputs of this many bytes or more don't fit the caches and are written with streaming stores. Never below
/// least_streamed, so that small work needn't ask.
std::size_t streaming_threshold();
inline constexpr std::size_t least_streamed = std::size_t{4} << 20;
inline bool is_streamed(std::size_t bytes) { return bytes >= least_streamed && bytes >= streaming_threshold(); }

/// Copies `bytes` from `from` to `to` with streaming stores. Ends without a fence: call streaming_fence() before
/// another thread reads what was written.
void stream_bytes(void* to, const void* from, std::size_t bytes);

/// Makes streamed data visible to other cores before anything that follows.
void streaming_fence();

/// Copies `bytes`, past the caches if `streaming`.
void copy_bytes(void* to, const void* from, std::size_t bytes, bool streaming);

}  // namespace gs::inline GS_FLAVOUR::detail
