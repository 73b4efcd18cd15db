// A whole program of whatever flavour it is compiled in.
#include "runtime/core/ledger.h"

int main() { return gs::ledger_total().launches == 0 ? 0 : 1; }
