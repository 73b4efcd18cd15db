#include "workbook/json/timeline_json.h"

#include <cmath>
#include <limits>

#include "runtime/core/error.h"
#include "workbook/json/json_values.h"
#include "workbook/json/read_json.h"

namespace workbook {
namespace {

constexpr const char* schema = "gridstride-timeline";
constexpr int timeline_version = 1;
constexpr gs::timeline_kind kinds[] = {gs::timeline_kind::copy_to_device, gs::timeline_kind::copy_to_host,
                                       gs::timeline_kind::launch, gs::timeline_kind::wait};

gs::timeline_kind kind_named(const std::string& name, const std::string& asked, const std::string& advice) {
  for (const gs::timeline_kind kind : kinds)
    if (to_string(kind) == name) return kind;
  throw gs::error(asked, "'" + name + "' is no kind of work", advice);
}

// A time that wasn't taken is written as a string.
double seconds_in(const read_json_value& from) {
  return from.is_number() ? from.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string to_json(const run_timeline& t) {
  nlohmann::ordered_json document = {{"schema", schema},     {"version", timeline_version},
                                     {"program", t.program}, {"title", t.title},
                                     {"device", t.device},   {"entries", nlohmann::ordered_json::array()}};
  for (const gs::timeline_entry& e : t.entries)
    document["entries"].push_back({{"kind", to_string(e.kind)},
                                   {"name", e.name},
                                   {"stream", e.stream},
                                   {"start_seconds", json_number(e.start)},
                                   {"stop_seconds", json_number(e.stop)},
                                   {"bytes", e.bytes}});
  return document.dump(1) + "\n";
}

run_timeline read_run_timeline(std::string_view text, const std::string& asked) {
  const std::string advice = "write it by ./gridstride run 34 --timeline FILE";
  const read_json_value document = read_json(text, asked, advice);
  try {
    if (document.at("schema").get<std::string>() != schema || document.at("version").get<int>() != timeline_version)
      throw gs::error(asked, "it is another kind of document, or of another version", advice);
    run_timeline t{.program = document.at("program").get<std::string>(),
                   .title = document.at("title").get<std::string>(),
                   .device = document.at("device").get<std::string>()};
    for (const auto& from : document.at("entries")) {
      gs::timeline_entry e{.kind = kind_named(from.at("kind").get<std::string>(), asked, advice),
                           .name = from.at("name").get<std::string>(),
                           .stream = from.at("stream").get<std::size_t>(),
                           .start = seconds_in(from.at("start_seconds")),
                           .stop = seconds_in(from.at("stop_seconds")),
                           .bytes = from.at("bytes").get<std::uint64_t>()};
      if (e.stop < e.start) throw gs::error(asked, "'" + e.name + "' stops before it starts", advice);
      // Streams are numbered as they are first used, so that no file makes rows that nothing is in.
      if (e.stream > t.entries.size()) throw gs::error(asked, "a stream has no number in the order of use", advice);
      t.entries.push_back(std::move(e));
    }
    return t;
  } catch (const nlohmann::json::exception& e) {
    throw gs::error(asked, e.what(), advice);
  }
}

}  // namespace workbook
