#include "programs/view_program.h"

#include <system_error>

#include "programs/build_in_foreground.h"
#include "runtime/core/error.h"
#include "runtime/core/printable.h"
#include "workbook/command/exit_status.h"
#include "workshop/private_folder.h"

namespace programs {
namespace {

namespace fs = std::filesystem;

std::string asked_for(const program_files& files) { return "view " + gs::detail::printable(files.shown.string()); }

// A process that has the older file open keeps it.
void replace(const fs::path& from, const fs::path& to, const std::string& asked) {
  std::error_code failed;
  fs::create_directories(to.parent_path(), failed);
  if (!failed) fs::rename(from, to, failed);
  if (failed)
    throw gs::machine_error(asked, gs::detail::printable(to.string()) + " can't be written: " + failed.message(),
                            "make room there, or set TMPDIR to another folder");
}

// The files, or the folder, that were named.
std::vector<std::string> words_of(const program_files& files) {
  if (fs::is_directory(files.shown)) return {fs::absolute(files.shown).lexically_normal().string()};
  std::vector<std::string> words;
  for (const fs::path& source : files.sources) words.push_back(source.string());
  return words;
}

std::vector<std::string> viewer_options(const program_files& files, const fs::path& folder) {
  std::vector<std::string> options{"--program=" + files.name, "--program-folder=" + folder.string(),
                                   "--builder=" + fs::read_symlink("/proc/self/exe").string()};
  for (const fs::path& source : files.sources) options.push_back("--source=" + source.string());
  for (const std::string& word : words_of(files)) options.push_back("--named=" + word);
  return options;
}

}  // namespace

bool build_for_viewer(const program_files& files, const fs::path& folder, foreground& terminal) {
  const auto built = build_in_foreground(files, workshop::flavour::plain, terminal, products::program_and_module);
  if (!built) return false;
  if (built->entry == entry::main)
    throw gs::error(asked_for(files), "it has a main, and view shows a report",
                    "include \"workbook/lesson.h\", and write, instead of main, void run(const workbook::parameters&, "
                    "workbook::report& report), which fills it, and workbook::lesson workbook::this_lesson() { return "
                    "{.title = \"...\", .run = run}; }");
  replace(built->product.file, folder / "lessons" / files.name, asked_for(files));
  replace(built->module, folder / "lessons" / (files.name + ".so"), asked_for(files));
  return true;
}

int view_program(const program_files& files, const std::vector<std::string>& options) {
  const fs::path viewer = workshop::built(workshop::build_folder(workshop::flavour::plain) / "viewer/gridstride-view",
                                          asked_for(files), workshop::flavour::plain, "gridstride-view");
  int status = workbook::exit_fine;
  {
    foreground terminal;
    const workshop::private_folder folder;
    if (!build_for_viewer(files, folder.path(), terminal)) return workbook::exit_failed;
    child_options child{.program = viewer,
                        .name = "gridstride-view",
                        .arguments = viewer_options(files, folder.path()),
                        .variables = {{"GRIDSTRIDE_PROGRAM_FILE", files.shown.string()}}};
    child.arguments.insert(child.arguments.end(), options.begin(), options.end());
    status = terminal.run(child);
  }
  end_as(status);
  return status;
}

}  // namespace programs
