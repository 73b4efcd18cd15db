// The instruments' sentences in CUDA's words.

#include "runtime/instruments/results/program_words.h"

namespace dialect {
namespace {

// Whole sentences before parts of them.
constexpr gs::instruments::program_word words[] = {
    {"A gs::device_array begins without values: write every element first, or make it with gs::to_device from an array "
     "that has them.",
     "Memory of cudaMalloc() begins without values: write every element first, by a kernel, cudaMemcpy() or "
     "cudaMemset()."},
    {"Let the gs::device_array go out of scope: don't make it with new, and don't keep it in a static variable.",
     "Give it back with cudaFree()."},
    {"Stay inside the struct of gs::shared and the launch's .shared_bytes; the indices of a gs::tile are checked one "
     "by "
     "one.",
     "Stay inside the kernel's __shared__ variables, and inside the bytes that the launch gives as its third "
     "argument."},
    {"Pass the gs::device_array itself and take a gs::view in the kernel: its indices are checked one by one.",
     "Let only threads with an index below the array's size do this: if (i < n)."},
    {"Launch the kernel before the gs::device_array goes out of scope or is moved, or keep the array longer.",
     "Call cudaFree() after the last kernel that uses the memory."},
    {"Copy the values with gs::to_device and pass the result to the kernel, or pass a single one by value.",
     "Copy the values with cudaMemcpy() to memory of cudaMalloc() and pass that, or pass a single one by value."},
    {"Let the kernel write every element, or copy the slice that it writes: y.slice(0, n).copy_to_host().",
     "Let the kernel write every element, or copy only as many as it writes."},
    {"Let a kernel do this: pass it the array and launch it; or copy the elements with copy_to_host or copy_from_host.",
     "Let a kernel do this, or copy the elements with cudaMemcpy(); what cudaMallocManaged() gives is the host's, "
     "too."},
    {"Wait before: gs::synchronize(), synchronize() of the stream, or of an event that was recorded behind the work.",
     "Wait before: cudaDeviceSynchronize(), cudaStreamSynchronize() of the stream, or cudaEventSynchronize() of an "
     "event "
     "that was recorded behind the work."},
    {"Read it with gs::atomic_ref(x).load(), and let the other thread write it with store().",
     "Read it through a volatile pointer, and let the other thread write it with atomicExch()."},
    {"gs::event e; e.record(first); second.wait(e);", "cudaEventRecord(e, first); cudaStreamWaitEvent(second, e, 0);"},
    {"make both atomic, gs::atomic_ref(", "make both atomic, as by atomicAdd(&"},
    {"by gs::atomic_ref", "by an atomic function"},
    {"gs::atomic_ref takes", "an atomic function takes"},
    {"gs::atomic_ref(", "atomicAdd(&"},
    {").fetch_add(...)", ", ...)"},
    {"copy_to_host", "cudaMemcpy"},  // as the name of a copy, too
    {"copy_from_host", "cudaMemcpy"},
    {"t.sync()", "__syncthreads()"},
    {"grid_sync()", "grid.sync()"},
};

[[maybe_unused]] const bool are_spoken = [] {
  gs::instruments::speak_in(words);
  return true;
}();

}  // namespace
}  // namespace dialect
