#pragma once
// gs::write_arrow_file: a table as a file that other programs read.

#include <filesystem>

#include "runtime/columns/arrow.h"
#include "runtime/columns/table.h"
#include "runtime/core/config.h"

namespace gs::inline GS_FLAVOUR {

/// Writes a table as an Arrow file (IPC file format, version 2 of Feather) of one batch, uncompressed:
/// `pyarrow.feather.read_table`, `pandas.read_feather`, `polars.read_ipc` and DuckDB read it, and map its columns into
/// memory as they lie. Columns leave the device as gs::export_arrow says: on the engine they go to the file from where
/// they lie. Throws gs::error if the file can't be written; what was there before is then gone.
/// https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format
void write_arrow_file(const std::filesystem::path& file, const table& t, const arrow_options& options = {});

}  // namespace gs::inline GS_FLAVOUR
