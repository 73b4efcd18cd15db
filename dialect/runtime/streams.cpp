#include "dialect/runtime/streams.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "dialect/runtime/stream_handles.h"
#include "runtime/core/error.h"
#include "runtime/device/device.h"
#include "runtime/device/host_work.h"
#include "runtime/observe/observe.h"

namespace {

using dialect::guarded;

// Those that are there, in the order in which they were made.
struct stream_list {
  std::mutex mutex;
  std::vector<std::unique_ptr<CUstream_st>> streams;

  bool has(cudaStream_t stream) {
    for (const auto& one : streams)
      if (one.get() == stream) return true;
    return false;
  }
};
stream_list& all_streams() {
  static auto* const list = new stream_list;  // never destroyed: other statics may still use streams
  return *list;
}

bool is_default(cudaStream_t stream) { return stream == nullptr || stream == cudaStreamLegacy; }

constexpr const char* invalidated =
    "the capture of the stream was stopped by an error before; end it with cudaStreamEndCapture()";

bool waits_for_default(const CUstream_st& stream) { return (stream.flags & cudaStreamNonBlocking) == 0; }

CUstream_st& of_this_thread() {
  thread_local cudaStream_t mine = nullptr;
  if (!mine) cudaStreamCreate(&mine);
  return *mine;
}

// Whether a stream may be left out where all are waited for: nothing is queued there. The instruments ask for the order
// of the calls, and not for what has happened to run by now.
#if GRIDSTRIDE_CHECKED
bool may_be_left_out(const gs::stream& /*s*/) { return false; }
#else
bool may_be_left_out(const gs::stream& s) { return s.work().idle(); }
#endif

// As it is for work that waits for no other stream.
gs::stream& plain_stream(cudaStream_t stream) {
  CUstream_st* const own = dialect::stream_of(stream);
  if (!own) return gs::default_stream();
  return own->captured ? *own->captured : own->work;
}

template <class Work>
cudaError_t with_stream(cudaStream_t stream, Work work) {
  return guarded([&] {
    dialect::stream_of(stream);
    return work();
  });
}

cudaError_t queue_function(cudaStream_t stream, std::function<void()> call) {
  return with_stream(stream, [&] {
    dialect::stream_for_work(stream).work().submit(
        gs::detail::make_host_work("a function of the host", 1, [call](gs::detail::spread_function) {
          gs::instruments::name_work("a function of the host");
          const gs::instruments::host_function_scope scope;
          call();
        }));
    return cudaSuccess;
  });
}

}  // namespace

namespace dialect {

CUstream_st* stream_of(cudaStream_t stream) {
  if (is_default(stream)) return nullptr;
  if (stream == cudaStreamPerThread) return &of_this_thread();
  stream_list& list = all_streams();
  const std::lock_guard lock(list.mutex);
  if (!list.has(stream))
    throw call_refused{cudaErrorInvalidResourceHandle,
                       "a stream: it was never made, or has been destroyed; make it with cudaStreamCreate()"};
  return stream;
}

void begin_capture(CUstream_st& stream, const std::shared_ptr<capture>& in) {
  stream.capturing = std::make_shared<capturing_queue>(in);
  stream.captured.emplace(gs::detail::stream_over(stream.capturing));
}

void end_capture(const std::shared_ptr<capture>& in) {
  stream_list& list = all_streams();
  const std::lock_guard lock(list.mutex);
  for (const auto& stream : list.streams)
    if (stream->capturing && stream->capturing->of() == in) {
      stream->captured.reset();
      stream->capturing.reset();
    }
}

gs::stream& stream_for_work(cudaStream_t stream) {
  CUstream_st* const own = stream_of(stream);
  if (own && own->captured) {
    if (!own->capturing->of()->is_valid()) throw call_refused{cudaErrorStreamCaptureInvalidated, invalidated};
    return *own->captured;
  }
  if (!own) check_may_use_default_stream();
  gs::stream& common = gs::default_stream();
  if (own) {
    if (waits_for_default(*own) && !may_be_left_out(common)) own->work.work().wait_for(common.work().mark());
    return own->work;
  }
  stream_list& list = all_streams();
  const std::lock_guard lock(list.mutex);
  for (const auto& other : list.streams)
    if (waits_for_default(*other) && !may_be_left_out(other->work)) common.work().wait_for(other->work.work().mark());
  return common;
}

}  // namespace dialect

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return guarded([&] {
    if (!stream || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    stream_list& list = all_streams();
    const std::lock_guard lock(list.mutex);
    list.streams.push_back(std::make_unique<CUstream_st>());
    list.streams.back()->flags = flags;
    list.streams.back()->priority = priority;
    *stream = list.streams.back().get();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }

// What was queued still runs; an error in it is noted by the device.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return with_stream(stream, [&] {
    if (is_default(stream) || stream == cudaStreamPerThread) return cudaErrorInvalidResourceHandle;
    stream_list& list = all_streams();
    const std::lock_guard lock(list.mutex);
    std::erase_if(list.streams, [&](const auto& one) { return one.get() == stream; });
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return with_stream(stream, [&] {
    dialect::stream_for_work(stream).synchronize();
    return cudaSuccess;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return with_stream(stream, [&] {
    gs::stream& work = plain_stream(stream);
    if (!work.idle()) return cudaErrorNotReady;
    work.work().wait();  // an error in it
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_stream(stream, [&] {
    if (!event) return cudaErrorInvalidResourceHandle;
    CUstream_st* const own = dialect::stream_of(stream);
    if (event->captured) {
      const std::shared_ptr<dialect::capture>& in = event->captured->of();
      if (!in->is_running()) dialect::check_is_not_captured(event->captured.get(), "cudaStreamWaitEvent()");
      if (!own) dialect::refuse_default_stream(*in);
      if (!own->capturing) dialect::begin_capture(*own, in);
      own->capturing->wait_for(event->captured);
    } else if (own && own->capturing && event->recorded) {
      own->capturing->wait_for(nullptr);
    } else {
      plain_stream(stream).wait(event->point);
    }
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return with_stream(stream, [&] {
    const CUstream_st* const own = dialect::stream_of(stream);
    *flags = own ? own->flags : cudaStreamDefault;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_stream(stream, [&] {
    const CUstream_st* const own = dialect::stream_of(stream);
    *priority = own ? own->priority : 0;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned) {
  return queue_function(stream, [=] { callback(stream, cudaSuccess, data); });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return queue_function(stream, [=] { function(data); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return guarded([&] {
    *event = new CUevent_st;
    (*event)->flags = flags;
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return guarded([&] {
    if (!event) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return with_stream(stream, [&] {
    if (!event) return cudaErrorInvalidResourceHandle;
    gs::stream& on = dialect::stream_for_work(stream);
    CUstream_st* const own = dialect::stream_of(stream);
    event->captured = own && own->capturing ? own->capturing->here() : nullptr;
    if (event->captured) return cudaSuccess;
    event->point.record(on);
    event->recorded = true;
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return guarded([&] {
    if (!event) return cudaErrorInvalidResourceHandle;
    dialect::check_is_not_captured(event->captured.get(), "cudaEventSynchronize()");
    event->point.synchronize();
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return guarded([&] {
    if (!event) return cudaErrorInvalidResourceHandle;
    dialect::check_is_not_captured(event->captured.get(), "cudaEventQuery()");
    return event->point.done() ? cudaSuccess : cudaErrorNotReady;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  return guarded([&] {
    const auto usable = [](cudaEvent_t event) {
      return event && event->recorded && (event->flags & cudaEventDisableTiming) == 0;
    };
    for (const cudaEvent_t event : {start, stop})
      if (event) dialect::check_is_not_captured(event->captured.get(), "cudaEventElapsedTime()");
    if (!usable(start) || !usable(stop)) return cudaErrorInvalidResourceHandle;
    if (!start->point.done() || !stop->point.done()) return cudaErrorNotReady;
    *milliseconds = static_cast<float>(1e3 * gs::seconds_between(start->point, stop->point));
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return guarded([] {
    dialect::check_may_wait_for_device("cudaDeviceSynchronize()");
    gs::synchronize();
    return cudaSuccess;
  });
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
