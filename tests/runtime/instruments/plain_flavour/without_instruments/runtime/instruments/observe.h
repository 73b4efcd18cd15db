#pragma once
// Stands in for runtime/observe/observe.h: nothing.
