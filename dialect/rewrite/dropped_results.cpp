#include "dialect/rewrite/dropped_results.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace dialect {
namespace {

// What returns an error. Not cudaGetLastError() and cudaPeekAtLastError(): who calls them has asked.
constexpr std::string_view calls[] = {
    "cudaDeviceCanAccessPeer",
    "cudaDeviceGetAttribute",
    "cudaDeviceGetDefaultMemPool",
    "cudaDeviceGetLimit",
    "cudaDeviceGetMemPool",
    "cudaDeviceGetStreamPriorityRange",
    "cudaDeviceReset",
    "cudaDeviceSetCacheConfig",
    "cudaDeviceSetLimit",
    "cudaDeviceSetMemPool",
    "cudaDeviceSynchronize",
    "cudaDriverGetVersion",
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventDestroy",
    "cudaEventElapsedTime",
    "cudaEventQuery",
    "cudaEventRecord",
    "cudaEventSynchronize",
    "cudaFree",
    "cudaFreeAsync",
    "cudaFreeHost",
    "cudaFuncGetAttributes",
    "cudaFuncSetAttribute",
    "cudaFuncSetCacheConfig",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDeviceProperties",
    "cudaGetSymbolAddress",
    "cudaGetSymbolSize",
    "cudaGraphClone",
    "cudaGraphCreate",
    "cudaGraphDestroy",
    "cudaGraphExecDestroy",
    "cudaGraphGetNodes",
    "cudaGraphGetRootNodes",
    "cudaGraphInstantiate",
    "cudaGraphInstantiateWithFlags",
    "cudaGraphLaunch",
    "cudaGraphUpload",
    "cudaHostAlloc",
    "cudaHostGetDevicePointer",
    "cudaHostRegister",
    "cudaHostUnregister",
    "cudaLaunchCooperativeKernel",
    "cudaLaunchHostFunc",
    "cudaLaunchKernel",
    "cudaMalloc",
    "cudaMallocAsync",
    "cudaMallocFromPoolAsync",
    "cudaMallocHost",
    "cudaMallocManaged",
    "cudaMallocPitch",
    "cudaMemAdvise",
    "cudaMemGetInfo",
    "cudaMemPoolCreate",
    "cudaMemPoolDestroy",
    "cudaMemPoolGetAttribute",
    "cudaMemPoolSetAttribute",
    "cudaMemPoolTrimTo",
    "cudaMemPrefetchAsync",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaMemcpy2DAsync",
    "cudaMemcpyAsync",
    "cudaMemcpyFromSymbol",
    "cudaMemcpyFromSymbolAsync",
    "cudaMemcpyToSymbol",
    "cudaMemcpyToSymbolAsync",
    "cudaMemset",
    "cudaMemset2D",
    "cudaMemsetAsync",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxPotentialBlockSize",
    "cudaPointerGetAttributes",
    "cudaRuntimeGetVersion",
    "cudaSetDevice",
    "cudaSetDeviceFlags",
    "cudaStreamAddCallback",
    "cudaStreamAttachMemAsync",
    "cudaStreamBeginCapture",
    "cudaStreamCreate",
    "cudaStreamCreateWithFlags",
    "cudaStreamCreateWithPriority",
    "cudaStreamDestroy",
    "cudaStreamEndCapture",
    "cudaStreamGetFlags",
    "cudaStreamGetPriority",
    "cudaStreamIsCapturing",
    "cudaStreamQuery",
    "cudaStreamSynchronize",
    "cudaStreamWaitEvent",
    "cudaThreadExit",
    "cudaThreadSynchronize",
};
static_assert(std::ranges::is_sorted(calls));

// Whether a statement begins with the token: what stands before it ends one, or is the head of an if or a loop.
bool begins_statement(const token_list& tokens, std::size_t at) {
  if (at == 0) return false;
  const token& before = tokens[at - 1];
  if (before.is(";") || before.is("{") || before.is("}") || before.is("else") || before.is("do")) return true;
  if (!before.is(")")) return false;
  std::size_t open = opening(tokens, at - 1);
  if (open == npos || open == 0) return false;
  if (tokens[open - 1].is("constexpr") && open > 1) --open;
  return tokens[open - 1].is("if") || tokens[open - 1].is("for") || tokens[open - 1].is("while");
}

}  // namespace

void mark_dropped_results(std::string_view source, const token_list& tokens, bool is_directive, edit_list& edits) {
  for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
    if (!std::ranges::binary_search(calls, tokens[k].text)) continue;
    std::size_t open = k + 1;
    if (tokens[open].is("<")) {  // cudaMalloc<float>(...)
      while (open < tokens.size() && !tokens[open].is("(") && !tokens[open].is(";")) ++open;
    }
    if (open >= tokens.size() || !tokens[open].is("(")) continue;
    const std::size_t begin = tokens[k].begin, first = k > 0 && tokens[k - 1].is("::") ? k - 1 : k;
    const std::size_t close = closing(tokens, open);
    if (close + 1 >= tokens.size() || !tokens[close + 1].is(";") || !begins_statement(tokens, first)) continue;
    const std::string_view call = source.substr(begin, tokens[close].end() - begin);
    const auto lines = is_directive ? 0 : std::ranges::count(call, '\n');  // a macro stands where it is used
    edits.insert(tokens[close].end(), ", ::dialect::dropped_result{\"" + std::string(tokens[k].text) + "\"" +
                                          (lines > 0 ? ", " + std::to_string(lines) : "") + "}");
  }
}

}  // namespace dialect
