#pragma once
// Stands in for runtime/instruments/observe.h: nothing.
