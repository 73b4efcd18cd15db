#include "assessments/grader/certificate/certificate.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "assessments/grader/certificate/canonical_json.h"
#include "assessments/grader/certificate/holder_name.h"
#include "runtime/core/printable.h"
#include "workbook/command_name.h"
#include "workbook/number_text.h"

namespace grader {

using gs::detail::one_line;
namespace {

using nlohmann::json;

constexpr const char* schema = "gridstride-certificate";

// Rounded to 1 / `parts`, a hundredth or a thousandth; whole numbers get no decimal point, so that every JSON library
// writes them as RFC 8785 does.
json decimal(double v, double parts) {
  const double rounded = std::round(v * parts) / parts;
  constexpr double exact = 1ll << 53;
  if (std::abs(rounded) < exact && rounded == std::trunc(rounded)) return static_cast<std::int64_t>(rounded);
  return rounded;
}
json hundredths(double v) { return decimal(v, 100); }
json ratio(double v) { return decimal(v, 1000); }
json nanoseconds(double seconds) { return decimal(seconds * 1e9, 1); }

// Texts come from files and machines that aren't ours: what a terminal would take for a command is left out.
json criterion_member(const criterion_result& c) {
  return {{"id", one_line(c.id)},
          {"title", one_line(c.title)},
          {"state", to_string(c.state)},
          {"points", hundredths(c.points)},
          {"possible", hundredths(c.possible)}};
}

json speed_member(const speed_measurement& s) {
  return {{"call", one_line(s.call)},
          {"ratio", ratio(s.ratio)},
          {"low", ratio(s.low)},
          {"high", ratio(s.high)},
          {"nanoseconds", nanoseconds(s.seconds)},
          {"baseline_nanoseconds", nanoseconds(s.baseline_seconds)},
          {"pairs", s.pairs},
          {"graded", s.graded}};
}

json task_member(const certified_task& v, unsigned schema_version) {
  json member = {
      {"id", one_line(v.task_id)},
      {"name", one_line(v.task_name)},
      {"title", one_line(v.task_title)},
      {"version", v.task_version},
      {"points", hundredths(v.points)},
      {"possible", hundredths(v.possible)},
      {"graded", one_line(v.graded)},
      {"file", one_line(std::filesystem::path(v.file).filename().string())},  // folders are nobody's business
      {"sha256", one_line(v.sha256)},
      {"isolation", one_line(v.isolation)},
      {"device", one_line(v.device)},
      {"machine", one_line(v.machine)},
      {"gridstride", one_line(v.version)},
      {"criteria", json::array()},
      {"speed", json::array()}};
  for (const criterion_result& c : v.criteria) member["criteria"].push_back(criterion_member(c));
  for (const speed_measurement& s : v.speed)
    if (std::ranges::all_of(std::array{s.ratio, s.low, s.high, s.seconds, s.baseline_seconds},
                            [](double value) { return std::isfinite(value); }))
      member["speed"].push_back(speed_member(s));
  if (schema_version > 1 && v.part) member["part"] = {{"number", v.part->number}, {"title", one_line(v.part->title)}};
  return member;
}

// What is signed: everything but the signature.
json document_of(const signed_certificate& c) {
  json document = {{"schema", schema},
                   {"version", c.content.schema_version},
                   {"name", c.content.name},
                   {"date", c.content.date},
                   {"gridstride", c.content.version},
                   {"tasks", json::array()},
                   {"key", {{"algorithm", "Ed25519"}, {"kind", to_string(c.kind)}, {"public", to_hex(c.key)}}}};
  for (const certified_task& v : c.content.tasks) document["tasks"].push_back(task_member(v, c.content.schema_version));
  return document;
}

template <class T>
void read(const json& object, const char* name, T& value) {
  object.at(name).get_to(value);
}

criterion_state state_named(const std::string& name) {
  using enum criterion_state;
  for (const criterion_state s : {passed, partly, failed, not_run})
    if (to_string(s) == name) return s;
  throw gs::error("reading a certificate", fmt::format("there is no state '{}'", name), "check it");
}

certified_task task_of(const json& member) {
  certified_task v;
  v.passed = true;
  read(member, "id", v.task_id);
  read(member, "name", v.task_name);
  read(member, "title", v.task_title);
  read(member, "version", v.task_version);
  read(member, "points", v.points);
  read(member, "possible", v.possible);
  read(member, "graded", v.graded);
  read(member, "file", v.file);
  read(member, "sha256", v.sha256);
  read(member, "isolation", v.isolation);
  read(member, "device", v.device);
  read(member, "machine", v.machine);
  read(member, "gridstride", v.version);
  for (const json& c : member.at("criteria")) {
    criterion_result& result = v.criteria.emplace_back();
    read(c, "id", result.id);
    read(c, "title", result.title);
    read(c, "points", result.points);
    read(c, "possible", result.possible);
    result.state = state_named(c.at("state").get<std::string>());
  }
  for (const json& s : member.at("speed")) {
    speed_measurement& m = v.speed.emplace_back();
    read(s, "call", m.call);
    read(s, "ratio", m.ratio);
    read(s, "low", m.low);
    read(s, "high", m.high);
    m.seconds = s.at("nanoseconds").get<double>() * 1e-9;
    m.baseline_seconds = s.at("baseline_nanoseconds").get<double>() * 1e-9;
    read(s, "pairs", m.pairs);
    read(s, "graded", m.graded);
  }
  if (const auto part = member.find("part"); part != member.end()) {
    v.part.emplace();
    read(*part, "number", v.part->number);
    read(*part, "title", v.part->title);
  }
  return v;
}

public_key key_named(const json& document) {
  const auto key = public_key_of(document.at("key").at("public").get<std::string>());
  if (!key) throw gs::error("reading a certificate", "its public key is not 64 hexadecimal digits", "check it");
  return *key;
}

// Throws nlohmann's exceptions or gs::error if a member is missing, of another type, or has an impossible value.
signed_certificate certificate_of(const json& document) {
  signed_certificate c;
  read(document, "version", c.content.schema_version);
  read(document, "name", c.content.name);
  read(document, "date", c.content.date);
  read(document, "gridstride", c.content.version);
  if (holder_name(c.content.name) != c.content.name)
    throw gs::error("reading a certificate", "the name begins or ends with a space", "check it");
  for (const json& member : document.at("tasks")) c.content.tasks.push_back(task_of(member));
  c.key = key_named(document);
  c.kind = document.at("key").at("kind") == to_string(key_kind::instructor) ? key_kind::instructor : key_kind::local;
  return c;
}

// Points are sums of thirds and tenths, and a certificate rounds each to a hundredth.
bool exceeds(double points, double possible) { return !(points >= 0 && possible >= 0 && points <= possible + 0.01); }

// Says which points exceed what is possible, whoever wrote them; empty if none do.
std::string impossible_in(const verdict& v) {
  const auto text = [](const std::string& name, double points, double possible) {
    return fmt::format("{} has {} of {} points", name, workbook::significant(points, 6),
                       workbook::significant(possible, 6));
  };
  if (exceeds(v.points, v.possible)) return text("it", v.points, v.possible);
  double points = 0;
  for (const criterion_result& c : v.criteria) {
    if (exceeds(c.points, c.possible)) return text("its criterion " + one_line(c.id), c.points, c.possible);
    points += c.points;
  }
  const double rounding = 0.01 * static_cast<double>(v.criteria.size());
  if (!v.criteria.empty() && exceeds(v.points, points + rounding))
    return fmt::format("it has {} points, and its criteria have {}", workbook::significant(v.points, 6),
                       workbook::significant(points, 6));
  return "";
}

std::string impossible_in(const verdict& v, const task& t) {
  if (std::string why = impossible_in(v); !why.empty()) return why;
  double total = 0;
  for (const criterion& c : t.criteria) total += c.points;
  if (t.criteria.empty() || !exceeds(v.possible, total)) return "";
  return fmt::format("it is of {} points, and the task has {}", workbook::significant(v.possible, 6),
                     workbook::significant(total, 6));
}

std::string named(const task& t) { return t.id + " " + t.name; }

}  // namespace

std::string full_title(const workbook::part_of_course& part) {
  return part.number > 0 ? fmt::format("Part {}, {}", part.number, part.title) : part.title;
}

std::size_t end_of_part(const std::vector<certified_task>& tasks, std::size_t begin) {
  const auto title_of = [&](std::size_t k) { return tasks[k].part ? full_title(*tasks[k].part) : ""; };
  std::size_t end = begin + 1;
  while (end < tasks.size() && title_of(end) == title_of(begin)) ++end;
  return end;
}

certificate certify(const std::string& name, const std::map<std::string, verdict>& grades,
                    const std::vector<task>& course, const std::vector<workbook::part_of_course>& parts) {
  certificate c{.name = holder_name(name),
                .date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::chrono::system_clock::now())),
                .version = GRIDSTRIDE_VERSION,
                .tasks = {}};
  std::vector<std::string> missing;
  std::string first;
  for (const task& t : course) {
    const auto grade = grades.find(t.id);
    if (grade == grades.end() || !grade->second.passed) {
      missing.push_back(named(t));
    } else if (grade->second.task_version != t.version) {
      missing.push_back(fmt::format("{} (passed in its version {}, and is in version {} now)", named(t),
                                    grade->second.task_version, t.version));
    } else {
      if (const std::string why = impossible_in(grade->second, t); !why.empty())
        throw gs::error("a certificate", fmt::format("the grade of {} can't be: {}", named(t), why),
                        fmt::format("grade it again: {} grade {} FILE", workbook::course_command_name(), t.id));
      c.tasks.push_back({grade->second, part_of(t, parts)});
      continue;
    }
    if (first.empty()) first = t.id;
  }
  if (!missing.empty())
    throw not_earned(
        "a certificate",
        fmt::format("{} of {} tasks {} not passed: {}", missing.size(), course.size(),
                    missing.size() == 1 ? "is" : "are", fmt::join(missing, ", ")),
        fmt::format("write your solution and try it with {} grade {} FILE", workbook::course_command_name(), first));
  return c;
}

signed_certificate sign(const certificate& content, const signing_key& key) {
  signed_certificate c{.content = content, .key = key.shared(), .kind = key.kind(), .signature = {}};
  c.signature = key.sign(canonical_json(document_of(c)));
  return c;
}

std::string to_json(const signed_certificate& c) {
  // The same document in an order for people; whoever verifies it sorts.
  const json unordered = document_of(c);
  nlohmann::ordered_json document;
  for (const char* member : {"schema", "version", "name", "date", "gridstride", "tasks", "key"})
    document[member] = unordered.at(member);
  document["signature"] = c.signature;
  return document.dump(2) + "\n";
}

verification verify(std::string_view text, const std::optional<public_key>& expected) {
  const auto refused = [](const std::string& reason) {
    return verification{.valid = false, .reason = reason, .read = {}};
  };
  json document;
  try {
    document = read_json_strictly(text, "the certificate");
    if (!document.is_object() || document.value("schema", json()) != schema) return refused("it isn't a certificate");
    if (const json version = document.value("version", json()); version != 1 && version != 2)
      return refused("its version is neither 1 nor 2, the only ones known here");
    const json signature = document.value("signature", json());
    if (!signature.is_string()) return refused("it has no signature");
    document.erase("signature");
    const public_key key = key_named(document);
    if (!is_signed(canonical_json(document), signature.get<std::string>(), key))
      return refused("it was changed after it was signed, or the signature isn't by the key it names");
    signed_certificate c = certificate_of(document);
    // Unknown members and impossible texts must not be in a certificate, signed or not.
    if (canonical_json(document_of(c)) != canonical_json(document))
      return refused("it is signed, but it isn't written as a certificate");
    for (const verdict& v : c.content.tasks)
      if (const std::string why = impossible_in(v); !why.empty())
        return refused(fmt::format("it is signed, but the grade of {} can't be: {}", one_line(v.task_id), why));
    c.signature = signature.get<std::string>();
    verification v{.valid = true, .reason = {}, .read = c};
    if (expected && *expected != key) {
      v.valid = false;
      v.reason = fmt::format("it is signed by the key {}, not by the expected one, {}", fingerprint(key),
                             fingerprint(*expected));
    }
    return v;
  } catch (const gs::error& e) {
    return refused(e.found());
  } catch (const json::exception&) {
    return refused("a member is missing or malformed");
  }
}

std::string meaning_of(key_kind kind) {
  if (kind == key_kind::instructor)
    return "The holder of this key vouches for this certificate. Ask them for its fingerprint, or for the public key.";
  return "This is a local key, made on the holder's own machine: it shows that nobody has changed the certificate "
         "since, "
         "and not that it was earned.";
}

}  // namespace grader
