#include "dialect/runtime/graphs.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "dialect/runtime/capture.h"
#include "dialect/runtime/stream_handles.h"

struct CUgraphNode_st {};  // a handle leads to nothing

struct CUgraph_st {
  dialect::graph_nodes nodes;
};

// A graph that was instantiated: for each node the branch that it runs on, 0 being the stream of the launch.
struct CUgraphExec_st {
  dialect::graph_nodes nodes;
  std::vector<std::size_t> branch_of;
  std::vector<gs::stream> branches = {};                       // those after 0
  std::shared_ptr<gs::detail::fence> end_of_last_launch = {};  // one launch of it comes after the other
};

namespace {

using dialect::call_refused, dialect::graph_node, dialect::graph_nodes, dialect::guarded;

// Work that a graph keeps, and that runs at each launch.
class kept_work final : public gs::detail::host_work {
 public:
  explicit kept_work(std::shared_ptr<host_work> work) : work_(std::move(work)) {}
  std::string_view name() const override { return work_->name(); }
  std::size_t items() const override { return work_->items(); }
  std::size_t threads_per_item() const override { return work_->threads_per_item(); }
  void run(gs::detail::spread_function spread) override { work_->run(spread); }

 private:
  std::shared_ptr<host_work> work_;
};

// A node goes on with the branch of one that it comes after, if that is the branch's last; else it begins a new one.
std::vector<std::size_t> branches_of(const graph_nodes& nodes) {
  std::vector<std::size_t> branch_of, last;  // by node; by branch
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto goes_on = [&](std::size_t end) {
      return std::ranges::find(nodes[k].after, end) != nodes[k].after.end();
    };
    auto found = std::ranges::find_if(last, goes_on);
    if (found == last.end()) found = last.insert(last.end(), k);
    *found = k;
    branch_of.push_back(static_cast<std::size_t>(found - last.begin()));
  }
  return branch_of;
}

void launch(CUgraphExec_st& graph, gs::stream& on) {
  gs::detail::queue& first = on.work();
  if (graph.end_of_last_launch) first.wait_for(graph.end_of_last_launch);
  const auto begin = first.mark();
  for (gs::stream& branch : graph.branches) branch.work().wait_for(begin);
  const auto queue_of = [&](std::size_t branch) -> gs::detail::queue& {
    return branch == 0 ? first : graph.branches[branch - 1].work();
  };
  std::vector<std::shared_ptr<gs::detail::fence>> ends(graph.nodes.size());
  for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
    const graph_node& node = graph.nodes[k];
    gs::detail::queue& work = queue_of(graph.branch_of[k]);
    for (const std::size_t earlier : node.after)
      if (graph.branch_of[earlier] != graph.branch_of[k]) work.wait_for(ends[earlier]);
    work.submit(std::make_unique<kept_work>(node.work));
    if (!graph.branches.empty()) ends[k] = work.mark();
  }
  for (gs::stream& branch : graph.branches) first.wait_for(branch.work().mark());
  graph.end_of_last_launch = first.mark();
}

cudaError_t give_nodes(std::size_t nodes, cudaGraphNode_t* handles, std::size_t* count) {
  static CUgraphNode_st node;
  if (!count) return cudaErrorInvalidValue;
  if (handles)
    for (std::size_t k = 0; k < *count; ++k) handles[k] = k < nodes ? &node : nullptr;
  *count = handles ? std::min(*count, nodes) : nodes;
  return cudaSuccess;
}

}  // namespace

// --- capture ---------------------------------------------------------------------------------------------------------

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return guarded([&] {
    if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) return cudaErrorInvalidValue;
    CUstream_st* const own = dialect::stream_of(stream);
    if (!own)
      throw call_refused{cudaErrorStreamCaptureUnsupported,
                         "cudaStreamBeginCapture: the default stream can't be captured; make one with "
                         "cudaStreamCreate()"};
    if (own->capturing) return cudaErrorIllegalState;
    const auto begun = std::make_shared<dialect::capture>(stream, mode);
    dialect::begin_capture(*own, begun);
    dialect::note_begun(begun, (own->flags & cudaStreamNonBlocking) == 0);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return guarded([&] {
    if (!graph) return cudaErrorInvalidValue;
    *graph = nullptr;
    CUstream_st* const own = dialect::stream_of(stream);
    if (!own || !own->capturing) return cudaErrorIllegalState;
    const std::shared_ptr<dialect::capture> ended = own->capturing->of();
    if (ended->origin() != stream)
      throw call_refused{cudaErrorStreamCaptureUnmatched,
                         "cudaStreamEndCapture: the capture was begun on another stream; end it on that one"};
    if (!ended->may_be_ended())
      throw call_refused{cudaErrorStreamCaptureWrongThread,
                         "cudaStreamEndCapture: another thread of the host has begun the capture; end it there"};
    const bool is_joined = ended->ends_in(own->capturing->last());
    dialect::end_capture(ended);
    dialect::note_ended(ended);
    if (!ended->is_valid()) return cudaErrorStreamCaptureInvalidated;
    if (!is_joined)
      throw call_refused{
          cudaErrorStreamCaptureUnjoined,
          "cudaStreamEndCapture: work on another stream of the capture hasn't been waited for; record an "
          "event there, and let this stream wait for it"};
    *graph = new CUgraph_st{ended->take_nodes()};
    return cudaSuccess;
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return guarded([&] {
    if (!status) return cudaErrorInvalidValue;
    const CUstream_st* const own = dialect::stream_of(stream);
    *status = !own || !own->capturing            ? cudaStreamCaptureStatusNone
              : own->capturing->of()->is_valid() ? cudaStreamCaptureStatusActive
                                                 : cudaStreamCaptureStatusInvalidated;
    return cudaSuccess;
  });
}

// --- graphs ----------------------------------------------------------------------------------------------------------

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return guarded([&] {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = new CUgraph_st;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return guarded([&] {
    if (!clone || !graph) return cudaErrorInvalidValue;
    *clone = new CUgraph_st(*graph);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return guarded([&] {
    if (!graph) return cudaErrorInvalidValue;
    delete graph;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return guarded([&] { return graph ? give_nodes(graph->nodes.size(), nodes, count) : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return guarded([&] {
    if (!graph) return cudaErrorInvalidValue;
    const auto roots = std::ranges::count_if(graph->nodes, [](const graph_node& node) { return node.after.empty(); });
    return give_nodes(static_cast<std::size_t>(roots), nodes, count);
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  return guarded([&] {
    if (!executable || !graph) return cudaErrorInvalidValue;
    auto made = std::make_unique<CUgraphExec_st>(graph->nodes, branches_of(graph->nodes));
    for (const std::size_t branch : made->branch_of)
      if (branch > made->branches.size()) made->branches.emplace_back();
    *executable = made.release();
    return cudaSuccess;
  });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* wrong, char* text,
                                 std::size_t text_bytes) {
  if (wrong) *wrong = nullptr;
  if (text && text_bytes > 0) *text = '\0';
  return cudaGraphInstantiate(executable, graph);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return guarded([&] {
    if (!executable) return cudaErrorInvalidValue;
    CUstream_st* const own = dialect::stream_of(stream);
    if (own && own->capturing)
      own->capturing->submit_nodes(executable->nodes);
    else
      launch(*executable, dialect::stream_for_work(stream));
    return cudaSuccess;
  });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return guarded([&] {
    dialect::stream_of(stream);
    return executable ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return guarded([&] {
    if (!executable) return cudaErrorInvalidValue;
    delete executable;  // what was launched still runs
    return cudaSuccess;
  });
}
