// The transport over MPI: compiled against Open MPI, and again against MPICH, whose numbers and types differ. Needs
// MPI 3.

#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <bit>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "runtime/world/transport.h"

namespace gs::inline GS_FLAVOUR::detail {
namespace {

using handle = transport_handle;

// MPI's handles are pointers in Open MPI and integers in MPICH.
template <class H>
handle packed(H h) {
  if constexpr (std::is_pointer_v<H>)
    return std::bit_cast<handle>(h);
  else
    return static_cast<handle>(h);
}
template <class H>
H unpacked(handle h) {
  if constexpr (std::is_pointer_v<H>)
    return std::bit_cast<H>(h);
  else
    return static_cast<H>(h);
}
MPI_Comm comm(handle group) { return unpacked<MPI_Comm>(group); }

// A call that goes on, with the numbers that MPI reads until it is done.
struct in_flight {
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<int> numbers[4];
};

// Runs `blocking`, or `starting` with a request of its own.
template <class Blocking, class Starting>
int call(handle* pending, Blocking blocking, Starting starting) {
  if (!pending) return blocking();
  auto started = std::make_unique<in_flight>();
  const int code = starting(&started->request);
  *pending = std::bit_cast<handle>(started.release());
  return code;
}

// More elements than an int counts aren't sent: MPI 3 has no call for them.
bool fits(std::size_t count) { return count <= INT_MAX; }
int as_int(std::size_t count) { return static_cast<int>(count); }

// What has been made for the program's elements and functions, until finish(), which runs when static objects are gone.
std::map<std::size_t, MPI_Datatype>& made_types() {
  static auto& types = *new std::map<std::size_t, MPI_Datatype>;
  return types;
}
std::map<void (*)(void*, void*, int*, void*), MPI_Op>& made_operations() {
  static auto& operations = *new std::map<void (*)(void*, void*, int*, void*), MPI_Op>;
  return operations;
}

// Elements that are only moved.
MPI_Datatype moved_type(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return MPI_BYTE;
    case 2:
      return MPI_INT16_T;
    case 4:
      return MPI_INT32_T;
    case 8:
      return MPI_INT64_T;
    default:
      break;
  }
  const auto [found, is_new] = made_types().try_emplace(bytes, MPI_DATATYPE_NULL);
  if (is_new) {
    MPI_Type_contiguous(as_int(bytes), MPI_BYTE, &found->second);
    MPI_Type_commit(&found->second);
  }
  return found->second;
}

MPI_Datatype number(number_type type) {
  switch (type) {
    case number_type::int8:
      return MPI_INT8_T;
    case number_type::int16:
      return MPI_INT16_T;
    case number_type::int32:
      return MPI_INT32_T;
    case number_type::int64:
      return MPI_INT64_T;
    case number_type::uint8:
      return MPI_UINT8_T;
    case number_type::uint16:
      return MPI_UINT16_T;
    case number_type::uint32:
      return MPI_UINT32_T;
    case number_type::uint64:
      return MPI_UINT64_T;
    case number_type::float32:
      return MPI_FLOAT;
    case number_type::float64:
      return MPI_DOUBLE;
    case number_type::long_double:
      return MPI_LONG_DOUBLE;
    case number_type::complex64:
      return MPI_C_FLOAT_COMPLEX;
    case number_type::complex128:
      return MPI_C_DOUBLE_COMPLEX;
    case number_type::none:
      break;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Datatype combined_type(const operand& x, const combination& how) {
  return how.function ? moved_type(x.element_bytes) : number(x.type);
}

MPI_Op operation(const combination& how) {
  if (how.function) {
    const auto [found, is_new] = made_operations().try_emplace(how.function, MPI_OP_NULL);
    // The last parameter, a pointer to the type, is not looked at.
    if (is_new) MPI_Op_create(reinterpret_cast<MPI_User_function*>(how.function), how.commutes, &found->second);
    return found->second;
  }
  switch (how.by) {
    case fold::sum:
      return MPI_SUM;
    case fold::product:
      return MPI_PROD;
    case fold::minimum:
      return MPI_MIN;
    case fold::maximum:
      return MPI_MAX;
  }
  return MPI_OP_NULL;
}

void fill(receipt* came, const MPI_Status& status) {
  if (!came) return;
  MPI_Count bytes = 0;
  MPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  *came = {status.MPI_SOURCE, status.MPI_TAG, static_cast<std::size_t>(bytes)};
}

int any(int rank_or_tag, int wildcard) { return rank_or_tag < 0 ? wildcard : rank_or_tag; }

// --- the process -----------------------------------------------------------------------------------------------------

int start() {
  int running = 0;
  MPI_Initialized(&running);
  if (running) return MPI_SUCCESS;
  int provided = 0;
  const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (code == MPI_SUCCESS) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  return code;
}
int finish() {
  int finished = 0;
  MPI_Finalized(&finished);
  if (finished) return MPI_SUCCESS;
  for (auto& made : made_types()) MPI_Type_free(&made.second);
  for (auto& made : made_operations()) MPI_Op_free(&made.second);
  return MPI_Finalize();
}
// MPICH's launcher ends at once, and would lose what this rank has just printed.
void end_all(int status) {
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  MPI_Abort(MPI_COMM_WORLD, status);
}

void describe(int code, char* text, std::size_t bytes) {
  char message[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  if (MPI_Error_string(code, message, &length) != MPI_SUCCESS) length = 0;
  message[length] = 0;
  std::string(message).copy(text, bytes - 1);
  text[std::min<std::size_t>(static_cast<std::size_t>(length), bytes - 1)] = 0;
}

bool takes_device_pointers() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

// --- groups ----------------------------------------------------------------------------------------------------------

handle everybody() { return packed(MPI_COMM_WORLD); }
int size(handle group) {
  int n = 0;
  MPI_Comm_size(comm(group), &n);
  return n;
}
int rank(handle group) {
  int r = 0;
  MPI_Comm_rank(comm(group), &r);
  return r;
}
int take(int code, MPI_Comm made, handle* result) {
  if (code == MPI_SUCCESS) MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
  *result = packed(made);
  return code;
}
int duplicate(handle group, handle* made) {
  MPI_Comm c = MPI_COMM_NULL;
  const int code = MPI_Comm_dup(comm(group), &c);
  return take(code, c, made);
}
int split(handle group, int colour, int key, handle* made) {
  MPI_Comm c = MPI_COMM_NULL;
  const int code = MPI_Comm_split(comm(group), colour, key, &c);
  return take(code, c, made);
}
int split_by_machine(handle group, handle* made) {
  MPI_Comm c = MPI_COMM_NULL;
  const int code = MPI_Comm_split_type(comm(group), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c);
  return take(code, c, made);
}
void release(handle group) {
  int finished = 0;
  MPI_Finalized(&finished);
  MPI_Comm c = comm(group);
  if (!finished && c != MPI_COMM_WORLD) MPI_Comm_free(&c);
}

// --- messages --------------------------------------------------------------------------------------------------------

int send(handle group, const operand& x, int to, int tag, bool synchronous, handle* pending) {
  if (!fits(x.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = moved_type(x.element_bytes);
  const int n = as_int(x.count);
  return call(
      pending, [&] { return (synchronous ? MPI_Ssend : MPI_Send)(x.data, n, type, to, tag, comm(group)); },
      [&](MPI_Request* r) { return (synchronous ? MPI_Issend : MPI_Isend)(x.data, n, type, to, tag, comm(group), r); });
}
int receive(handle group, const operand& x, int from, int tag, receipt* came, handle* pending) {
  if (!fits(x.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = moved_type(x.element_bytes);
  const int n = as_int(x.count), source = any(from, MPI_ANY_SOURCE), wanted = any(tag, MPI_ANY_TAG);
  return call(
      pending,
      [&] {
        MPI_Status status;
        const int code = MPI_Recv(x.data, n, type, source, wanted, comm(group), &status);
        if (code == MPI_SUCCESS) fill(came, status);
        return code;
      },
      [&](MPI_Request* r) { return MPI_Irecv(x.data, n, type, source, wanted, comm(group), r); });
}
int probe(handle group, int from, int tag, bool* found, receipt* comes, handle* message) {
  const int source = any(from, MPI_ANY_SOURCE), wanted = any(tag, MPI_ANY_TAG);
  MPI_Message m = MPI_MESSAGE_NULL;
  MPI_Status status;
  int flag = 1;
  const int code = found ? MPI_Improbe(source, wanted, comm(group), &flag, &m, &status)
                         : MPI_Mprobe(source, wanted, comm(group), &m, &status);
  if (found) *found = flag != 0;
  if (code == MPI_SUCCESS && flag) fill(comes, status), *message = packed(m);
  return code;
}
int receive_probed(handle* message, const operand& x) {
  MPI_Message m = unpacked<MPI_Message>(*message);
  return MPI_Mrecv(x.data, as_int(x.count), moved_type(x.element_bytes), &m, MPI_STATUS_IGNORE);
}
int test(handle* pending, bool* done, receipt* came) {
  auto* const started = std::bit_cast<in_flight*>(*pending);
  MPI_Status status;
  int flag = 0;
  const int code = MPI_Test(&started->request, &flag, &status);
  *done = flag != 0 || code != MPI_SUCCESS;
  if (!*done) return code;
  if (code == MPI_SUCCESS) fill(came, status);
  delete started;
  return code;
}
int wait(handle* pending, receipt* came) {
  auto* const started = std::bit_cast<in_flight*>(*pending);
  MPI_Status status;
  const int code = MPI_Wait(&started->request, &status);
  if (code == MPI_SUCCESS) fill(came, status);
  delete started;
  return code;
}

// --- verbs of all ranks ----------------------------------------------------------------------------------------------

int barrier(handle group, handle* pending) {
  return call(
      pending, [&] { return MPI_Barrier(comm(group)); }, [&](MPI_Request* r) { return MPI_Ibarrier(comm(group), r); });
}

int broadcast(handle group, const operand& x, int root, handle* pending) {
  if (!fits(x.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = moved_type(x.element_bytes);
  return call(
      pending, [&] { return MPI_Bcast(x.data, as_int(x.count), type, root, comm(group)); },
      [&](MPI_Request* r) { return MPI_Ibcast(x.data, as_int(x.count), type, root, comm(group), r); });
}

int reduce(handle group, const operand& from, void* to, const combination& how, int root, handle* pending) {
  if (!fits(from.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = combined_type(from, how);
  const MPI_Op op = operation(how);
  const int n = as_int(from.count);
  const MPI_Comm c = comm(group);
  const bool gets = root < 0 || rank(group) == root;  // elsewhere, both are null for no elements
  const void* const source = gets && from.data == to ? MPI_IN_PLACE : from.data;
  return call(
      pending,
      [&] {
        return root < 0 ? MPI_Allreduce(source, to, n, type, op, c) : MPI_Reduce(source, to, n, type, op, root, c);
      },
      [&](MPI_Request* r) {
        return root < 0 ? MPI_Iallreduce(source, to, n, type, op, c, r)
                        : MPI_Ireduce(source, to, n, type, op, root, c, r);
      });
}

int scan(handle group, const operand& from, void* to, const combination& how, handle* pending) {
  if (!fits(from.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = combined_type(from, how);
  const MPI_Op op = operation(how);
  const void* const source = from.data == to ? MPI_IN_PLACE : from.data;
  return call(
      pending, [&] { return MPI_Scan(source, to, as_int(from.count), type, op, comm(group)); },
      [&](MPI_Request* r) { return MPI_Iscan(source, to, as_int(from.count), type, op, comm(group), r); });
}

// Counts and offsets as MPI 3 takes them. False if there are more elements than an int counts.
bool number_parts(std::span<const std::size_t> counts, std::vector<int>& ints, std::vector<int>& offsets) {
  std::size_t offset = 0;
  for (const std::size_t count : counts) {
    if (!fits(offset) || !fits(count)) return false;
    ints.push_back(as_int(count));
    offsets.push_back(as_int(offset));
    offset += count;
  }
  return true;
}

// The same with counts of each rank: `numbers` live until the call is done.
template <class Blocking, class Starting>
int call_with_parts(handle* pending, std::unique_ptr<in_flight> numbers, Blocking blocking, Starting starting) {
  if (!pending) return blocking(numbers->numbers);
  const int code = starting(numbers->numbers, &numbers->request);
  *pending = std::bit_cast<handle>(numbers.release());
  return code;
}

int gather(handle group, const operand& from, void* to, const part_counts& parts, int root, handle* pending) {
  if (!fits(from.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = moved_type(from.element_bytes);
  const int n = as_int(from.count);
  const MPI_Comm c = comm(group);
  if (parts.even && root < 0)
    return call(
        pending, [&] { return MPI_Allgather(from.data, n, type, to, n, type, c); },
        [&](MPI_Request* r) { return MPI_Iallgather(from.data, n, type, to, n, type, c, r); });
  if (parts.even)
    return call(
        pending, [&] { return MPI_Gather(from.data, n, type, to, n, type, root, c); },
        [&](MPI_Request* r) { return MPI_Igather(from.data, n, type, to, n, type, root, c, r); });
  auto started = std::make_unique<in_flight>();
  if (!number_parts(parts.of_rank, started->numbers[0], started->numbers[1])) return MPI_ERR_COUNT;
  return call_with_parts(
      pending, std::move(started),
      [&](const std::vector<int>* p) {
        return root < 0 ? MPI_Allgatherv(from.data, n, type, to, p[0].data(), p[1].data(), type, c)
                        : MPI_Gatherv(from.data, n, type, to, p[0].data(), p[1].data(), type, root, c);
      },
      [&](const std::vector<int>* p, MPI_Request* r) {
        return root < 0 ? MPI_Iallgatherv(from.data, n, type, to, p[0].data(), p[1].data(), type, c, r)
                        : MPI_Igatherv(from.data, n, type, to, p[0].data(), p[1].data(), type, root, c, r);
      });
}

int scatter(handle group, const void* from, const part_counts& parts, const operand& to, int root, handle* pending) {
  if (!fits(to.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = moved_type(to.element_bytes);
  const int n = as_int(to.count);
  const MPI_Comm c = comm(group);
  if (parts.even)
    return call(
        pending, [&] { return MPI_Scatter(from, n, type, to.data, n, type, root, c); },
        [&](MPI_Request* r) { return MPI_Iscatter(from, n, type, to.data, n, type, root, c, r); });
  auto started = std::make_unique<in_flight>();
  if (!number_parts(parts.of_rank, started->numbers[0], started->numbers[1])) return MPI_ERR_COUNT;
  return call_with_parts(
      pending, std::move(started),
      [&](const std::vector<int>* p) {
        return MPI_Scatterv(from, p[0].data(), p[1].data(), type, to.data, n, type, root, c);
      },
      [&](const std::vector<int>* p, MPI_Request* r) {
        return MPI_Iscatterv(from, p[0].data(), p[1].data(), type, to.data, n, type, root, c, r);
      });
}

int alltoall(handle group, const operand& from, const std::size_t* counts_from, void* to, const std::size_t* counts_to,
             handle* pending) {
  const MPI_Datatype type = moved_type(from.element_bytes);
  const MPI_Comm c = comm(group);
  if (!counts_from) {
    const std::size_t part = from.count / static_cast<std::size_t>(size(group));
    if (!fits(part)) return MPI_ERR_COUNT;
    const int n = as_int(part);
    return call(
        pending, [&] { return MPI_Alltoall(from.data, n, type, to, n, type, c); },
        [&](MPI_Request* r) { return MPI_Ialltoall(from.data, n, type, to, n, type, c, r); });
  }
  auto started = std::make_unique<in_flight>();
  const auto ranks = static_cast<std::size_t>(size(group));
  if (!number_parts({counts_from, ranks}, started->numbers[0], started->numbers[1]) ||
      !number_parts({counts_to, ranks}, started->numbers[2], started->numbers[3]))
    return MPI_ERR_COUNT;
  return call_with_parts(
      pending, std::move(started),
      [&](const std::vector<int>* p) {
        return MPI_Alltoallv(from.data, p[0].data(), p[1].data(), type, to, p[2].data(), p[3].data(), type, c);
      },
      [&](const std::vector<int>* p, MPI_Request* r) {
        return MPI_Ialltoallv(from.data, p[0].data(), p[1].data(), type, to, p[2].data(), p[3].data(), type, c, r);
      });
}

// --- windows ---------------------------------------------------------------------------------------------------------

MPI_Win win(handle window) { return unpacked<MPI_Win>(window); }

// MPICH 4.0.2 writes to other ranks than it is told where the memory is MPI_Win_allocate's, and Open MPI 4.1.4 makes no
// window of one rank's own memory.
#if defined(MPICH_VERSION)
int allocate_window(MPI_Comm c, std::size_t bytes, void** memory, MPI_Win* w) {
  *memory = std::malloc(bytes + 1);  // NOLINT
  if (*memory == nullptr) return MPI_ERR_NO_MEM;
  return MPI_Win_create(*memory, static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, c, w);
}
void free_window(MPI_Win w) {
  void* memory = nullptr;
  int is_known = 0;
  MPI_Win_get_attr(w, MPI_WIN_BASE, &memory, &is_known);
  MPI_Win_free(&w);
  std::free(memory);  // NOLINT
}
#else
int allocate_window(MPI_Comm c, std::size_t bytes, void** memory, MPI_Win* w) {
  return MPI_Win_allocate(static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, c, memory, w);
}
void free_window(MPI_Win w) { MPI_Win_free(&w); }
#endif

// All ranks may reach it from the beginning to the end.
int make_window(handle group, std::size_t bytes, void** memory, handle* made) {
  MPI_Win w = MPI_WIN_NULL;
  const int code = allocate_window(comm(group), bytes, memory, &w);
  if (code != MPI_SUCCESS) return code;
  MPI_Win_set_errhandler(w, MPI_ERRORS_RETURN);
  if (bytes > 0) std::memset(*memory, 0, bytes);
  *made = packed(w);
  return MPI_Win_lock_all(MPI_MODE_NOCHECK, w);
}
void release_window(handle window) {
  int finished = 0;
  MPI_Finalized(&finished);
  if (finished) return;
  MPI_Win_unlock_all(win(window));
  free_window(win(window));
}

int put(handle window, const operand& x, int to, std::size_t offset) {
  if (!fits(x.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = moved_type(x.element_bytes);
  const int n = as_int(x.count);
  MPI_Request r = MPI_REQUEST_NULL;
  const int code = MPI_Rput(x.data, n, type, to, static_cast<MPI_Aint>(offset), n, type, win(window), &r);
  return code == MPI_SUCCESS ? MPI_Wait(&r, MPI_STATUS_IGNORE) : code;
}
int get(handle window, const operand& x, int from, std::size_t offset) {
  if (!fits(x.count)) return MPI_ERR_COUNT;
  const MPI_Datatype type = moved_type(x.element_bytes);
  const int n = as_int(x.count);
  MPI_Request r = MPI_REQUEST_NULL;
  const int code = MPI_Rget(x.data, n, type, from, static_cast<MPI_Aint>(offset), n, type, win(window), &r);
  return code == MPI_SUCCESS ? MPI_Wait(&r, MPI_STATUS_IGNORE) : code;
}
int settle_window(handle window) {
  const int code = MPI_Win_flush_all(win(window));
  return code == MPI_SUCCESS ? MPI_Win_sync(win(window)) : code;
}

// "Open MPI v4.1.4", "MPICH 4.0.2".
const char* library_name() {
  static const std::string name = [] {
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    const std::string line(text, static_cast<std::size_t>(length));
#if defined(MPICH_VERSION)
    return std::string("MPICH " MPICH_VERSION);
#else
    return line.substr(0, line.find_first_of(",\n\t"));
#endif
  }();
  return name.c_str();
}

}  // namespace
}  // namespace gs::inline GS_FLAVOUR::detail

/// What this_transport.cpp looks for in this library.
extern "C" const void* gridstride_transport() {
  using namespace gs::detail;
  static const transport table{.version = transport::newest_version,
                               .name = library_name(),
                               .start = start,
                               .finish = finish,
                               .end_all = end_all,
                               .describe = describe,
                               .takes_device_pointers = takes_device_pointers,
                               .everybody = everybody,
                               .size = size,
                               .rank = rank,
                               .duplicate = duplicate,
                               .split = split,
                               .split_by_machine = split_by_machine,
                               .release = release,
                               .send = send,
                               .receive = receive,
                               .probe = probe,
                               .receive_probed = receive_probed,
                               .test = test,
                               .wait = wait,
                               .barrier = barrier,
                               .broadcast = broadcast,
                               .reduce = reduce,
                               .scan = scan,
                               .gather = gather,
                               .scatter = scatter,
                               .alltoall = alltoall,
                               .make_window = make_window,
                               .release_window = release_window,
                               .put = put,
                               .get = get,
                               .settle_window = settle_window};
  return &table;
}
