// columns: a table's rows summed up by a key, and joined with those of another table. Ours by sort, by hand by hashing.
#include "runtime/columns/columns.h"
#include "bench/peers/peers.h"
#include "bench/workloads/output.h"
#include "bench/workloads/workloads.h"
#include "runtime/gs.h"

namespace bench {
namespace {

GS_FN double same_double(double x) { return x; }
GS_FN float same_float(float x) { return x; }
constexpr auto copied = gs::vectorize<same_double, same_float>;

// Columns of a workload as a table of the device, which shares their memory.
template <class T>
void add_column(gs::table& t, const std::string& name, const gs::device_array<T>& column) {
  t.add(name, column.reshape(column.shape()));
}

std::int32_t random_key(std::size_t i, std::size_t keys) {
  const auto key = static_cast<std::size_t>(uniform(i, 1) * static_cast<double>(keys));
  return static_cast<std::int32_t>(i < keys ? i : key);  // each of them occurs
}
float eighths(std::size_t i) {
  return static_cast<float>(static_cast<int>(uniform(i, 2) * 800)) / 8;
}  // sums are exact

struct grouped_rows {
  grouped_rows(std::size_t rows, std::size_t groups)
      : keys(rows, [=](std::size_t i) { return random_key(i, groups); }), values(rows, eighths), sums(groups) {}
  array_everywhere<std::int32_t> keys;
  array_everywhere<float> values;
  outputs<double> sums;
};

contest prepare_group_by(std::size_t rows, std::size_t groups) {
  const auto a = std::make_shared<grouped_rows>(rows, groups);
  contest c;
  add_ours(c, "", [a](gs::device_kind device) {
    gs::table t;
    add_column(t, "key", a->keys.on(device));
    add_column(t, "value", a->values.on(device));
    const gs::table sums = gs::group_by(t, "key", {{"value", gs::aggregate::sum}});
    copied(sums.column<double>("value_sum"), gs::out(a->sums.on(device)));
  });
  c.add("std::unordered_map, per core", role::peer,
        repeated([a] { peers::group_by(a->keys.host.read(), a->values.host.read(), a->sums.host.span()); }));
  check_agreement(c, a->sums, {});
  c.ask_outside(
      make_assignment("group_by", c, a->sums, {}, {{"keys", a->keys.host.read()}, {"values", a->values.host.read()}}));
  return c;
}

struct joined_rows {
  joined_rows(std::size_t rows, std::size_t keys)
      : left(rows, [=](std::size_t i) { return random_key(i, keys); }),
        right(keys, [=](std::size_t i) { return static_cast<std::int32_t>(keys - 1 - i); }),
        values(keys, eighths),
        out(rows) {}
  array_everywhere<std::int32_t> left, right;
  array_everywhere<float> values;
  outputs<float> out;
};

contest prepare_join(std::size_t rows, std::size_t keys) {
  const auto a = std::make_shared<joined_rows>(rows, keys);
  contest c;
  add_ours(c, "", [a](gs::device_kind device) {
    gs::table left, right;
    add_column(left, "key", a->left.on(device));
    add_column(right, "key", a->right.on(device));
    add_column(right, "value", a->values.on(device));
    copied(gs::join(left, right, "key").column<float>("value"), gs::out(a->out.on(device)));
  });
  c.add("std::unordered_map", role::peer, repeated([a] {
          peers::join(a->left.host.read(), a->right.host.read(), a->values.host.read(), a->out.host.span());
        }));
  check_agreement(c, a->out, {});
  c.ask_outside(make_assignment(
      "join", c, a->out, {},
      {{"left", a->left.host.read()}, {"right", a->right.host.read()}, {"values", a->values.host.read()}}));
  return c;
}

// What a hash table costs depends on how many keys there are, and on the caches.
workload without_demands(workload w) {
  w.want_nothing();
  return w;
}

}  // namespace

workload group_by(std::size_t rows, std::size_t groups) {
  return without_demands({.name = "group_by_" + std::to_string(groups),
                          .text = "sums of float32 by int32 keys in " + std::to_string(groups) + " groups",
                          .elements = rows,
                          .dtype = "float32",
                          .memory = 40 * rows,
                          .prepare = [=] { return prepare_group_by(rows, groups); }});
}

workload join(std::size_t rows, std::size_t keys) {
  return without_demands({.name = "join",
                          .text = "rows joined with a table of " + std::to_string(keys) + " int32 keys",
                          .elements = rows,
                          .dtype = "float32",
                          .memory = 60 * rows,
                          .prepare = [=] { return prepare_join(rows, keys); }});
}

}  // namespace bench
