// SPDX-License-Identifier: Apache-2.0
// The entries of a schedule that was read, turned into placements. Those of a table, or of JSON
// that does not call itself a solution of Duet's, are judged as docs/problem.md says under "Between
// ticks": schedule_snap.c finds their starts.
#include <stdio.h>
#include <stdlib.h>

#include "core/instance/graph.h"
#include "core/solution/finer.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "instances/formats/solution/reader.h"

static duet_code keep(duet_solution_reader *reader, const duet_schedule_entry *entry,
                      duet_error *error)
{
    return duet_vec_push(reader->entry, reader->entries, error, *entry);
}

// Takes what was placed so far back into entries: only now a time between ticks came.
static duet_code take_back(duet_solution_reader *reader, duet_error *error)
{
    duet_solution *solution = reader->solution;
    duet_code code = DUET_OK;
    reader->use = DUET_ENTRIES_KEPT;
    for (int64_t j = 0; j < solution->tasks && solution->placement != NULL && code == DUET_OK;
         j++) {
        duet_placement *placed = &solution->placement[j];
        duet_schedule_entry entry = {.task = j,
                                     .start = placed->start * (duet_int128)DUET_FINE_TICK,
                                     .type = placed->type,
                                     .processor = placed->processor,
                                     .given = DUET_ENTRY_START};
        if (placed->type < 0) {
            continue;
        }
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(solution, j, &one);
        for (size_t i = 0; i < set.count && reader->instance->moldable != NULL && code == DUET_OK;
             i++) {
            code = duet_solution_add_range(reader, &entry, set.range[i], error);
        }
        DUET_THEN(code, keep(reader, &entry, error));
        placed->type = -1;
    }
    for (size_t a = 0; a < solution->aborted_count && code == DUET_OK; a++) {
        const duet_aborted *run = &solution->aborted[a];
        const duet_schedule_entry entry = {.task = run->task,
                                           .start = run->start * (duet_int128)DUET_FINE_TICK,
                                           .end = run->end * (duet_int128)DUET_FINE_TICK,
                                           .type = run->type,
                                           .processor = run->processor,
                                           .given = DUET_ENTRY_START | DUET_ENTRY_END,
                                           .aborted = true};
        code = keep(reader, &entry, error);
    }
    solution->aborted_count = 0;
    return code;
}

// Places a task at a start in ticks of 10^-finer; a fault where it has a place already.
static duet_code place(duet_solution_reader *reader, const duet_schedule_entry *entry,
                       int64_t start, duet_error *error)
{
    if (reader->solution->placement == NULL) {
        return DUET_OK; // no task has a place: the file is too short for all of them
    }
    duet_placement *placement = &reader->solution->placement[entry->task];
    if (placement->type >= 0) {
        duet_solution_fault_at_task(reader, entry->line, entry->column, entry->task,
                                    "is placed twice; expected once");
    }
    if (reader->instance->moldable != NULL) {
        duet_processor_range one;
        return duet_solution_place_set(reader->solution, entry->task, start,
                                       duet_schedule_entry_set(reader, entry, &one), error);
    }
    *placement = (duet_placement){start, entry->processor, entry->type};
    return DUET_OK;
}

static bool is_near(duet_int128 a, duet_int128 b, duet_int128 tolerance)
{
    return a - b <= tolerance && b - a <= tolerance;
}

// The end that the file says is that of the start, within the tolerance.
static void check_end(duet_solution_reader *reader, const duet_schedule_entry *entry,
                      duet_int128 start, duet_int128 tolerance)
{
    duet_int128 length = duet_schedule_entry_length(reader, entry);
    if (entry->aborted || (entry->given & DUET_ENTRY_END) == 0 || length == DUET_NO_LENGTH ||
        is_near(entry->end, start + length, tolerance)) {
        return;
    }
    char expected[32];
    char message[96];
    snprintf(
        message, sizeof message, "ends at a wrong time; expected its start + %s",
        duet_instance_format_time(reader->instance, (int64_t)(length / DUET_FINE_TICK), expected));
    duet_solution_fault_at_task(reader, entry->line, entry->column, entry->task, message);
}

static duet_code add_aborted(duet_solution_reader *reader, const duet_schedule_entry *entry,
                             int64_t start, int64_t end, duet_error *error)
{
    const duet_aborted run = {entry->task, start, end, entry->processor, entry->type};
    return duet_solution_add_aborted(reader->solution, run, error);
}

duet_code duet_solution_add_entry(duet_solution_reader *reader, const duet_schedule_entry *entry,
                                  duet_error *error)
{
    bool whole =
        entry->start % DUET_FINE_TICK == 0 && (!entry->aborted || entry->end % DUET_FINE_TICK == 0);
    if (reader->use ==
        DUET_ENTRIES_PARTS) { // runs that were given up are no part of a plan that goes on
        return entry->aborted ? DUET_OK : keep(reader, entry, error);
    }
    duet_code code =
        reader->use != DUET_ENTRIES_PLACED || whole ? DUET_OK : take_back(reader, error);
    if (code != DUET_OK || reader->use != DUET_ENTRIES_PLACED) {
        return code == DUET_OK ? keep(reader, entry, error) : code;
    }
    int64_t start = (int64_t)(entry->start / DUET_FINE_TICK);
    if (entry->aborted) {
        return add_aborted(reader, entry, start, (int64_t)(entry->end / DUET_FINE_TICK), error);
    }
    check_end(reader, entry, entry->start, 0);
    code = place(reader, entry, start, error);
    reader->ranges = 0;
    return code;
}

// --- the whole schedule --------------------------------------------------------------------------

// Whether the file says no start at all.
static bool has_order_alone(const duet_solution_reader *reader)
{
    for (size_t i = 0; i < reader->entries; i++) {
        if ((reader->entry[i].given & DUET_ENTRY_START) != 0) {
            return false;
        }
    }
    return reader->entries > 0;
}

// The fewest finer places with which all starts and ends are whole.
static int find_places(const duet_solution_reader *reader)
{
    duet_int128 unit = DUET_FINE_TICK; // all are multiples of it
    int places = 0;
    for (size_t i = 0; i < reader->entries; i++) {
        const duet_schedule_entry *entry = &reader->entry[i];
        while (entry->start % unit != 0 || (entry->aborted && entry->end % unit != 0)) {
            unit /= 10;
            places++;
        }
    }
    return places;
}

// A time in ticks of `places` places; false where it is too long for that, and then it is cut.
static bool in_ticks(duet_int128 time, int places, int64_t *ticks)
{
    duet_int128 exact = time / (DUET_FINE_TICK / duet_finer_scale(places));
    bool fits = exact <= DUET_MAX_WORK && exact >= -DUET_MAX_WORK;
    *ticks = fits ? (int64_t)exact : exact < 0 ? -DUET_MAX_WORK : DUET_MAX_WORK;
    return fits;
}

static duet_code place_all(duet_solution_reader *reader, duet_error *error)
{
    duet_code code = DUET_OK;
    int places = reader->solution->placement == NULL ? 0 : find_places(reader);
    reader->solution->finer = places;
    for (size_t i = 0; i < reader->entries && code == DUET_OK; i++) {
        const duet_schedule_entry *entry = &reader->entry[i];
        int64_t start;
        int64_t end = 0;
        duet_int128 length = entry->aborted ? 0 : duet_schedule_entry_length(reader, entry);
        int64_t unused;
        bool fits = in_ticks(entry->start, places, &start) &&
                    (!entry->aborted || in_ticks(entry->end, places, &end)) &&
                    in_ticks(length == DUET_NO_LENGTH ? 0 : entry->start + length, places, &unused);
        if (!fits && places > 0) {
            duet_solution_fault_at_task(
                reader, entry->line, entry->column, entry->task,
                "is too late for starts between ticks; expected whole ticks");
        }
        code = entry->aborted ? add_aborted(reader, entry, start, end, error)
                              : place(reader, entry, start, error);
    }
    return code;
}

duet_code duet_solution_place_entries(duet_solution_reader *reader, duet_error *error)
{
    duet_code code = DUET_OK;
    bool in_order = reader->instance->graph != NULL && reader->instance->moldable == NULL &&
                    has_order_alone(reader);
    reader->tolerance = 0;
    if (reader->use == DUET_ENTRIES_PLACED || reader->solution->placement == NULL) {
        return DUET_OK;
    }
    if (in_order) {
        duet_schedule_sort(reader);
        code = duet_solution_start_in_order(reader, error);
        duet_schedule_find_tolerance(reader);
    } else {
        code = duet_schedule_snap(reader, error);
    }
    for (size_t i = 0; i < reader->entries && code == DUET_OK; i++) {
        check_end(reader, &reader->entry[i], reader->entry[i].start, reader->tolerance);
    }
    return code == DUET_OK ? place_all(reader, error) : code;
}

// A claimed bound in ticks: the next tick above it, but the makespan or a tick where it is near
// one.
static int64_t bound_in_ticks(const duet_solution_reader *reader, duet_int128 claimed,
                              duet_int128 latest)
{
    duet_int128 nearest = duet_schedule_round_to_tick(claimed);
    bool above = nearest < claimed && !is_near(claimed, nearest, reader->tolerance);
    duet_int128 bound = above ? nearest + DUET_FINE_TICK : nearest;
    int64_t ticks = 0;
    bound = is_near(claimed, latest, reader->tolerance) ? latest : bound;
    (void)in_ticks(bound, reader->solution->finer, &ticks);
    return ticks;
}

void duet_solution_take_claims(duet_solution_reader *reader, int64_t measured)
{
    duet_solution *solution = reader->solution;
    duet_int128 unit = DUET_FINE_TICK / duet_finer_scale(solution->finer);
    duet_int128 latest = measured * unit;
    if (!reader->has_makespan || is_near(reader->makespan, latest, reader->tolerance)) {
        solution->makespan = measured;
    } else {
        (void)in_ticks(reader->makespan, solution->finer, &solution->makespan);
        solution->makespan += solution->makespan == measured; // it differs by less than is held
    }
    if (reader->lower_bound != 0) {
        solution->lower_bound = bound_in_ticks(reader, reader->lower_bound, latest);
    }
    if (reader->certified != 0) {
        solution->certified.value = bound_in_ticks(reader, reader->certified, latest);
    }
}
