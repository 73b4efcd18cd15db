#pragma once
// Watching an exercise: it is checked again whenever its file is saved.

#include "workbook/catalogue.h"
#include "workshop/sandbox.h"

namespace exercises {

/// Checks the learner's file now and after each save, and shows what came of it, until q is pressed, standard input
/// ends, or SIGINT, SIGTERM or SIGHUP arrives; then returns 0. Keys: h a hint, r again, s skip, n the next exercise
/// (once this one has passed or been skipped). A save while it is being checked begins anew. Throws gs::error where the
/// learner's folder can't be written or goes away.
int watch(workbook::catalogue_exercise exercise, workshop::isolation level);

}  // namespace exercises
