#pragma once
// Layers of neural networks on device arrays, each with its adjoint, and recorded by a tape. Not a part of gs.h.

#include "runtime/layers/convolution.h"
#include "runtime/layers/cross_entropy.h"
#include "runtime/layers/dense.h"
#include "runtime/layers/max_pooling.h"
