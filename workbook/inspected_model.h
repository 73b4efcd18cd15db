#pragma once
// The GPU that was chosen for an inspection.

#include "runtime/core/error.h"
#include "runtime/instruments/device_model/device_model.h"
#include "runtime/instruments/results/inspection.h"

namespace workbook {

/// Its model; null if none of that name is known here: an inspection that was read may come from another version.
inline const gs::device_model* inspected_model(const gs::inspection& result) try {
  return &gs::model_of(result.model);
} catch (const gs::error&) {
  return nullptr;
}

}  // namespace workbook
