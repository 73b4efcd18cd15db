#pragma once
// Lesson modules: shared libraries that are opened while the program runs, as the viewer does.

#include <memory>
#include <string>

#include "workbook/lesson.h"

/// The one name a module exports: its lesson, alive as long as the module is open.
extern "C" const workbook::lesson* gridstride_lesson();

namespace workbook {

/// An open module. Two modules may use the same names for different functions: nothing of one is seen by another.
/// A lesson's report doesn't depend on the module; the lesson itself must not be used after the last copy of this
/// object is destroyed.
class lesson_module {
 public:
  /// Throws gs::error if the file can't be opened or isn't a lesson.
  static lesson_module open(const std::string& path);

  const workbook::lesson& lesson() const { return *lesson_; }

 private:
  lesson_module(std::shared_ptr<void> library, const workbook::lesson* l) : library_(std::move(library)), lesson_(l) {}

  std::shared_ptr<void> library_;
  const workbook::lesson* lesson_;
};

}  // namespace workbook
