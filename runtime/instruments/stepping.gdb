# Stops where the thread that GRIDSTRIDE_STEP names begins, and steps over the runtime's own functions:
#   GRIDSTRIDE_STEP='diffuse block 3 thread 17' gdb -x runtime/instruments/stepping.gdb PROGRAM
set breakpoint pending on
set print thread-events off
skip -gfi */runtime/*/*
skip -gfi */c++/*
break gs_chosen_thread_begins
