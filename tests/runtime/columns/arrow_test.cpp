// Imports of structures that the test fills by hand, as another library would, and exports that it reads by the
// specification alone.

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/columns/columns.h"
#include "runtime/engine/closed_memory.h"
#include "runtime/gs.h"
#include "tests/runtime/starts_programs.h"

namespace {

template <class F>
std::string error_of_arrow(const F& f) {
  try {
    f();
  } catch (const gs::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

std::vector<std::uint8_t> bitmap(const std::vector<bool>& bits) {
  std::vector<std::uint8_t> bytes((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i)
    if (bits[i]) bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | 1u << (i % 8));
  return bytes;
}

// A struct array of another library: columns are appended, and each release is counted.
class producer {
 public:
  producer() {
    schema.format = "+s";
    schema.name = "";
    schema.release = [](ArrowSchema* s) {
      ++*static_cast<int*>(s->private_data);
      s->release = nullptr;
    };
    schema.private_data = &releases_of_schema;
    array.n_buffers = 1;
    array.buffers = buffers_;
    array.release = [](ArrowArray* a) {
      ++*static_cast<int*>(a->private_data);
      a->release = nullptr;
    };
    array.private_data = &releases_of_array;
  }
  producer(const producer&) = delete;
  producer& operator=(const producer&) = delete;

  ArrowArray& add(const char* name, const char* format, const void* elements, std::size_t length,
                  const void* valid = nullptr, std::int64_t null_count = 0) {
    child& c = children_.emplace_back();
    c.schema.format = format;
    c.schema.name = name;
    c.schema.release = [](ArrowSchema* s) { s->release = nullptr; };
    c.buffers[0] = valid;
    c.buffers[1] = elements;
    c.array.length = static_cast<std::int64_t>(length);
    c.array.null_count = null_count;
    c.array.n_buffers = 2;
    c.array.buffers = c.buffers;
    c.array.release = [](ArrowArray* a) { a->release = nullptr; };
    schemas_.push_back(&c.schema);
    arrays_.push_back(&c.array);
    schema.children = schemas_.data();
    array.children = arrays_.data();
    schema.n_children = array.n_children = static_cast<std::int64_t>(children_.size());
    array.length = static_cast<std::int64_t>(length);
    return c.array;
  }
  ArrowSchema& type(std::size_t k) { return children_[k].schema; }
  void set_row_bitmap(const void* bits, std::int64_t nulls) {
    buffers_[0] = bits;
    array.null_count = nulls;
  }

  ArrowSchema schema{};
  ArrowArray array{};
  int releases_of_schema = 0, releases_of_array = 0;

 private:
  struct child {
    ArrowSchema schema{};
    ArrowArray array{};
    const void* buffers[2] = {};
  };
  std::deque<child> children_;
  std::vector<ArrowSchema*> schemas_;
  std::vector<ArrowArray*> arrays_;
  const void* buffers_[1] = {};
};

gs::arrow_table imported(producer& p, gs::arrow_nulls nulls = gs::arrow_nulls::refuse) {
  return gs::import_arrow(&p.schema, &p.array, {.nulls = nulls});
}

template <class T>
void import_of_type(const char* format) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009}) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<T>(i * 37 % 251);
    producer p;
    p.add("x", format, x.data(), n);
    gs::ledger_scope scope;
    const gs::arrow_table t = imported(p);
    EXPECT_EQ(t.column<T>("x").data(), n == 0 ? t.column<T>("x").data() : x.data()) << "without a copy";
    EXPECT_EQ(t.column<T>("x").size(), n);
    EXPECT_EQ(t.rows(), n);
    EXPECT_EQ(scope.account(), gs::ledger{});
    const gs::table d = gs::to_device(t);
    EXPECT_EQ(d.column<T>("x").copy_to_host(), x);
    EXPECT_EQ(scope.account().copies_to_device, 1u);
    EXPECT_EQ(scope.account().bytes_to_device, n * sizeof(T));
  }
}

TEST(import_arrow, borrows_each_type) {
  import_of_type<std::int8_t>("c");
  import_of_type<std::uint8_t>("C");
  import_of_type<std::int16_t>("s");
  import_of_type<std::uint16_t>("S");
  import_of_type<std::int32_t>("i");
  import_of_type<std::uint32_t>("I");
  import_of_type<std::int64_t>("l");
  import_of_type<std::uint64_t>("L");
  import_of_type<float>("f");
  import_of_type<double>("g");
}

TEST(import_arrow, releases_once_when_the_table_is_gone) {
  producer p;
  const std::vector<float> x{1, 2};
  p.add("x", "f", x.data(), 2);
  {
    gs::arrow_table t = imported(p);
    EXPECT_EQ(p.schema.release, nullptr) << "taken over";
    EXPECT_EQ(p.array.release, nullptr);
    const gs::arrow_table moved = std::move(t);
    EXPECT_EQ(p.releases_of_array, 0);
    EXPECT_EQ(moved.column<float>("x").size(), 2u);
  }
  EXPECT_EQ(p.releases_of_array, 1);
  EXPECT_EQ(p.releases_of_schema, 1);
}

TEST(import_arrow, unpacks_bools_from_any_bit) {
  for (const std::int64_t offset : {0, 1, 7, 8, 13})
    for (const std::size_t n : {0, 1, 31, 32, 33, 1009}) {
      std::vector<bool> all(n + static_cast<std::size_t>(offset));
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = i * i % 7 < 3;
      const auto bytes = bitmap(all);
      producer p;
      p.add("flag", "b", bytes.data(), n).offset = offset;
      const gs::arrow_table t = imported(p);
      const std::vector<bool> expected(all.begin() + offset, all.end());
      EXPECT_EQ(t.bits("flag"), expected) << n << " from " << offset;
      const auto host = std::make_unique<bool[]>(n);
      const gs::table d = gs::to_device(t);
      d.column<bool>("flag").copy_to_host(std::span(host.get(), n));
      EXPECT_EQ(std::vector<bool>(host.get(), host.get() + n), expected);
    }
}

TEST(import_arrow, honours_the_offsets_of_columns_and_of_the_struct) {
  const std::vector<std::int32_t> x{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  producer p;
  ArrowArray& column = p.add("x", "i", x.data(), 8);
  column.offset = 2;
  p.array.offset = 3;
  p.array.length = 4;
  const gs::arrow_table t = imported(p);
  EXPECT_EQ(std::vector<std::int32_t>(t.column<std::int32_t>("x").begin(), t.column<std::int32_t>("x").end()),
            (std::vector<std::int32_t>{5, 6, 7, 8}));
  EXPECT_EQ(gs::to_device(t).column<std::int32_t>("x").copy_to_host(), (std::vector<std::int32_t>{5, 6, 7, 8}));
}

TEST(import_arrow, takes_a_column_without_a_struct) {
  const std::vector<double> x{1.5, 2.5, 3.5};
  producer p;
  ArrowArray& column = p.add("x", "g", x.data(), 3);
  const gs::arrow_table t = gs::import_arrow(&p.type(0), &column);
  EXPECT_EQ(t.names(), std::vector<std::string>{"x"});
  EXPECT_EQ(t.column<double>("x").data(), x.data());
  EXPECT_EQ(t.dtype("x"), "float64");
}

TEST(import_arrow, refuses_nulls_unless_asked) {
  const std::vector<float> x{1, 2, 3, 4};
  const auto valid = bitmap({true, false, true, false});
  for (const std::int64_t count : {std::int64_t{2}, std::int64_t{-1}}) {
    producer p;
    p.add("x", "f", x.data(), 4, valid.data(), count);
    EXPECT_EQ(
        error_of_arrow([&] { imported(p); }),
        "an import of Arrow's column \"x\": 2 of its 4 elements are null; fill or drop them before, or import them "
        "as flags: {.nulls = gs::arrow_nulls::flags}");
    EXPECT_NE(p.array.release, nullptr) << "it stays the caller's";
    EXPECT_NE(p.schema.release, nullptr);
    const gs::arrow_table t = imported(p, gs::arrow_nulls::flags);
    EXPECT_EQ(t.null_count("x"), 2u);
    EXPECT_EQ(t.valid("x"), (std::vector<bool>{true, false, true, false}));
    const gs::table d = gs::to_device(t);
    EXPECT_EQ(d.names(), (std::vector<std::string>{"x", "x.valid"}));
    EXPECT_EQ(d.column<float>("x").copy_to_host(), (std::vector<float>{1, 0, 3, 0}));
    bool flags[4];
    d.column<bool>("x.valid").copy_to_host(flags);
    EXPECT_EQ(std::vector<bool>(flags, flags + 4), (std::vector<bool>{true, false, true, false}));
  }
}

TEST(import_arrow, has_no_nulls_where_the_bitmap_is_full_or_outside) {
  const std::vector<float> x{1, 2, 3, 4};
  const auto valid = bitmap({false, true, true, false});
  producer p;
  p.add("x", "f", x.data(), 2, valid.data(), -1).offset = 1;
  const gs::table d = gs::to_device(imported(p));
  EXPECT_EQ(d.names(), std::vector<std::string>{"x"});
  EXPECT_EQ(d.column<float>("x").copy_to_host(), (std::vector<float>{2, 3}));
}

TEST(import_arrow, takes_missing_rows_of_the_struct_for_nulls) {
  const std::vector<float> x{1, 2, 3, 4, 5};
  const auto rows = bitmap({true, true, false, true, true}), valid = bitmap({true, true, true, true, false});
  producer p;
  p.add("x", "f", x.data(), 5, valid.data(), 1);
  p.set_row_bitmap(rows.data(), 1);
  p.array.offset = 1;
  p.array.length = 4;
  EXPECT_NE(error_of_arrow([&] { imported(p); }).find("2 of its 4 elements are null"), std::string::npos);
  EXPECT_EQ(imported(p, gs::arrow_nulls::flags).valid("x"), (std::vector<bool>{true, false, true, false}));
}

TEST(import_arrow, refuses_what_is_no_column_of_numbers) {
  const std::vector<std::int32_t> x{1, 2, 3};
  const auto refused = [&](const std::function<void(producer&)>& change) {
    producer p;
    p.add("x", "i", x.data(), 3);
    change(p);
    const std::string message = error_of_arrow([&] { imported(p, gs::arrow_nulls::flags); });
    EXPECT_EQ(p.releases_of_array + p.releases_of_schema, 0);
    return message;
  };
  const std::string start = "an import of Arrow's column \"x\": ", only = "; import bools, integers of 8 to 64 bits, ";
  for (const std::string format : {"u", "tdD", "tsu:", "+l", "e", "n", "z", "d:19,10", "w:42", "", "ii", "+s"})
    EXPECT_EQ(
        refused([&](producer& p) { p.type(0).format = format.c_str(); }),
        start + "its format is \"" + format + "\"" + only + "float32 and float64: leave the column out, or convert it");
  ArrowSchema dictionary{};
  EXPECT_EQ(refused([&](producer& p) { p.type(0).dictionary = &dictionary; }),
            start + "its values are numbers of a dictionary; decode it before the export");
  EXPECT_EQ(refused([](producer& p) { p.array.children[0]->release = nullptr; }),
            start + "the array has been released; import an array that is still there");
  EXPECT_EQ(refused([](producer& p) { p.schema.release = nullptr; }),
            "an import of Arrow's columns: the schema has been released; import one that is still there");
  const std::string advice = "; have it exported by a library that keeps to Arrow's C Data Interface";
  const std::string of_struct = "an import of Arrow's column \"\": ";
  EXPECT_EQ(refused([](producer& p) { p.type(0).format = nullptr; }), start + "its schema has no format" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.children[0]->length = -1; }),
            start + "its length is -1, its offset 0" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.children[0]->offset = -2; }),
            start + "its length is 3, its offset -2" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.children[0]->length = std::numeric_limits<std::int64_t>::max(); }),
            start + "its length is 9223372036854775807, its offset 0" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.children[0]->n_buffers = 3; }),
            start + "it has 3 buffers, and its type 2" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.children[0]->buffers[1] = nullptr; }),
            start + "it has no elements' buffer" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.children[0]->null_count = 1; }),
            start + "it has nulls, and no bitmap that says which" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.length = 4; }), start + "it has 3 elements, and 4 rows" + advice);
  EXPECT_EQ(
      refused([&](producer& p) { p.array.children[0]->buffers[1] = reinterpret_cast<const char*>(x.data()) + 1; }),
      start + "its elements' address is not a multiple of 4; have it copied before the export");
  EXPECT_EQ(refused([](producer& p) { p.array.n_children = 2; }),
            of_struct + "the array has 2 children, and the schema 1" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.children[0] = nullptr; }),
            of_struct + "child 0 is a null pointer" + advice);
  EXPECT_EQ(refused([](producer& p) { p.schema.children[0] = nullptr; }),
            of_struct + "child 0 is a null pointer" + advice);
  EXPECT_EQ(refused([](producer& p) { p.schema.children = nullptr; }),
            of_struct + "the schema has no children" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.n_buffers = 0; }),
            of_struct + "it has 0 buffers, and its type 1" + advice);
  EXPECT_EQ(refused([](producer& p) { p.array.null_count = 1; }),
            of_struct + "it has nulls, and no bitmap that says which" + advice);
  EXPECT_EQ(error_of_arrow([] { gs::import_arrow(nullptr, nullptr); }),
            "an import of Arrow's columns: a pointer is null; give the structures that the export has filled");
}

TEST(arrow_table, refuses_other_types_and_names) {
  const std::vector<float> x{1, 2};
  const auto bits = bitmap({true, false});
  producer p;
  p.add("x", "f", x.data(), 2);
  p.add("flag", "b", bits.data(), 2);
  const gs::arrow_table t = imported(p);
  EXPECT_EQ(error_of_arrow([&] { t.column<double>("x"); }),
            "the column \"x\" as float64: its elements are of type float32; ask for it by its own type");
  EXPECT_EQ(error_of_arrow([&] { t.column<float>("y"); }),
            "the column \"y\": the columns are x, flag; ask for a column that is there");
  EXPECT_EQ(error_of_arrow([&] { t.column<float>("x", 1); }),
            "batch 1 of the column \"x\": there are 1; count batches from 0");
  EXPECT_EQ(error_of_arrow([&] { t.column<bool>("flag"); }),
            "the column \"flag\" as a span of bools: Arrow packs eight of them to a byte; ask for a copy: bits()");
  EXPECT_EQ(error_of_arrow([&] { t.bits("x"); }),
            "the bits of the column \"x\": its elements are of type float32; ask for column()");
}

TEST(import_arrow, refuses_two_columns_of_one_name_on_the_device) {
  const std::vector<float> x{1, 2};
  producer p;
  p.add("x", "f", x.data(), 2);
  p.add("x", "f", x.data(), 2);
  EXPECT_EQ(error_of_arrow([&] { gs::to_device(imported(p)); }),
            "a column \"x\": the table has a column of that name; give it another name");
}

// --- streams ---------------------------------------------------------------------------------------------------------

struct stream_state {
  std::deque<producer> batches;
  producer type;
  std::size_t next = 0;
  int status = 0, releases = 0;
};
ArrowArrayStream stream_of(stream_state& state) {
  return {.get_schema =
              [](ArrowArrayStream* s, ArrowSchema* out) {
                *out = static_cast<stream_state*>(s->private_data)->type.schema;
                return 0;
              },
          .get_next =
              [](ArrowArrayStream* s, ArrowArray* out) {
                auto& from = *static_cast<stream_state*>(s->private_data);
                *out = from.next < from.batches.size() ? from.batches[from.next].array : ArrowArray{};
                return from.next++ < from.batches.size() ? 0 : from.status;
              },
          .get_last_error = [](ArrowArrayStream*) { return "the disk is full"; },
          .release =
              [](ArrowArrayStream* s) {
                ++static_cast<stream_state*>(s->private_data)->releases;
                s->release = nullptr;
              },
          .private_data = &state};
}

TEST(import_arrow, puts_the_batches_of_a_stream_together) {
  const std::vector<std::int32_t> x{0, 1, 2, 3, 4};
  stream_state state;
  state.type.add("x", "i", nullptr, 0);
  for (const std::size_t begin : {0, 2, 3})
    state.batches.emplace_back().add("x", "i", x.data() + begin, begin == 2 ? 1 : 2);
  ArrowArrayStream stream = stream_of(state);
  {
    const gs::arrow_table t = gs::import_arrow(&stream);
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(state.releases, 1);
    EXPECT_EQ(t.batches(), 3u);
    EXPECT_EQ(t.rows(), 5u);
    EXPECT_EQ(t.column<std::int32_t>("x", 1).data(), x.data() + 2);
    EXPECT_EQ(gs::to_device(t).column<std::int32_t>("x").copy_to_host(), x);
    for (const producer& p : state.batches) EXPECT_EQ(p.releases_of_array, 0);
  }
  for (const producer& p : state.batches) EXPECT_EQ(p.releases_of_array, 1);
  EXPECT_EQ(state.type.releases_of_schema, 1);
}

TEST(import_arrow, hands_on_the_error_of_a_stream) {
  const std::vector<std::int32_t> x{0, 1};
  stream_state state;
  state.type.add("x", "i", nullptr, 0);
  state.batches.emplace_back().add("x", "i", x.data(), 2);
  state.status = EIO;
  ArrowArrayStream stream = stream_of(state);
  EXPECT_EQ(error_of_arrow([&] { gs::import_arrow(&stream); }),
            "an import of Arrow's stream: the disk is full; look for the reason where the stream comes from");
  EXPECT_EQ(state.releases, 1);
  EXPECT_EQ(state.batches[0].releases_of_array, 1);
  EXPECT_EQ(error_of_arrow([&] { gs::import_arrow(&stream); }),
            "an import of Arrow's stream: it has been released; import one that is still there");
  EXPECT_EQ(error_of_arrow([&] { gs::import_arrow(static_cast<ArrowArrayStream*>(nullptr)); }),
            "an import of Arrow's columns: a pointer is null; give the structures that the export has filled");
}

// --- exports ---------------------------------------------------------------------------------------------------------

struct exported {
  ArrowSchema schema{};
  ArrowArray array{};

  explicit exported(const gs::table& t, gs::arrow_nulls nulls = gs::arrow_nulls::refuse) {
    gs::export_arrow(t, &schema, &array, {.nulls = nulls});
  }
  exported(const exported&) = delete;
  exported& operator=(const exported&) = delete;
  ~exported() {
    if (schema.release) schema.release(&schema);
    if (array.release) array.release(&array);
  }
};

bool lends() { return gs::current_device() == gs::device_kind::engine; }

TEST(export_arrow, lends_columns_where_they_lie) {
  for (const std::size_t n : {0, 1, 31, 32, 33, 1009, 100'000}) {
    std::vector<float> x(n);
    std::vector<std::int64_t> y(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(i) / 2, y[i] = -static_cast<std::int64_t>(i);
    gs::table t;
    t.add("x", gs::to_device(x));
    t.add("y", gs::to_device(y));
    const gs::ledger_scope scope;
    const exported e(t);
    ASSERT_EQ(std::string(e.schema.format), "+s");
    ASSERT_EQ(e.schema.n_children, 2);
    ASSERT_EQ(e.array.n_children, 2);
    EXPECT_EQ(std::string(e.schema.children[0]->format), "f");
    EXPECT_EQ(std::string(e.schema.children[1]->format), "l");
    EXPECT_EQ(std::string(e.schema.children[1]->name), "y");
    EXPECT_EQ(e.schema.children[0]->flags, 0);
    EXPECT_EQ(e.array.length, static_cast<std::int64_t>(n));
    EXPECT_EQ(e.array.n_buffers, 1);
    const ArrowArray& child = *e.array.children[0];
    EXPECT_EQ(child.n_buffers, 2);
    EXPECT_EQ(child.null_count, 0);
    EXPECT_EQ(child.buffers[0], nullptr);
    EXPECT_EQ(child.length, static_cast<std::int64_t>(n));
    if (lends()) {
      EXPECT_EQ(child.buffers[1], t.column<float>("x").data());
      EXPECT_EQ(scope.account(), (gs::ledger{.loans = 2, .lent_bytes = n * 12}));
    } else {
      EXPECT_EQ(scope.account().copies_to_host, 2u);
    }
    const auto* elements = static_cast<const float*>(child.buffers[1]);
    EXPECT_EQ(std::vector<float>(elements, elements + n), x);
  }
}

TEST(export_arrow, keeps_its_memory_until_the_release) {
  std::vector<std::int32_t> x(1009);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i * i);
  auto t = std::make_unique<gs::table>();
  t->add("x", gs::to_device(x));
  exported e(*t);
  t.reset();
  for (int k = 0; k < 10; ++k) gs::to_device(std::vector<std::int32_t>(1009, -1));  // would get the memory
  // A consumer may move a child, and release its parent first.
  ArrowArray child = *e.array.children[0];
  e.array.children[0]->release = nullptr;
  e.array.release(&e.array);
  EXPECT_EQ(e.array.release, nullptr);
  const auto* elements = static_cast<const std::int32_t*>(child.buffers[1]);
  EXPECT_EQ(std::vector<std::int32_t>(elements, elements + x.size()), x);
  child.release(&child);
  EXPECT_EQ(child.release, nullptr);
}

TEST(export_arrow, gives_its_memory_back_at_the_release) {
  const auto bytes_in_use = [] { return gs::detail::device_context::current().memory().bytes_in_use(); };
  const std::size_t before = bytes_in_use();
  {
    gs::table t;
    t.add("x", gs::device_array<float>(100'000));
    gs::fill_uniform(const_cast<gs::device_array<float>&>(t.column<float>("x")), 1);
    const exported e(t);
    t = gs::table();
    if (lends()) {
      EXPECT_GT(bytes_in_use(), before);
    }
  }
  EXPECT_EQ(bytes_in_use(), before);
}

TEST(export_arrow, packs_bools_and_makes_bitmaps_of_flags) {
  for (const std::size_t n : {1, 7, 8, 9, 1009}) {
    std::vector<bool> flags(n);
    const auto plain = std::make_unique<bool[]>(n);
    std::int64_t nulls = 0;
    for (std::size_t i = 0; i < n; ++i) nulls += !(plain[i] = flags[i] = i * 5 % 3 != 0);
    gs::table t;
    t.add("x", gs::to_device(std::vector<float>(n, 1.0f)));
    t.add("x.valid", gs::to_device(std::span<const bool>(plain.get(), n)));
    const exported as_columns(t);
    ASSERT_EQ(as_columns.array.n_children, 2);
    EXPECT_EQ(std::string(as_columns.schema.children[1]->format), "b");
    const auto read_bits = [&](const void* bits) {
      std::vector<bool> found(n);
      for (std::size_t i = 0; i < n; ++i) found[i] = (static_cast<const std::uint8_t*>(bits)[i / 8] >> (i % 8)) & 1;
      return found;
    };
    EXPECT_EQ(read_bits(as_columns.array.children[1]->buffers[1]), flags);
    EXPECT_EQ(as_columns.array.children[0]->null_count, 0);

    const exported as_nulls(t, gs::arrow_nulls::flags);
    ASSERT_EQ(as_nulls.array.n_children, 1);
    EXPECT_EQ(as_nulls.schema.n_children, 1);
    EXPECT_EQ(as_nulls.schema.children[0]->flags, ARROW_FLAG_NULLABLE);
    EXPECT_EQ(as_nulls.array.children[0]->null_count, nulls);
    EXPECT_EQ(read_bits(as_nulls.array.children[0]->buffers[0]), flags);
  }
}

TEST(export_arrow, comes_back_by_an_import) {
  gs::table t;
  t.add("x", gs::to_device(std::vector<std::uint16_t>{1, 2, 3}));
  ArrowSchema schema;
  ArrowArray array;
  gs::export_arrow(t, &schema, &array);
  const gs::arrow_table back = gs::import_arrow(&schema, &array);
  if (lends()) {
    EXPECT_EQ(back.column<std::uint16_t>("x").data(), t.column<std::uint16_t>("x").data());
  }
  ArrowArrayStream stream;
  gs::export_arrow(t, &stream);
  ArrowSchema first, second;  // may be asked for twice
  ASSERT_EQ(stream.get_schema(&stream, &first), 0);
  ASSERT_EQ(stream.get_schema(&stream, &second), 0);
  EXPECT_EQ(std::string(second.children[0]->name), "x");
  first.release(&first);
  second.release(&second);
  const gs::table streamed = gs::to_device(gs::import_arrow(&stream));
  EXPECT_EQ(streamed.column<std::uint16_t>("x").copy_to_host(), (std::vector<std::uint16_t>{1, 2, 3}));
  ArrowArrayStream unread;
  gs::export_arrow(t, &unread);
  unread.release(&unread);
  EXPECT_EQ(unread.release, nullptr);
}

TEST(export_arrow, refuses_null_pointers) {
  const std::string expected = "an export of a table: a pointer is null; give the addresses of structures to be filled";
  ArrowSchema schema{};
  EXPECT_EQ(error_of_arrow([&] { gs::export_arrow(gs::table(), &schema, nullptr); }), expected);
  EXPECT_EQ(error_of_arrow([] { gs::export_arrow(gs::table(), static_cast<ArrowArrayStream*>(nullptr)); }), expected);
}

// The engine's memory is then out of the host's reach: closed by a program of its own, since that can't be undone.
TEST(export_arrow, copies_where_device_memory_is_closed_to_the_host) {
  SKIP_UNLESS_PROGRAMS_START();
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto lend_from_closed_memory = [] {
    gs::select_device(gs::device_kind::engine);
    gs::closed_memory::begin();
    gs::table t;
    t.add("x", gs::to_device(std::vector<int>{4, 5, 6}));
    const gs::ledger_scope scope;
    const exported e(t);
    const auto* x = static_cast<const int*>(e.array.children[0]->buffers[1]);
    const bool right = x[0] == 4 && x[2] == 6 && scope.account().copies_to_host == 1 && scope.account().loans == 0;
    std::_Exit(right ? 0 : 1);
  };
  EXPECT_EXIT(lend_from_closed_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
