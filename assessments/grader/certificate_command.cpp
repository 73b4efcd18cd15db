#include "assessments/grader/certificate_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "assessments/grader/certificate/certificate.h"
#include "assessments/grader/certificate/certificate_page.h"
#include "assessments/grader/verdict/record.h"
#include "runtime/core/printable.h"
#include "workbook/catalogue.h"
#include "workbook/command/command_frame.h"
#include "workbook/command/exit_status.h"
#include "workbook/command/standard_output.h"
#include "workbook/exercise/learner_folder.h"
#include "workbook/number_text.h"
#include "workbook/plot/colour.h"
#include "workbook/terminal/terminal.h"
#include "workbook/terminal/text_frame.h"
#include "workbook/terminal/text_layout.h"
#include "workshop/file_text.h"

namespace grader {

using workshop::read_text, workshop::write_text;
namespace {

namespace fs = std::filesystem;
using namespace workbook;

constexpr const char* certificate_program = "gridstride-certificate";

void show(const std::string& text, const terminal& t) { print_whole(t.unicode ? text : to_ascii(text)); }

std::string key_line(const public_key& key, key_kind kind) {
  return fmt::format("  {} key {}\n", kind == key_kind::local ? "local" : "instructor's", fingerprint(key));
}

int write_certificate(const std::string& name, const std::string& key_file, const fs::path& grades,
                      const fs::path& output) {
  const certificate earned = certify(name, kept_grades(grades), all_tasks(), parts_of(course_root()));
  const signing_key key = key_file.empty() ? signing_key::local(config_folder()) : signing_key::read(key_file);
  const signed_certificate c = sign(earned, key);
  const terminal t = detect_terminal(STDOUT_FILENO);
  const fs::path document = output / "certificate.json";
  std::string missing;
  for (const char* page : {"certificate.svg", "certificate.pdf"}) missing = write_page(c, output / page);
  write_text(document, to_json(c), fmt::format("writing the certificate {}", document.string()));
  if (!missing.empty())
    fmt::print(stderr, "{}: no font here has {}: the pages show boxes instead; install one, such as fonts-noto-cjk\n",
               certificate_program, missing);
  show(fmt::format("{}\n  certificate.svg and certificate.pdf in {}, to look at\n  {}, to be verified\n{}",
                   in_bold(fmt::format("A certificate for {}", c.content.name), t),
                   gs::detail::printable(output.string()), gs::detail::printable(document.string()),
                   key_line(c.key, c.kind)) +
           wrap(meaning_of(c.kind), std::min<std::size_t>(t.width, 100), 2) + "\n",
       t);
  return exit_fine;
}

int verify_certificate(const std::string& file, const std::string& expected) {
  std::optional<public_key> expected_key;
  if (!expected.empty()) expected_key = read_public_key(expected);
  const verification v = verify(read_text(file, fmt::format("verifying {}", file)), expected_key);
  const terminal t = detect_terminal(STDOUT_FILENO);
  const std::string verdict =
      v.valid ? in_colour("valid", series_colour(2), t) : in_colour("not valid", series_colour(5), t);
  std::string text = fmt::format("{}: {}{}\n", gs::detail::printable(file), verdict, v.valid ? "" : ": " + v.reason);
  if (v.read) {
    const certificate& c = v.read->content;
    text += fmt::format("  {}, {}\n", in_bold(c.name, t), c.date);
    for (std::size_t k = 0, end = 0; k < c.tasks.size(); ++k) {
      const certified_task& grade = c.tasks[k];
      if (k == end) {
        end = end_of_part(c.tasks, k);
        if (grade.part) text += fmt::format("  {}\n", full_title(*grade.part));
      }
      text += fmt::format("{}  {} {}: {} of {} points, {}\n", grade.part ? "  " : "", grade.task_id, grade.task_name,
                          significant(grade.points, 4), significant(grade.possible, 4), grade.isolation);
    }
    if (c.schema_version == 1) text += "  Version 1 of the document doesn't name the parts of the course.\n";
    text += key_line(v.read->key, v.read->kind);
    text += wrap(expected_key
                     ? (v.valid ? "That is the expected key." : "That is not the expected key.")
                     : "To check whether that is the right key, give --public-key KEY. " + meaning_of(v.read->kind),
                 std::min<std::size_t>(t.width, 100), 2) +
            "\n";
  }
  show(text, t);
  return v.valid ? exit_fine : exit_failed;
}

int make_key(const fs::path& file) {
  const fs::path other = file.string() + ".pub";
  if (fs::exists(other))
    throw gs::error(fmt::format("writing the public key {}", other.string()), "the file exists",
                    "give another name: a key is never overwritten");
  const signing_key key = signing_key::make(key_kind::instructor);
  key.write(file);
  key.write_public(other);
  show(
      fmt::format(
          "{}   the secret key: keep it, and keep it to yourself\n{}   the public key: give it to whoever verifies\n{}",
          gs::detail::printable(file.string()), gs::detail::printable(other.string()),
          key_line(key.shared(), key.kind())),
      detect_terminal(STDOUT_FILENO));
  return exit_fine;
}

int make_or_verify(int argc, const char* const* argv) {
  CLI::App app("A certificate of the passed assessments: writes one, verifies one, makes a key to sign with",
               "./gridstride certificate");
  std::string name, key, verified, expected, made_key, grades, output;
  CLI::Option* wants_one = app.add_option("--name", name, "write the certificate of this person")->type_name("NAME");
  CLI::Option* verifies = app.add_option("--verify", verified, "check a certificate.json")->type_name("FILE");
  CLI::Option* makes =
      app.add_option("--make-key", made_key, "make an instructor's key: FILE and FILE.pub")->type_name("FILE");
  app.add_option("--key", key, "sign with this secret key (default: a local one)")->type_name("FILE")->needs(wants_one);
  app.add_option("--grades", grades, "folder of the grades (default: my/grades)")
      ->type_name("DIR")
      ->needs(wants_one)
      ->check(CLI::ExistingDirectory);
  app.add_option("--output", output, "folder to write to (default: my/certificate)")
      ->type_name("DIR")
      ->needs(wants_one);
  app.add_option("--public-key", expected, "the key that must have signed: 64 hexadecimal digits or a key's file")
      ->type_name("KEY")
      ->needs(verifies);
  wants_one->excludes(verifies, makes);
  verifies->excludes(makes);
  if (const auto status = workbook::parse_words(app, argc, argv, certificate_program)) return *status;
  if (*verifies) return verify_certificate(verified, expected);
  if (*makes) return make_key(made_key);
  if (*wants_one)
    return write_certificate(name, key, grades.empty() ? grades_folder() : fs::path(grades),
                             output.empty() ? workbook::my_folder() / "certificate" : fs::path(output));
  fmt::print(stderr, "{}", app.help());
  return exit_wrong_usage;
}

}  // namespace

int run_certificate_command(int argc, const char* const* argv) {
  return workbook::run_command(certificate_program, [&] {
    try {
      return make_or_verify(argc, argv);
    } catch (const not_earned& e) {
      fmt::print(stderr, "{}: {}\n", certificate_program, gs::detail::printable(e.what()));
      return static_cast<int>(exit_failed);
    }
  });
}

}  // namespace grader
