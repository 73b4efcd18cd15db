#include "runtime/columns/arrow_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/columns/arrow_format.h"
#include "runtime/columns/flatbuffer.h"
#include "runtime/core/error.h"

namespace gs::inline GS_FLAVOUR {
namespace detail {
namespace {

// The numbers of fields, of types and of kinds of messages are those of Arrow's Schema.fbs, Message.fbs and File.fbs.
constexpr std::int16_t version = 4;  // V5, of Arrow 1.0
enum class type_number : std::uint8_t { integer = 2, floating = 3, boolean = 6 };
enum class message_kind : std::uint8_t { schema = 1, batch = 3 };
constexpr std::size_t alignment = 64;  // of buffers, as the format recommends
constexpr std::string_view magic = "ARROW1";

std::int64_t padded(std::int64_t bytes) {
  constexpr auto multiple = static_cast<std::int64_t>(alignment);
  return (bytes + multiple - 1) / multiple * multiple;
}

// --- what describes a table ------------------------------------------------------------------------------------------

struct type_description {
  type_number number;
  flatbuffer::place table;
};

type_description describe_type(flatbuffer& b, const char* format) {
  type_description type{};
  with_arrow_type(format, [&]<class T>() {
    b.begin_table();
    if constexpr (std::same_as<T, bool>) {
      type.number = type_number::boolean;
    } else if constexpr (std::is_floating_point_v<T>) {
      type.number = type_number::floating;
      b.field(0, static_cast<std::int16_t>(sizeof(T) / 4));  // precision: 1 is single, 2 is double
    } else {
      type.number = type_number::integer;
      b.field(0, static_cast<std::int32_t>(8 * sizeof(T)));
      b.field(1, std::is_signed_v<T>);
    }
    type.table = b.end_table();
  });
  return type;
}

flatbuffer::place describe_column(flatbuffer& b, const ArrowSchema& column) {
  const auto name = b.text(column.name);
  const auto children = b.list({});
  const type_description type = describe_type(b, column.format);
  b.begin_table();
  b.field(0, name);
  b.field(1, (column.flags & ARROW_FLAG_NULLABLE) != 0);
  b.field(2, static_cast<std::uint8_t>(type.number));
  b.field(3, type.table);
  b.field(5, children);
  return b.end_table();
}

flatbuffer::place describe_schema(flatbuffer& b, const ArrowSchema& schema) {
  std::vector<flatbuffer::place> columns;
  for (std::int64_t k = 0; k < schema.n_children; ++k) columns.push_back(describe_column(b, *schema.children[k]));
  const auto fields = b.list(columns);
  b.begin_table();
  b.field(1, fields);
  return b.end_table();
}

std::string message(flatbuffer& b, message_kind kind, flatbuffer::place header, std::int64_t body_bytes) {
  b.begin_table();
  b.field(3, body_bytes);
  b.field(2, header);
  b.field(0, version);
  b.field(1, static_cast<std::uint8_t>(kind));
  return b.finished(b.end_table());
}

// --- the columns' elements -------------------------------------------------------------------------------------------

struct stretch_of_file {
  const void* data;
  std::int64_t bytes;
};

// A validity bitmap, which may be empty, and the elements.
std::vector<stretch_of_file> buffers_of(const ArrowSchema& type, const ArrowArray& column) {
  const std::int64_t bitmap_bytes = (column.length + 7) / 8;
  std::int64_t bytes = 0;
  with_arrow_type(type.format, [&]<class T>() {
    bytes = std::same_as<T, bool> ? bitmap_bytes : column.length * static_cast<std::int64_t>(sizeof(T));
  });
  return {{column.buffers[0], column.buffers[0] ? bitmap_bytes : 0}, {column.buffers[1], bytes}};
}

struct batch {
  std::string message;
  std::vector<stretch_of_file> buffers;
  std::int64_t body_bytes = 0;
};

batch describe_batch(const ArrowSchema& schema, const ArrowArray& array) {
  batch result;
  std::vector<std::int64_t> nodes, places;  // length and nulls of each column; offset and bytes of each buffer
  for (std::int64_t k = 0; k < array.n_children; ++k) {
    const ArrowArray& column = *array.children[k];
    nodes.insert(nodes.end(), {column.length, column.null_count});
    for (const stretch_of_file& buffer : buffers_of(*schema.children[k], column)) {
      places.insert(places.end(), {result.body_bytes, buffer.bytes});
      result.buffers.push_back(buffer);
      result.body_bytes += padded(buffer.bytes);
    }
  }
  flatbuffer b;
  const auto buffer_places = b.structs(places, 2), column_nodes = b.structs(nodes, 2);
  b.begin_table();
  b.field(0, array.length);
  b.field(1, column_nodes);
  b.field(2, buffer_places);
  const auto header = b.end_table();
  result.message = message(b, message_kind::batch, header, result.body_bytes);
  return result;
}

// --- the file --------------------------------------------------------------------------------------------------------

class arrow_file {
 public:
  explicit arrow_file(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
    write(magic.data(), magic.size());
    pad();
  }

  // A message: a mark, the length of what follows, that itself. Returns where it begins and how long it is.
  std::pair<std::int64_t, std::int64_t> write_message(const std::string& text) {
    const std::int64_t begin = written_;
    const std::int64_t end = padded(begin + 8 + std::ssize(text));
    write_number(-1);
    write_number(static_cast<std::int32_t>(end - begin - 8));
    write(text.data(), text.size());
    pad();
    return {begin, end - begin};
  }
  void write_buffer(const stretch_of_file& buffer) {
    write(buffer.data, static_cast<std::size_t>(buffer.bytes));
    pad();
  }
  void finish(const std::string& footer) {
    write_number(-1), write_number(0);  // no message follows
    write(footer.data(), footer.size());
    write_number(static_cast<std::int32_t>(footer.size()));
    write(magic.data(), magic.size());
    file_.close();
    if (!file_) {
      const int reason = errno;
      throw error("an Arrow file " + path_.string(), std::string("it can't be written: ") + std::strerror(reason),
                  "name a file in a folder that you may write to, on a disk with room");
    }
  }

 private:
  void write(const void* data, std::size_t bytes) {
    if (bytes > 0) file_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    written_ += static_cast<std::int64_t>(bytes);
  }
  void write_number(std::int32_t number) { write(&number, sizeof number); }
  void pad() {
    constexpr char zeros[alignment] = {};
    write(zeros, static_cast<std::size_t>(padded(written_) - written_));
  }

  std::filesystem::path path_;
  std::ofstream file_;
  std::int64_t written_ = 0;
};

std::string describe_file(const ArrowSchema& schema, std::int64_t begin, std::int64_t message_bytes,
                          std::int64_t body_bytes) {
  flatbuffer b;
  const auto batches = b.structs({begin, message_bytes, body_bytes}, 3);
  const auto type = describe_schema(b, schema);
  b.begin_table();
  b.field(1, type);
  b.field(3, batches);
  b.field(0, version);
  return b.finished(b.end_table());
}

void write_exported(const std::filesystem::path& path, const ArrowSchema& schema, const ArrowArray& array) {
  arrow_file file(path);
  flatbuffer b;
  const auto type = describe_schema(b, schema);
  file.write_message(message(b, message_kind::schema, type, 0));
  const batch elements = describe_batch(schema, array);
  const auto [begin, bytes] = file.write_message(elements.message);
  for (const stretch_of_file& buffer : elements.buffers) file.write_buffer(buffer);
  file.finish(describe_file(schema, begin, bytes, elements.body_bytes));
}

}  // namespace

}  // namespace detail

void write_arrow_file(const std::filesystem::path& file, const table& t, const arrow_options& options) {
  ArrowSchema schema;
  ArrowArray array;
  export_arrow(t, &schema, &array, options);
  const auto release = [](auto* s) { s->release(s); };
  const std::unique_ptr<ArrowSchema, decltype(release)> held_schema(&schema, release);
  const std::unique_ptr<ArrowArray, decltype(release)> held_array(&array, release);
  detail::write_exported(file, schema, array);
}

}  // namespace gs::inline GS_FLAVOUR
