#pragma once
// What the handles of streams and events stand for.

#include <memory>
#include <optional>

#include "dialect/runtime/capture.h"
#include "dialect/runtime/streams.h"
#include "runtime/device/stream.h"

struct CUstream_st {
  gs::stream work;
  unsigned flags = 0;
  int priority = 0;
  std::shared_ptr<dialect::capturing_queue> capturing = nullptr;  ///< null: it doesn't capture
  std::optional<gs::stream> captured = std::nullopt;              ///< then, what its work is queued on
};

struct CUevent_st {
  gs::event point;
  unsigned flags = 0;
  bool recorded = false;
  std::shared_ptr<dialect::captured_point> captured = nullptr;  ///< where a captured stream has recorded it last
};

namespace dialect {

/// Null for the default stream. Throws call_refused for what is no stream.
CUstream_st* stream_of(cudaStream_t stream);
/// From now on the stream's work belongs to the capture.
void begin_capture(CUstream_st& stream, const std::shared_ptr<capture>& in);
/// Takes all streams out of the capture.
void end_capture(const std::shared_ptr<capture>& in);

}  // namespace dialect
