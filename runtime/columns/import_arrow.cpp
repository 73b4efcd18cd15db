#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/columns/arrow.h"
#include "runtime/columns/arrow_batches.h"
#include "runtime/columns/arrow_format.h"
#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {
namespace detail {

const arrow_column& arrow_batches::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &arrow_column::name);
  if (found != columns.end()) return *found;
  std::vector<std::string_view> names;
  for (const arrow_column& c : columns) names.emplace_back(c.name);
  throw error(fmt::format("the column \"{}\"", name), fmt::format("the columns are {}", fmt::join(names, ", ")),
              "ask for a column that is there");
}

namespace {

// The structure's contents have a new owner, and the old one sees that.
template <class Structure>
owned_arrow<Structure> take(Structure* from) {
  owned_arrow<Structure> taken(new Structure(*from));
  from->release = nullptr;
  return taken;
}

void refuse_null(const void* structure) {
  if (!structure)
    throw error("an import of Arrow's columns", "a pointer is null", "give the structures that the export has filled");
}

// The schema of a stream, and its arrays one by one; null at the end.
class arrow_stream {
 public:
  explicit arrow_stream(ArrowArrayStream* stream) : stream_(take(stream)) {}

  owned_arrow<ArrowSchema> schema() const {
    ArrowSchema schema{};
    check(stream_->get_schema(stream_.get(), &schema));
    return take(&schema);
  }
  owned_arrow<ArrowArray> next() const {
    ArrowArray array{};
    check(stream_->get_next(stream_.get(), &array));
    return array.release ? take(&array) : nullptr;
  }

 private:
  void check(int status) const {
    if (status == 0) return;
    const char* const text = stream_->get_last_error(stream_.get());
    throw error("an import of Arrow's stream", text ? text : fmt::format("it failed with status {}", status),
                "look for the reason where the stream comes from");
  }

  owned_arrow<ArrowArrayStream> stream_;
};

// Calls f(T{}) with the type of the column's elements.
template <class F>
void with_type(const arrow_column& column, const F& f) {
  with_arrow_type(column.format, [&]<class T>() { f(T{}); });
}

template <class T>
T value_in_row(const arrow_stretch& s, std::size_t row) {
  if constexpr (std::same_as<T, bool>)
    return bit_at(s.data, s.first + row);
  else
    return static_cast<const T*>(s.data)[row];
}

std::size_t null_count_of(const arrow_column& column) {
  std::size_t missing = 0;
  for (const arrow_stretch& s : column.stretches) missing += s.null_count();
  return missing;
}

// Calls f(stretch, row, position) for each row of a column.
template <class F>
void for_each_row(const arrow_column& column, const F& f) {
  std::size_t position = 0;
  for (const arrow_stretch& s : column.stretches)
    for (std::size_t row = 0; row < s.size; ++row) f(s, row, position++);
}

// For the device, element by element: bools, and what has nulls, in whose place stands 0.
template <class T, class Element>
device_array<T> unpacked_on_device(const arrow_column& column, std::size_t rows, const Element& element) {
  const auto host = std::make_unique<T[]>(rows);
  for_each_row(column, [&](const arrow_stretch& s, std::size_t row, std::size_t to) { host[to] = element(s, row); });
  return gs::to_device(std::span<const T>(host.get(), rows));
}

// As they lie, each batch to its place.
template <class T>
device_array<T> copied_to_device(const arrow_column& column, std::size_t rows) {
  device_array<T> whole(rows);
  std::size_t begin = 0;
  for (const arrow_stretch& s : column.stretches) {
    whole.slice(begin, begin + s.size).copy_from_host(std::span(static_cast<const T*>(s.data), s.size));
    begin += s.size;
  }
  return whole;
}

}  // namespace

}  // namespace detail

arrow_table::arrow_table(std::unique_ptr<detail::arrow_batches> batches) : batches_(std::move(batches)) {}
arrow_table::arrow_table(arrow_table&&) noexcept = default;
arrow_table& arrow_table::operator=(arrow_table&&) noexcept = default;
arrow_table::~arrow_table() = default;

std::size_t arrow_table::rows() const { return batches_->rows; }

std::size_t arrow_table::batches() const { return batches_->arrays.size(); }

std::vector<std::string> arrow_table::names() const {
  std::vector<std::string> names;
  for (const detail::arrow_column& column : batches_->columns) names.push_back(column.name);
  return names;
}

std::string arrow_table::dtype(std::string_view name) const {
  std::string dtype;
  detail::with_type(batches_->column(name), [&]<class T>(T) { dtype = detail::dtype_name<T>(); });
  return dtype;
}

std::size_t arrow_table::null_count(std::string_view name) const {
  return detail::null_count_of(batches_->column(name));
}

arrow_table::stretch arrow_table::elements(std::string_view name, std::size_t batch, const std::string& dtype) const {
  const detail::arrow_column& column = batches_->column(name);
  if (const std::string found = this->dtype(name); found != dtype)
    throw error(fmt::format("the column \"{}\" as {}", name, dtype), "its elements are of type " + found,
                "ask for it by its own type");
  if (dtype == "bool")
    throw error(fmt::format("the column \"{}\" as a span of bools", name), "Arrow packs eight of them to a byte",
                "ask for a copy: bits()");
  if (batch >= column.stretches.size())
    throw error(fmt::format("batch {} of the column \"{}\"", batch, name),
                fmt::format("there are {}", column.stretches.size()), "count batches from 0");
  return {column.stretches[batch].data, column.stretches[batch].size};
}

std::vector<bool> arrow_table::bits(std::string_view name) const {
  if (const std::string found = dtype(name); found != "bool")
    throw error(fmt::format("the bits of the column \"{}\"", name), "its elements are of type " + found,
                "ask for column()");
  std::vector<bool> bits(rows());
  detail::for_each_row(batches_->column(name), [&](const detail::arrow_stretch& s, std::size_t row, std::size_t to) {
    bits[to] = detail::value_in_row<bool>(s, row);
  });
  return bits;
}

std::vector<bool> arrow_table::valid(std::string_view name) const {
  std::vector<bool> valid(rows());
  detail::for_each_row(batches_->column(name), [&](const detail::arrow_stretch& s, std::size_t row, std::size_t to) {
    valid[to] = s.is_valid(row);
  });
  return valid;
}

arrow_table import_arrow(ArrowSchema* schema, ArrowArray* array, const arrow_options& options) {
  detail::refuse_null(schema);
  detail::refuse_null(array);
  auto batches = std::make_unique<detail::arrow_batches>();
  batches->columns = detail::read_schema(*schema);
  batches->rows = detail::read_array(*schema, *array, options.nulls, batches->columns);
  batches->arrays.reserve(1);
  batches->schema = detail::take(schema);
  batches->arrays.push_back(detail::take(array));
  return arrow_table(std::move(batches));
}

arrow_table import_arrow(ArrowArrayStream* stream, const arrow_options& options) {
  detail::refuse_null(stream);
  if (!stream->release)
    throw error("an import of Arrow's stream", "it has been released", "import one that is still there");
  const detail::arrow_stream source(stream);
  auto batches = std::make_unique<detail::arrow_batches>();
  batches->schema = source.schema();
  batches->columns = detail::read_schema(*batches->schema);
  while (detail::owned_arrow<ArrowArray> array = source.next()) {
    batches->rows += detail::read_array(*batches->schema, *array, options.nulls, batches->columns);
    batches->arrays.push_back(std::move(array));
  }
  return arrow_table(std::move(batches));
}

table to_device(const arrow_table& columns) {
  table t;
  const std::size_t rows = columns.rows();
  for (const detail::arrow_column& column : columns.read().columns) {
    const bool has_nulls = detail::null_count_of(column) > 0;
    detail::with_type(column, [&]<class T>(T) {
      if (std::same_as<T, bool> || has_nulls)
        t.add(column.name, detail::unpacked_on_device<T>(column, rows, [](const auto& s, std::size_t row) {
                return s.is_valid(row) ? detail::value_in_row<T>(s, row) : T{};
              }));
      else
        t.add(column.name, detail::copied_to_device<T>(column, rows));
    });
    if (has_nulls)
      t.add(column.name + std::string(detail::valid_suffix),
            detail::unpacked_on_device<bool>(column, rows,
                                             [](const auto& s, std::size_t row) { return s.is_valid(row); }));
  }
  return t;
}

}  // namespace gs::inline GS_FLAVOUR
