#pragma once
// All instruments: a line in each of the two lists makes one known.

#include <array>
#include <tuple>

#include "runtime/instruments/checks/hidden_accesses.h"
#include "runtime/instruments/checks/host_accesses.h"
#include "runtime/instruments/checks/host_races.h"
#include "runtime/instruments/checks/initcheck.h"
#include "runtime/instruments/checks/leakcheck.h"
#include "runtime/instruments/checks/limits.h"
#include "runtime/instruments/checks/memcheck.h"
#include "runtime/instruments/checks/racecheck.h"
#include "runtime/instruments/checks/synccheck.h"
#include "runtime/instruments/checks/tile_bounds.h"
#include "runtime/instruments/checks/unchecked_errors.h"
#include "runtime/instruments/counting/cost_counters.h"

namespace gs::inline GS_FLAVOUR::instruments {

/// Names and findings, by the number of gs::instrument.
inline constexpr std::array<const detail::instrument_description*, detail::instrument_count> descriptions{
    &detail::memcheck_description,   //
    &detail::initcheck_description,  //
    &detail::racecheck_description,  //
    &detail::synccheck_description,  //
    &detail::leakcheck_description,  //
    &detail::limits_description,     //
};

#if GRIDSTRIDE_CHECKED
/// What is told of all that happens, in this order.
using instrument_list = std::tuple<  //
    memcheck,                        //
    tile_bounds,                     //
    host_accesses,                   //
    hidden_accesses,                 //
    unchecked_errors,                //
    racecheck,                       //
    host_races,                      //
    initcheck,                       //
    synccheck,                       //
    leakcheck,                       //
    limits,                          //
    cost_counters>;
#endif

}  // namespace gs::inline GS_FLAVOUR::instruments
