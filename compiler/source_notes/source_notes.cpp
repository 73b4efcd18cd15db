// source_notes: a plugin for g++, which notes in a program how its accesses are written, and sees to it that each has a
// hook; see compiler/README.md.

#include "compiler/source_notes/expressions.h"
#include "compiler/source_notes/struct_copies.h"

int plugin_is_GPL_compatible;

namespace source_notes {
namespace {

note_text notes;

void look_at_function(void* event, void* /*data*/) { read_function(static_cast<tree>(event), notes); }

void write_note(void* /*event*/, void* /*data*/) { notes.write(); }

}  // namespace
}  // namespace source_notes

int plugin_init(plugin_name_args* info, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) {
    inform(UNKNOWN_LOCATION,
           "%s was built for another compiler: until its folder is removed and the build configured again, it does not "
           "note how accesses are written, nor make hooks for structs that functions return",
           info->full_name);
    return 0;
  }
  register_callback(info->base_name, PLUGIN_PRE_GENERICIZE, source_notes::look_at_function, nullptr);
  register_callback(info->base_name, PLUGIN_FINISH_UNIT, source_notes::write_note, nullptr);
  source_notes::insert_struct_copies(info->base_name);
  return 0;
}
