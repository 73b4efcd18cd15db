#pragma once
// What CUDA has and the engine hasn't: a source that calls it doesn't compile, with a sentence that says why.

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
using cudaArray_t = struct cudaArray*;

#define GS_DIALECT_REFUSED(name, sentence)                    \
  template <class T = float, class... A>                      \
  T name(A&&...) {                                            \
    static_assert(sizeof...(A) == 9999, #name ": " sentence); \
  }
#define GS_DIALECT_TEXTURE(name) GS_DIALECT_REFUSED(name, "textures aren't supported: read the array itself")

GS_DIALECT_TEXTURE(tex1D)
GS_DIALECT_TEXTURE(tex1Dfetch)
GS_DIALECT_TEXTURE(tex2D)
GS_DIALECT_TEXTURE(tex3D)
GS_DIALECT_TEXTURE(surf2Dread)
GS_DIALECT_TEXTURE(surf2Dwrite)
GS_DIALECT_TEXTURE(cudaCreateTextureObject)
GS_DIALECT_TEXTURE(cudaDestroyTextureObject)
GS_DIALECT_TEXTURE(cudaBindTexture)
GS_DIALECT_TEXTURE(cudaMallocArray)
GS_DIALECT_TEXTURE(cudaMemcpyToArray)

#define GS_DIALECT_NODE(name) GS_DIALECT_REFUSED(name, "graphs are made by capture: use cudaStreamBeginCapture()")
GS_DIALECT_NODE(cudaGraphAddKernelNode)
GS_DIALECT_NODE(cudaGraphAddMemcpyNode)
GS_DIALECT_NODE(cudaGraphAddMemcpyNode1D)
GS_DIALECT_NODE(cudaGraphAddMemsetNode)
GS_DIALECT_NODE(cudaGraphAddHostNode)
GS_DIALECT_NODE(cudaGraphAddEmptyNode)
GS_DIALECT_NODE(cudaGraphAddChildGraphNode)
GS_DIALECT_NODE(cudaGraphAddDependencies)
GS_DIALECT_NODE(cudaGraphExecUpdate)
GS_DIALECT_NODE(cudaGraphExecKernelNodeSetParams)

#undef GS_DIALECT_NODE
#undef GS_DIALECT_TEXTURE
#undef GS_DIALECT_REFUSED
