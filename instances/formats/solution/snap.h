// SPDX-License-Identifier: Apache-2.0
// The starts of a schedule that was read, between ticks and rounded as they may be.
#ifndef DUET_INSTANCES_FORMATS_SOLUTION_SNAP_H
#define DUET_INSTANCES_FORMATS_SOLUTION_SNAP_H

#include "instances/formats/solution/reader.h"

// Steps 1 to 3 of "Between ticks" in docs/problem.md, on all entries: the starts are then those
// that are judged, and the reader has the tolerance. O(n log n + edges), and the processors of all
// tasks where these are moldable.
duet_code duet_schedule_snap(duet_solution_reader *reader, duet_error *error);
// The nearest whole tick, halves up.
duet_int128 duet_schedule_round_to_tick(duet_int128 time);
// The tolerance of the reader, from the starts that its entries have.
void duet_schedule_find_tolerance(duet_solution_reader *reader);
// Sorts the entries by processor, those of one in the order of the file.
void duet_schedule_sort(duet_solution_reader *reader);

#endif
