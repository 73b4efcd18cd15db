// The module of one lesson: a shared library that offers the lesson and hides everything else.

#include "workbook/lesson.h"
#include "workbook/module.h"

extern "C" __attribute__((visibility("default"))) const workbook::lesson* gridstride_lesson() {
  static const workbook::lesson the_lesson = workbook::this_lesson();
  return &the_lesson;
}
