#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/array/device_memory.h"
#include "runtime/columns/arrow.h"
#include "runtime/columns/arrow_format.h"
#include "runtime/core/error.h"
#include "runtime/core/ledger.h"
#include "runtime/device/device.h"
#include "runtime/observe/observe.h"

namespace gs::inline GS_FLAVOUR {
namespace detail {
namespace {

// --- what a column lends ---------------------------------------------------------------------------------------------

// Memory that the host may read, and whoever keeps it.
struct lent_memory {
  const void* data = nullptr;
  std::shared_ptr<const void> owner;
};

template <class T>
lent_memory copied_elements(const device_array<T>& array) {
  auto host = std::make_shared<std::vector<T>>(array.size());
  array.copy_to_host(*host);
  return {host->data(), host};
}

// Where they lie, if the host reads there.
template <class T>
lent_memory lend_elements(const device_array<T>& array) {
  if (!device_context::of(array.kind()).hardware().host_reads_memory()) return copied_elements(array);
  const std::size_t bytes = array.size() * sizeof(T);
  instruments::note_copy_to_host(array.data(), bytes, sizeof(T), access_place::current());
  instruments::note_lent(array.data());
  ledger_entry::loan(bytes);
  return {array.data(), array.memory()};
}

struct packed_bits {
  lent_memory memory;
  std::int64_t zeros = 0;
};

packed_bits pack_bits(const device_array<bool>& array) {
  const std::size_t n = array.size();
  const auto host = std::make_unique<bool[]>(n);
  array.copy_to_host(std::span(host.get(), n));
  auto bits = std::make_shared<std::vector<std::uint8_t>>((n + 7) / 8);
  packed_bits packed;
  for (std::size_t i = 0; i < n; ++i)
    if (host[i])
      (*bits)[i / 8] = static_cast<std::uint8_t>((*bits)[i / 8] | 1u << (i % 8));
    else
      ++packed.zeros;
  packed.memory = {bits->data(), bits};
  return packed;
}

lent_memory lend(const any_column& column) {
  return with_column(column, []<class T>(const device_array<T>& array) {
    if constexpr (std::same_as<T, bool>)
      return pack_bits(array).memory;
    else
      return lend_elements(array);
  });
}

// --- the structures --------------------------------------------------------------------------------------------------

// What an exported structure points to, and what it holds until its release. (A consumer may move a child out of its
// parent and release it later: each has its own.)
struct exported_schema {
  std::string name, format;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};
struct exported_array {
  lent_memory valid, elements;
  const void* buffers[2];
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

template <class Exported, class Structure>
void release_exported(Structure* s) {
  const std::unique_ptr<Exported> held(static_cast<Exported*>(s->private_data));
  for (Structure& child : held->children)
    if (child.release) child.release(&child);
  s->release = nullptr;
}

void fill_schema(ArrowSchema* to, std::unique_ptr<exported_schema> schema, bool nullable) {
  for (ArrowSchema& child : schema->children) schema->pointers.push_back(&child);
  *to = {.format = schema->format.c_str(),
         .name = schema->name.c_str(),
         .metadata = nullptr,
         .flags = nullable ? ARROW_FLAG_NULLABLE : 0,
         .n_children = std::ssize(schema->children),
         .children = schema->pointers.data(),
         .dictionary = nullptr,
         .release = release_exported<exported_schema>,
         .private_data = schema.get()};
  static_cast<void>(schema.release());
}

void fill_array(ArrowArray* to, std::unique_ptr<exported_array> array, std::size_t rows, std::int64_t nulls,
                std::int64_t buffers) {
  for (ArrowArray& child : array->children) array->pointers.push_back(&child);
  array->buffers[0] = array->valid.data;
  array->buffers[1] = array->elements.data;
  *to = {.length = static_cast<std::int64_t>(rows),
         .null_count = nulls,
         .offset = 0,
         .n_buffers = buffers,
         .n_children = std::ssize(array->children),
         .buffers = array->buffers,
         .children = array->pointers.data(),
         .dictionary = nullptr,
         .release = release_exported<exported_array>,
         .private_data = array.get()};
  static_cast<void>(array.release());
}

// --- a table ---------------------------------------------------------------------------------------------------------

// Column `name`, and its flags, or null.
struct exported_column {
  std::string name;
  const any_column* elements;
  const any_column* valid;
};

// Those columns of flags that become a bitmap aren't columns of their own.
std::vector<exported_column> columns_of(const table& t, arrow_nulls nulls) {
  std::vector<exported_column> columns;
  const auto flags_of = [&](const std::string& name) -> const any_column* {
    const std::string flags = name + std::string(valid_suffix);
    if (nulls == arrow_nulls::refuse || !t.has(flags) || t.dtype(flags) != "bool") return nullptr;
    return &t.any(flags);
  };
  for (const std::string& name : t.names()) columns.push_back({name, &t.any(name), flags_of(name)});
  std::erase_if(columns, [&](const exported_column& c) {
    return std::ranges::any_of(t.names(), [&](const std::string& name) { return flags_of(name) == c.elements; });
  });
  return columns;
}

void fill_column_schema(ArrowSchema* to, const exported_column& column) {
  auto schema = std::make_unique<exported_schema>();
  schema->name = column.name;
  schema->format =
      with_column(*column.elements, []<class T>(const device_array<T>&) { return std::string(arrow_format<T>()); });
  fill_schema(to, std::move(schema), column.valid != nullptr);
}

void fill_column(ArrowArray* to, const exported_column& column) {
  auto array = std::make_unique<exported_array>();
  std::int64_t nulls = 0;
  if (column.valid) {
    packed_bits valid = pack_bits(std::get<device_array<bool>>(*column.valid));
    array->valid = std::move(valid.memory);
    nulls = valid.zeros;
  }
  array->elements = lend(*column.elements);
  fill_array(to, std::move(array), rows_of(*column.elements), nulls, 2);
}

// The children are filled in place; those of an export that fails are released.
template <class Exported, class Structure, class Fill>
std::unique_ptr<Exported> fill_children(const std::vector<exported_column>& columns, const Fill& fill) {
  auto parent = std::make_unique<Exported>();
  parent->children.resize(columns.size());
  try {
    for (std::size_t k = 0; k < columns.size(); ++k) fill(&parent->children[k], columns[k]);
  } catch (...) {
    for (Structure& child : parent->children)
      if (child.release) child.release(&child);
    throw;
  }
  return parent;
}

void check_target(const void* structure) {
  if (!structure)
    throw error("an export of a table", "a pointer is null", "give the addresses of structures to be filled");
}

// --- a stream of one array -------------------------------------------------------------------------------------------

struct exported_stream {
  ArrowSchema schema;
  ArrowArray array;
};
exported_stream& held_by(ArrowArrayStream* s) { return *static_cast<exported_stream*>(s->private_data); }

// The schema may be asked for again: it is copied with its children, which have none.
void copy_schema(const ArrowSchema& from, ArrowSchema* to) {
  auto schema = std::make_unique<exported_schema>();
  schema->name = from.name;
  schema->format = from.format;
  schema->children.resize(static_cast<std::size_t>(from.n_children));
  for (std::size_t k = 0; k < schema->children.size(); ++k) copy_schema(*from.children[k], &schema->children[k]);
  fill_schema(to, std::move(schema), (from.flags & ARROW_FLAG_NULLABLE) != 0);
}
int get_schema(ArrowArrayStream* s, ArrowSchema* out) {
  try {
    copy_schema(held_by(s).schema, out);
    return 0;
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}
int get_next(ArrowArrayStream* s, ArrowArray* out) {
  *out = std::exchange(held_by(s).array, ArrowArray{});
  return 0;
}
const char* get_last_error(ArrowArrayStream* /*s*/) { return "no memory for another schema"; }
void release_stream(ArrowArrayStream* s) {
  const std::unique_ptr<exported_stream> held(&held_by(s));
  held->schema.release(&held->schema);
  if (held->array.release) held->array.release(&held->array);
  s->release = nullptr;
}

}  // namespace

}  // namespace detail

void export_arrow(const table& t, ArrowSchema* schema, ArrowArray* array, const arrow_options& options) {
  detail::check_target(schema);
  detail::check_target(array);
  detail::wait_for_device();
  const auto columns = detail::columns_of(t, options.nulls);
  auto types = detail::fill_children<detail::exported_schema, ArrowSchema>(columns, detail::fill_column_schema);
  types->format = detail::struct_format;
  auto elements = detail::fill_children<detail::exported_array, ArrowArray>(columns, detail::fill_column);
  detail::fill_array(array, std::move(elements), t.rows(), 0, 1);
  detail::fill_schema(schema, std::move(types), false);
}

void export_arrow(const table& t, ArrowArrayStream* stream, const arrow_options& options) {
  detail::check_target(stream);
  auto held = std::make_unique<detail::exported_stream>();
  export_arrow(t, &held->schema, &held->array, options);
  *stream = {.get_schema = detail::get_schema,
             .get_next = detail::get_next,
             .get_last_error = detail::get_last_error,
             .release = detail::release_stream,
             .private_data = held.release()};
}

}  // namespace gs::inline GS_FLAVOUR
