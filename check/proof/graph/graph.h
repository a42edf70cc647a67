// SPDX-License-Identifier: Apache-2.0
// Proofs that no schedule of a task graph is within a guess: what is known of every task while the
// lines of a proof are read. Any number of processor types.
//
// A file calls only those before it in this order:
//   graph_state  windows of the tasks, with the changes since each supposition
//   order        what may be assumed of the schedule: no idle time without a reason, and the
//                order of tasks that are alike
//   area         what the work within an interval, or before a task, proves
//   gather       what data that take time prove
//   mixing       what tasks that take longer add to the paths between two tasks
//   lp           what prices of a linear program prove
//   timed        what prices over time prove
//   chains       windows between the tasks of a path, and whole numbers of tasks in them
//   ideals       a dynamic program over the tasks that have begun, with its steps (ideals.h)
//   part         some tasks before, or behind, another one
//   learned      facts about orders and processors, and the rules of a search that learns
//   nogoods      reads what such a search learned
//   lines        reads the lines of a proof
#ifndef DUET_CHECK_PROOF_GRAPH_GRAPH_H
#define DUET_CHECK_PROOF_GRAPH_GRAPH_H

#include "check/limits.h"
#include "check/proof/text.h"
#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/arena.h"

// Prices and flows of one line add up to less than this, and times are at most 2^62, so that every
// sum of products stays below 2^124.
#define DUET_PROOF_GRAPH_MAX_PRICE (INT64_C(1) << 60)

// What is known of a task. A later value is a stronger claim; none is above the guess + 1.
typedef struct duet_task_window {
    int64_t start;  // it starts no earlier
    int64_t end;    // it ends no earlier
    int64_t rest;   // from its start to the end of the schedule it is at least so long
    int64_t tail;   // from its end
    uint64_t modes; // the types that it may still run on, a bit each
} duet_task_window;

// A statement about one task. Each has its negation beside it.
typedef enum duet_task_claim {
    DUET_TASK_ON,          // it runs on the type `value`
    DUET_TASK_OFF,         // it runs on another one
    DUET_TASK_START_BY,    // it starts at `value` or before
    DUET_TASK_START_AFTER, // it starts after `value`
    DUET_TASK_END_BY,      // it ends at `value` or before
    DUET_TASK_END_AFTER,   // it ends after `value`
    DUET_TASK_CLAIMS
} duet_task_claim;

typedef struct duet_supposition {
    duet_task_claim claim;
    int64_t task;
    int64_t value;
} duet_supposition;

// The negation of a claim.
static inline duet_task_claim duet_task_claim_not(duet_task_claim claim)
{
    return (duet_task_claim)(claim ^ 1U);
}

// A window as it was before a change.
typedef struct duet_window_change {
    int64_t task;
    duet_task_window window;
} duet_window_change;

// A supposition that is open.
typedef struct duet_supposed {
    duet_supposition what;
    size_t mark; // changes before it
    bool closed; // the state around it was refuted already
} duet_supposed;

typedef struct duet_proof_graph_state {
    duet_arena arena; // It holds the arrays.
    // Limits; where the watch says stop, what is known counts for nothing. Its context has the
    // limit of memory:
    duet_watch *watch;
    // The problem:
    const duet_instance *instance;
    const duet_graph *graph; // NULL: no edges
    int64_t guess;
    int64_t tasks;
    bool timeless;          // some task takes no time on some type
    bool is_part;           // of a larger problem:
    const int64_t *release; // then of each task when it may start; NULL: at once
    int32_t *kind;          // of each task
    int32_t *order;         // the tasks in a topological order
    int32_t *place;         // of each task in it
    // What is known:
    duet_task_window *window;
    int32_t *twin_before; // of each task: one that starts no later; -1: none
    int32_t *twin_after;  // of each task: one that starts no earlier; -1: none
    bool closed;          // it contradicts itself: no schedule is within the guess
    // Suppositions:
    duet_window_change *change;
    size_t changes;
    duet_supposed *open;
    size_t depth;
    // Room for area.c, gather.c and lp.c:
    int64_t *level; // per task
    int64_t *flow;  // twice per task
    bool *marked;   // per task; all false between calls
} duet_proof_graph_state;

// The state in which nothing is known but the times. DUET_E_LIMIT, DUET_E_MEMORY, DUET_E_USAGE,
// DUET_E_CANCELLED.
// Free it whatever comes back.
duet_code duet_proof_graph_state_init(duet_proof_graph_state *state, const duet_instance *instance,
                                      int64_t guess, duet_watch *watch, duet_error *error);
void duet_proof_graph_state_free(duet_proof_graph_state *state);

// Raises a start or a tail, and draws the conclusions for the task itself. DUET_E_MEMORY.
duet_code duet_proof_graph_raise_start(duet_proof_graph_state *state, int64_t task, int64_t start,
                                       duet_error *error);
duet_code duet_proof_graph_raise_tail(duet_proof_graph_state *state, int64_t task, int64_t tail,
                                      duet_error *error);
// Leaves of its types those among `modes`, likewise.
duet_code duet_proof_graph_leave_modes(duet_proof_graph_state *state, int64_t task, uint64_t modes,
                                       duet_error *error);

// Bytes of the changes and suppositions that are open, and of what they may grow to: DUET_E_LIMIT
// where that is more than the memory.
duet_code duet_proof_graph_check_memory(const duet_proof_graph_state *state, duet_error *error);

// A task starts no earlier than its predecessors end and their data arrive, and than the twin
// before it; its tail likewise.
// O(its edges x types^2). DUET_E_MEMORY.
duet_code duet_proof_graph_path_start(duet_proof_graph_state *state, int64_t task,
                                      duet_error *error);
duet_code duet_proof_graph_path_tail(duet_proof_graph_state *state, int64_t task,
                                     duet_error *error);

// Takes two tasks for twins: they have the same times, predecessors, successors and costs. They may
// change places in a schedule, so that the one of smaller index may be taken to start no later.
// Only where no supposition is open. O(their edges). DUET_E_INPUT where they are not alike.
duet_code duet_proof_graph_twins(duet_proof_graph_state *state, int64_t first, int64_t second,
                                 duet_error *error);

// Of all schedules within the guess one may be taken whose starts have the least sum. There a task
// starts at 0, or when another one ends on its processor, or when the data of a predecessor arrive:
// raises its start to the next time at which that may be. In a part it may also start when it is
// released. O(tasks + edges of it x types^2).
// DUET_E_MEMORY.
duet_code duet_proof_graph_shift(duet_proof_graph_state *state, int64_t task, duet_error *error);

// Opens a supposition; closes the one that was opened last, and takes its negation for true.
// DUET_E_INPUT if no supposition is open or it is not refuted, DUET_E_MEMORY.
duet_code duet_proof_graph_suppose(duet_proof_graph_state *state, const duet_supposition *what,
                                   duet_error *error);
duet_code duet_proof_graph_end(duet_proof_graph_state *state, duet_error *error);

// Takes a claim for true where it follows. DUET_E_MEMORY.
duet_code duet_proof_graph_take(duet_proof_graph_state *state, const duet_supposition *what,
                                duet_error *error);
// Marks the state as it is; makes it that again. DUET_E_MEMORY.
duet_code duet_proof_graph_mark(duet_proof_graph_state *state, duet_error *error);
void duet_proof_graph_take_back(duet_proof_graph_state *state);

// Time of a task on a type; only where the type is among its modes, or was.
static inline int64_t duet_proof_graph_time(const duet_proof_graph_state *state, int64_t task,
                                            size_t type)
{
    return duet_time(state->instance, (size_t)state->kind[task], type);
}

// The shortest and the longest time over the modes left, of which there is at least one.
int64_t duet_proof_graph_shortest(const duet_proof_graph_state *state, int64_t task);
int64_t duet_proof_graph_longest(const duet_proof_graph_state *state, int64_t task);

// Whether a type is left to a task.
static inline bool duet_proof_graph_has_mode(const duet_proof_graph_state *state, int64_t task,
                                             size_t type)
{
    return (state->window[task].modes >> type & 1U) != 0;
}

// The earliest start of a task on a type that takes `time`, and the least time from there to the
// end of the schedule.
static inline int64_t duet_proof_graph_first_start(const duet_task_window *window, int64_t time)
{
    return duet_max(window->start, window->end - time);
}

static inline int64_t duet_proof_graph_least_rest(const duet_task_window *window, int64_t time)
{
    return duet_max(window->rest, window->tail + time);
}

// A price per type.
typedef struct duet_proof_graph_prices {
    int64_t price[DUET_MAX_TYPES];
} duet_proof_graph_prices;

// Adds a price to those of a line. DUET_E_INPUT where it is negative or they are 2^60 or more.
duet_code duet_proof_graph_count_price(int64_t *total, duet_int128 price, duet_error *error);

// The interval from `from` to the guess less `back`, and what a tick of each type in it is worth.
typedef struct duet_priced_interval {
    int64_t from, back;
    duet_proof_graph_prices prices;
} duet_priced_interval;

// What a tick of all processors is worth; -1 where that is DUET_PROOF_GRAPH_MAX_PRICE or above.
int64_t duet_proof_graph_supply(const duet_proof_graph_state *state,
                                const duet_proof_graph_prices *prices);

// How much of a task's time on a type is inside an interval wherever its window allows it to run.
int64_t duet_proof_graph_overlap(const duet_proof_graph_state *state, int64_t task, size_t type,
                                 const duet_priced_interval *interval);

// Closes the state where the work that cannot leave an interval is worth more than the processors'
// time in it. O(tasks x types). DUET_E_INPUT: prices that are too large.
duet_code duet_proof_graph_energy(duet_proof_graph_state *state,
                                  const duet_priced_interval *interval, duet_error *error);

// Before `task` starts, `from` has passed, then all of its ancestors that start at `from` or later
// and end `back` or more before `task` starts have run, then `back` has passed: raises its start.
// The second: its descendants, and its tail. O(tasks + edges of the ancestors + ancestors x types).
// DUET_E_INPUT, DUET_E_MEMORY.
duet_code duet_proof_graph_ancestors(duet_proof_graph_state *state, int64_t task,
                                     const duet_priced_interval *interval, duet_error *error);
duet_code duet_proof_graph_descendants(duet_proof_graph_state *state, int64_t task,
                                       const duet_priced_interval *interval, duet_error *error);

// Where data take time: `task` does not start by `by`, since on each type left what it needs by
// then would have to be made on its own processor, where the tasks that make it, and what they need
// in turn, do not fit in one after another: raises its start. With `before` false the same of its
// end and what is behind, in ticks from the end of the schedule: raises its tail. A type on which
// it starts earlier than `by` at the latest is asked about that time. O(types x (tasks + edges x
// types)). DUET_E_INPUT where it may start, DUET_E_MEMORY.
duet_code duet_proof_graph_gather(duet_proof_graph_state *state, int64_t task, int64_t by,
                                  bool before, duet_error *error);

// A number of an edge or a task.
typedef struct duet_indexed_price {
    int64_t at;
    int64_t price;
} duet_indexed_price;

// A task that adds `more` ticks where it takes at least as long as on `type`.
typedef struct duet_mixed_task {
    int64_t task;
    int64_t type;
    int64_t more;
} duet_mixed_task;

// From the end of task `from` to the start of task `to` there are at least the ticks of the row,
// and what some tasks between them add. The number of tasks stands for the beginning, or for the
// guess.
typedef struct duet_mixed_row {
    int64_t from, to;
    int64_t price;
    int64_t length;
    size_t tasks;
} duet_mixed_row;

// Makes `*cost`, to be freed, also after an error: for each task and type what these rows add where
// it runs there, times their prices. `mixed` has the tasks of all rows, one row behind the other.
// Each row must hold in every schedule within the guess: its length is no more than the longest
// path between the two, and with what the first tasks add, up to any of them, no more than the
// longest path through that one where it takes so long. Lengths above the guess are cut. O(rows x
// (edges + tasks x types)).
// DUET_E_INPUT, DUET_E_MEMORY.
duet_code duet_proof_graph_mix(const duet_proof_graph_state *state, const duet_mixed_row *rows,
                               size_t count, const duet_mixed_task *mixed, duet_int128 **cost,
                               duet_error *error);

// An edge's head starts at least `cost` ticks after its tail's end where that runs on the type and
// the head does not.
typedef struct duet_crossing {
    int64_t edge;
    int64_t type;
    int64_t cost;
    int64_t price;
} duet_crossing;

// Multipliers of the inequalities that windows, edges and processors put on a schedule.
typedef struct duet_proof_graph_multipliers {
    const duet_indexed_price *edge; // an edge's head starts after its tail ends
    size_t edges;
    const duet_indexed_price *start; // a task starts no earlier than its window says
    size_t starts;
    const duet_indexed_price *tail; // and has its tail after it
    size_t tails;
    const duet_priced_interval *interval; // the work inside fits into the processors
    size_t intervals;
    const duet_mixed_row *row; // between two tasks
    size_t rows;
    const duet_mixed_task *mixed; // of all rows
    const duet_crossing *crossing;
    size_t crossings;
} duet_proof_graph_multipliers;

// Closes the state where the weighted sum of these inequalities is a contradiction. DUET_E_INPUT
// where it is none, or the numbers are not what they should be; DUET_E_MEMORY. O(entries + tasks x
// types x (1 + intervals) + rows x (edges + tasks x types)).
duet_code duet_proof_graph_lp(duet_proof_graph_state *state,
                              const duet_proof_graph_multipliers *multipliers, duet_error *error);

// The price of a tick of a processor of a type in a cell.
typedef struct duet_cell_price {
    int64_t type;
    int64_t cell;
    int64_t price;
} duet_cell_price;

// The price of a tick in a cell at which an edge's head has started and its tail has not ended.
typedef struct duet_timed_price {
    int64_t edge;
    int64_t cell;
    int64_t price; // in units
} duet_timed_price;

// Prices over time: cell k begins at k times `width`.
typedef struct duet_timed_prices {
    int64_t width;
    int64_t unit;
    const duet_cell_price *cell;
    size_t cells;
    const duet_timed_price *edge;
    size_t edges;
    const duet_mixed_row *row; // between two tasks, with a price of every tick
    size_t rows;
    const duet_mixed_task *mixed; // of all rows
} duet_timed_prices;

// Closes the state where tasks cost more than all processors' time; narrows windows to places that
// cost no more than what is left otherwise. DUET_E_INPUT where the numbers are not what they should
// be; DUET_E_LIMIT, DUET_E_MEMORY. O(entries + tasks x types x cells).
duet_code duet_proof_graph_timed(duet_proof_graph_state *state, const duet_timed_prices *given,
                                 duet_error *error);

// Some of the tasks before `task`, or behind it, by themselves: starts, or tails, that are known of
// each are given there. If they cannot be done within `length`, `task` starts later, or has more
// than that behind it.
typedef struct duet_proof_graph_part {
    bool before;
    int64_t task;
    int64_t length;
    int32_t *member; // rising; owned
    int64_t *given;  // of each; owned
    int64_t count;
    duet_instance *instance;      // of the members
    duet_proof_graph_state state; // of them under the guess `length`
} duet_proof_graph_part;

// Makes instance and state of the part; takes what it has shown for true. O(tasks + edges) each.
// DUET_E_INPUT where members are not what they should be, or the part is not refuted;
// DUET_E_LIMIT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_proof_graph_part_open(duet_proof_graph_state *state, duet_proof_graph_part *part,
                                     duet_error *error);
duet_code duet_proof_graph_part_close(duet_proof_graph_state *state,
                                      const duet_proof_graph_part *part, duet_error *error);
void duet_proof_graph_part_free(duet_proof_graph_part *part);

// What a literal says beside claims about one task.
typedef enum duet_learned_kind {
    DUET_LEARNED_TASK,  // A claim about a task's window or type.
    DUET_LEARNED_ORDER, // One task ends before another one starts.
    DUET_LEARNED_AT,    // A task is on a processor.
    DUET_LEARNED_SAME   // Both tasks of an edge are on the same processor.
} duet_learned_kind;

// A literal of what a search learned.
typedef struct duet_learned_literal {
    duet_learned_kind kind;
    bool negated;          // Not of claims, which have their negations among them.
    duet_supposition what; // The claim.
    int64_t at;            // The place of another fact.
} duet_learned_literal;

// By which argument the state is refuted.
typedef enum duet_learned_rule_kind {
    DUET_RULE_TASK,      // Its window, type and processors contradict each other.
    DUET_RULE_EDGE,      // Data arrive too late.
    DUET_RULE_ORDER,     // A task ends too late before another one; or each is before the other.
    DUET_RULE_TWIN,      // The twin before it starts later.
    DUET_RULE_FORBIDDEN, // More tasks than their type has processors overlap.
    DUET_RULE_SHARE,     // Two tasks on a processor overlap.
    DUET_RULE_SAME,      // What is said of an edge's processors contradicts those.
    DUET_RULE_NUMBER,    // It is on a processor, and no task before it on the one before that.
    DUET_RULE_OVERLOAD,  // There is too much work in an interval.
    DUET_RULE_LOAD,      // There is too much work on one processor.
    DUET_RULE_NOGOOD,    // All literals of a nogood are false.
    DUET_RULE_KINDS
} duet_learned_rule_kind;

typedef struct duet_learned_rule {
    duet_learned_rule_kind kind;
    int64_t task;  // Or the number of an edge or a nogood.
    int64_t other; // Another task.
    int64_t type;
    int64_t processor; // Its number within the type.
    int64_t from, to;  // An interval.
    duet_proof_graph_prices prices;
    const int64_t *tasks; // Those that overlap.
    size_t count;
} duet_learned_rule;

// A fact as it was before a change.
typedef struct duet_learned_change {
    size_t at;
    unsigned char before;
} duet_learned_change;

// What a search has learned, and facts that hold in the state. Processors of a type are numbered in
// the order of their first tasks in `rank`.
typedef struct duet_learned {
    duet_proof_graph_state *state;     // borrowed
    int64_t first[DUET_MAX_TYPES + 1]; // Processors of type t are first[t] .. first[t + 1] - 1.
    int64_t *rank;                     // Per task.
    unsigned char *fact;               // 0: not known, 1: yes, 2: no.
    size_t at_facts, same_facts;       // Where the facts on processors and edges begin.
    duet_learned_change *change;       // Since the first mark.
    size_t changes;
    size_t marks;                  // That are open.
    duet_learned_literal *literal; // Of all nogoods.
    size_t literals;
    size_t *nogood; // Where each begins, and where the last one ends.
    size_t nogoods;
} duet_learned;

// No fact is known. DUET_E_LIMIT, DUET_E_MEMORY. Free it whatever comes back.
duet_code duet_learned_init(duet_learned *learned, duet_proof_graph_state *state,
                            duet_error *error);
void duet_learned_free(duet_learned *learned);

// Where the facts are.
size_t duet_learned_order(const duet_learned *learned, int64_t before, int64_t after);
size_t duet_learned_at(const duet_learned *learned, int64_t task, int64_t type, int64_t processor);
size_t duet_learned_same(const duet_learned *learned, int64_t edge);

duet_learned_literal duet_learned_not(duet_learned_literal literal);
// Takes a literal for true; one that is false closes the state. DUET_E_MEMORY.
duet_code duet_learned_take(duet_learned *learned, const duet_learned_literal *literal,
                            duet_error *error);
// Marks the state and the facts as they are; makes them that again. Marks may be in marks.
// DUET_E_MEMORY.
duet_code duet_learned_mark(duet_learned *learned, size_t *mark, duet_error *error);
void duet_learned_take_back(duet_learned *learned, size_t mark);

// Whether the state is refuted by an argument, or is anyhow. O(that argument).
bool duet_learned_refutes(const duet_learned *learned, const duet_learned_rule *rule);

// Reads what stands behind "chains", up to its "end": windows between tasks of a path, and a tree
// of cases that refutes the state. Returns the number of lines; the first failure stands in `text`.
int64_t duet_proof_graph_read_chains(duet_proof_text *text, duet_proof_graph_state *state);

// Closes the state where a dynamic program over ideals, in which no more than `most` states of a
// number of tasks are left, finds no schedule within the guess. Its bounds are paths, and work at
// these prices. Not in a part. DUET_E_INPUT where it finds one, or the graph or the number of
// states is too large; DUET_E_LIMIT, DUET_E_MEMORY.
duet_code duet_proof_graph_ideals(duet_proof_graph_state *state, int64_t most,
                                  const duet_proof_graph_prices *prices, duet_error *error);

// Reads what a search has learned, from behind the word "learn" to its "end", by which the state
// is refuted. The first failure stands in `text`. How many lines there were.
int64_t duet_learned_read(duet_proof_text *text, duet_proof_graph_state *state);

// What a proof had.
typedef struct duet_proof_graph_counts {
    int64_t suppositions;
    int64_t lines;
    int64_t depth;
} duet_proof_graph_counts;

// Reads what stands behind the header "graph": the numbers of tasks and edges, which are these. The
// first failure stands in `text`.
void duet_proof_graph_read_size(duet_proof_text *text, int64_t tasks, int64_t edges);

// Reads the rest of a proof, from behind these numbers on, that no schedule is within `guess`.
// The first failure stands in `text`; one that the watch asks for may not.
void duet_proof_graph_read_proof(duet_proof_text *text, const duet_instance *instance,
                                 int64_t guess, duet_watch *watch, duet_proof_graph_counts *counts);

#endif
