// SPDX-License-Identifier: Apache-2.0
// Inside of a solution, for the library's own modules.
#ifndef DUET_CORE_SOLUTION_SOLUTION_H
#define DUET_CORE_SOLUTION_SOLUTION_H

#include <duet/solution.h>

#include "core/instance/moldable.h"
#include "core/solution/certificate.h"

// A schedule is held as runs where it has at least that many tasks per run: where it is compact by
// far.
enum { DUET_MAX_COUNTERS = 16, DUET_TASKS_PER_RUN = 8 };

// What ended a search early, where something did: `interrupted`, or the gap or the deadline, which
// alone do not count as an interruption.
typedef enum duet_ending {
    DUET_ENDED_BY_TIME,
    DUET_ENDED_BY_LIMIT,
    DUET_ENDED_BY_CALL,
    DUET_ENDED_BY_GAP,
    DUET_ENDED_BY_DEADLINE
} duet_ending;

struct duet_solution {
    int64_t tasks;
    // The schedule, in one of two forms. Where `placement` is there it counts; else the runs do.
    duet_placement *placement; // `tasks` entries; NULL where the schedule is held as runs
    duet_task_run *run;        // in task order; NULL where it never was
    size_t runs;
    // The processors of moldable tasks: ranges of task j are range[set_at[j]] and set_count[j] - 1
    // behind it. NULL: each task is on one processor. A placement holds the first of them.
    size_t *set_at;
    uint32_t *set_count;
    duet_processor_range *range;
    size_t ranges;
    duet_aborted *aborted;
    size_t aborted_count;
    // Places beyond those of the instance's ticks that starts, ends, makespan and lower bound have,
    // 0 to DUET_FINER_PLACES: above 0 in a schedule from elsewhere that starts tasks between ticks.
    int finer;
    int64_t makespan;
    int64_t lower_bound;
    duet_status status;
    double seconds;
    bool interrupted;
    duet_ending ending;
    int64_t deadline;       // that was asked for
    char deadline_text[40]; // the same as it was written; "": none was
    bool ratio_void;        // it stopped before the algorithm's proven ratio held
    char algorithm[32];
    char found_by[32]; // where an algorithm ran others: the one whose schedule this is; else ""
    char bound_name[32];
    char guarantee[96]; // "": nothing is guaranteed
    bool output_failed; // duet_solution_output_failed()
    char note[512];     // for people, as duet_solution_note() says; else ""
    duet_counter counter[DUET_MAX_COUNTERS];
    size_t counters;
    duet_certificate certificate; // what it holds is a reference of the solution's own
    // The highest bound that has a certificate, where the lower bound has none: both stay.
    struct {
        int64_t value;
        char name[32];
        duet_certificate certificate; // of DUET_PROOF_NONE: there is no such bound
    } certified;
    duet_solution *earlier; // a longer schedule that was found before, its own; mostly NULL
    // The first thing in a file that no schedule can be (an unknown task, one placed twice, ...):
    // the reader goes on and the checker reports it. DUET_OK: a schedule can have all of it.
    duet_error fault;
    duet_sched_form sched; // which form serves it best where it goes to a runtime
};

// A solution without placements or runs: whoever fills it says which form it needs.
duet_code duet_solution_create_blank(int64_t tasks, duet_solution **out, duet_error *error);
// Makes room for one placement a task (those that are there stay) and drops the runs.
duet_code duet_solution_hold_placements(duet_solution *solution, duet_error *error);
// Makes room for `most` runs, none of them there yet, and drops the placements.
duet_code duet_solution_hold_runs(duet_solution *solution, size_t most, duet_error *error);
// Makes room for placements and for a set of processors a task, none of them there yet.
duet_code duet_solution_hold_sets(duet_solution *solution, duet_error *error);
// Places a task on a set of processors, whose ranges are in ascending order; those that touch
// become one. A task may be placed again. The solution holds sets.
duet_code duet_solution_place_set(duet_solution *solution, int64_t task, int64_t start,
                                  duet_processor_set set, duet_error *error);
// The processors of a task that is placed: its set, or the one processor of its placement, which
// is then put into *one; no range where it is not placed. Valid until the next task is placed.
// O(1).
duet_processor_set duet_solution_set(const duet_solution *solution, int64_t task,
                                     duet_processor_range *one);
// Brings runs that were added in another order into task order.
void duet_solution_sort_runs(duet_solution *solution);
// Where a task is, in either form; type -1 where it is not placed. *at is 0 at first: whoever asks
// in task order and keeps it gets the answer in O(1), else in O(log runs).
duet_placement duet_solution_place(const duet_solution *solution, int64_t task, size_t *at);
// Exchanges two solutions' schedules, aborted runs and makespans.
void duet_solution_swap_schedules(duet_solution *a, duet_solution *b);

duet_code duet_solution_add_aborted(duet_solution *solution, duet_aborted run, duet_error *error);
// Sets a counter; the name is a static string. Beyond DUET_MAX_COUNTERS it is dropped.
void duet_solution_count(duet_solution *solution, const char *name, int64_t value);
// Takes a bound if it is better than what the solution has. The bound stays the caller's, to be
// released by whoever made it: the solution takes a reference of its own.
void duet_solution_offer_bound(duet_solution *solution, const duet_bound *bound);
// Forgets the certified bound beside a higher one, or all bounds, with what they prove.
void duet_solution_drop_certified(duet_solution *solution);
void duet_solution_drop_bound(duet_solution *solution);
// Finds out what ended the search: `cancelled` where the caller asked for it.
void duet_solution_set_ending(duet_solution *solution, bool cancelled);
// Whether `text` is what duet_solution_ending() says of an `*ending`.
bool duet_solution_find_ending(const char *text, duet_ending *ending);
// The latest completion of the schedule, from the instance's times.
int64_t duet_solution_measure(const duet_solution *solution, const duet_instance *instance);
// Keeps what was asked for, for duet_write_solution(). `text` is a number as JSON writes it; NULL:
// that of the ticks.
void duet_solution_set_deadline(duet_solution *solution, const duet_instance *instance,
                                int64_t deadline, const char *text);
// Whether a task ends after its deadline, and by how much; false also where it is not placed.
bool duet_solution_late(const duet_instance *instance, const duet_solution *solution, int64_t task,
                        duet_decimal *by);
// Sets makespan and status from the schedule and the bound.
void duet_solution_finish(duet_solution *solution, const duet_instance *instance);

#endif
