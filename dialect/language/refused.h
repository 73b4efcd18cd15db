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

#undef GS_DIALECT_TEXTURE
#undef GS_DIALECT_REFUSED
