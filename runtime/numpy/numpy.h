#pragma once
// Array programming on device arrays with NumPy's names; numpy/README.md has the table. Not a part of gs.h.

#include "runtime/numpy/arithmetic.h"
#include "runtime/numpy/comparison.h"
#include "runtime/numpy/creation.h"
#include "runtime/numpy/elementary.h"
#include "runtime/numpy/operators.h"
#include "runtime/numpy/rearrangement.h"
#include "runtime/numpy/reductions.h"
