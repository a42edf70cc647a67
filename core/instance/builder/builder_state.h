// SPDX-License-Identifier: Apache-2.0
// Inside of a builder of instances (core/instance/instance.h): what its parts share.
//
// claims.c, platform.c, kinds.c, edges.c, costs.c: what is read, checked piece by piece.
// other_time.c: times on a second type. speeds.c: on processors of several speeds. digits.c: times
// of fewer digits. rigid.c: tasks of one size. moldable.c: tables, laws and links of moldable
// tasks; moldable_finish.c: these in ticks; moldable_data.c: the data of their edges.
// law_kinds.c: kinds of one law. ids.c, times.c: checks of the whole. available.c: releases and
// busy processors. deadlines.c: those of tasks. moments.c: both as days and times of day. groups.c:
// what the input calls them together. builder.c: creation, names, and the instance at the end.
// describe.c, describe_parts.c, describe_moldable.c: from arrays.
#ifndef DUET_CORE_INSTANCE_BUILDER_BUILDER_STATE_H
#define DUET_CORE_INSTANCE_BUILDER_BUILDER_STATE_H

#include <stdbool.h>

#include <duet/moldable.h>

#include "core/instance/instance.h"
#include "core/instance/moment.h"
#include "core/names.h"

// What edges cost, as read: many edges share one.
typedef struct duet_builder_cost {
    duet_read_cost_form form;
    size_t first; // value, of `count`
    size_t count;
    int64_t edges; // that cost this
    int line;      // of the first of them
} duet_builder_cost;

// Where something stands in the file; 0: not known.
typedef struct duet_builder_spot {
    int32_t line, column;
} duet_builder_spot;

// Until when a processor is busy, as read.
typedef struct duet_builder_busy {
    size_t type;
    duet_read_time until;
} duet_builder_busy;

// A release or a deadline that is a moment, as read.
typedef struct duet_builder_moment {
    size_t kind;
    bool deadline; // else a release
    duet_moment moment;
} duet_builder_moment;

// How far times are rounded to ticks.
typedef struct duet_builder_rounding {
    size_t times;         // that were scaled
    size_t rounded;       // of these
    duet_uint128 largest; // error, in units of 10^-DUET_DECIMAL_MOST_PLACES
} duet_builder_rounding;

// What a task runtime has said of the instance; see origin.c.
typedef struct duet_builder_told {
    bool given;
    bool dependent;
    duet_names kinds; // of whose tasks it says the order of submission
    size_t *first;    // per name, in `order`
    int64_t *order;
    size_t orders;
    int64_t *worker; // those of the first type, of the second, ...
    size_t workers;
    size_t worker_first[DUET_MAX_TYPES]; // per type
    size_t types;
} duet_builder_told;

// What the reader asks of the builder.
typedef struct duet_builder_wants {
    bool exact;      // times that must be rounded are refused
    bool drop_edges; // edges are counted and left out
    bool gpu_time;   // where a kind has one time it is a GPU's
} duet_builder_wants;

// Edges that stand twice.
typedef enum duet_builder_doubles {
    DUET_DOUBLES_REFUSED,
    DUET_DOUBLES_WITHOUT_COST, // Those without a cost are one.
    DUET_DOUBLES_LARGEST       // All are one, of the largest cost.
} duet_builder_doubles;

// How the input says what times data take.
typedef enum duet_transfer_form {
    DUET_TRANSFER_UNSAID,
    DUET_TRANSFER_BY_TYPES, // by a latency and a time per unit for some pairs of types
    DUET_TRANSFER_UNIFORM   // by one of each for all pairs
} duet_transfer_form;

struct duet_builder {
    // Inputs.
    const char *file;        // for messages
    duet_instance *instance; // filled as we go; kinds and first[] only at the end

    // What is asked for, and what is known.
    const struct duet_context *limits; // of the time that it may take; NULL: none
    duet_builder_wants wants;
    int room;          // times that are rounded have in 2^62 ticks; 0: 1
    int digits;        // significant ones that times keep; 0: all
    bool counts_known; // of processors
    bool one_column;   // all kinds so far follow a law, and the types are not known
    duet_transfer_form transfer_form;

    // Kinds, an entry each.
    size_t kinds;
    int64_t tasks; // of all of them
    int64_t *count;
    int32_t *line;

    // Their times, kinds x times_per_kind.
    size_t times_per_kind; // of the first kind; 0 before it
    int64_t *mantissa;     // DUET_FORBIDDEN where it cannot run
    uint8_t *places;       // decimal places and tail of a time; see duet_builder_time()

    // Their ids, one after another, each with its final NUL.
    char *ids;
    size_t ids_used;

    // Their index, as far as edges have asked for it.
    duet_name_index index;
    size_t indexed;      // kinds in it
    int64_t *first_task; // of these
    int64_t first_next;  // of the kind that comes next

    // Edges, an entry each. An end below 0 is a task that was not known yet: the text that begins
    // at -1 - end in `later`, behind a byte that says whether it may be a list.
    const char *expected_end; // for messages; NULL: the id of a task
    char end_advice[200];     // behind it, where such a task is unknown
    int64_t dropped;
    size_t edges;
    int64_t *from;
    int64_t *to;
    uint32_t *edge_cost; // 0: none
    duet_builder_spot *edge_at;
    char *later;
    size_t later_used;
    size_t later_last; // where the last one begins
    bool lists;        // there is one
    duet_builder_doubles doubles;

    // What they cost. Entry 0 is no cost.
    duet_builder_cost *cost;
    size_t costs;
    duet_read_time *value; // of the entries
    size_t values;
    duet_names cost_names; // an entry's values as text, to find it again
    duet_read_time *cell;  // of the tables that they make: costs x types x types
    // How data become times: latency, then time per unit, types x types values each.
    duet_read_time *transfer;
    size_t latency_count, per_unit_count;
    int transfer_line, transfer_column;
    // Or one value each, which come first.
    duet_read_time uniform_latency, uniform_per_unit;

    // Moldable tasks: NULL where nothing says anything of them.
    struct duet_builder_moldable *moldable;

    duet_builder_told told;

    // On how many processors the first kinds run, each task at once; the others on one.
    int64_t *cores;
    size_t sized;
    // Releases of the first kinds, those of the others are 0; busy processors, in the order of each
    // type.
    duet_read_time *release;
    size_t released;
    duet_decimal *deadline; // of the first kinds; the others have none
    size_t deadlines;
    duet_builder_spot start;     // of a start that the file says; line 0: it says none
    duet_builder_moment *moment; // of both, until it is known what time 0 is
    size_t moments;
    size_t numbers[2]; // releases and deadlines, as read beside moments, that are numbers above 0
    int64_t day_number[2];  // the first of them, where it may be meant as a day; 0: it may not
    duet_decimal *priority; // of the first kinds; the others have 0
    size_t priorities;
    uint32_t *group; // of the first kinds, as the instance has it
    size_t grouped;
    duet_builder_busy *busy;
    size_t busy_count;

    // Claim.
    int claim_line, claim_column;
    int claim_places; // decimal places of its times
};

// Places and tail share a byte: there may be millions of them.
enum { DUET_BUILDER_PLACES = 64 };

static inline uint8_t duet_builder_pack_places(int places, duet_decimal_tail tail)
{
    return (uint8_t)(places + DUET_BUILDER_PLACES * (int)tail);
}

// Time `at` as it was read; its mantissa is DUET_FORBIDDEN where the kind cannot run.
static inline duet_decimal duet_builder_time(const duet_builder *builder, size_t at,
                                             duet_decimal_tail *tail)
{
    *tail = (duet_decimal_tail)(builder->places[at] / DUET_BUILDER_PLACES);
    return (duet_decimal){builder->mantissa[at], builder->places[at] % DUET_BUILDER_PLACES};
}

// Errors of all: DUET_E_INPUT with the place in the file; DUET_E_MEMORY.

// origin.c: what a runtime has said becomes the instance's origin.
duet_code duet_builder_take_told(duet_builder *builder, duet_error *error);
void duet_builder_free_told(duet_builder *builder);

// claims.c

// A claim is about one platform.
duet_code duet_builder_check_claim(duet_builder *builder, duet_error *error);
// Leaves the claim out, with a notice, where times are not what was read. Does nothing without a
// claim.
duet_code duet_builder_drop_claim(duet_builder *builder, duet_error *error);
// Turns its times into ticks of a scale.
duet_code duet_builder_scale_claim(duet_builder *builder, int decimals, duet_error *error);

// digits.c

// Rounds all times, costs and latencies to as many significant digits as are wanted, halves up.
// What is rounded gets a notice.
duet_code duet_builder_round_digits(duet_builder *builder, duet_error *error);

// rigid.c

// Gives the kinds that run on several processors tables of that size alone.
duet_code duet_builder_make_rigid(duet_builder *builder, duet_error *error);

// platform.c

// The types are there, as many as times per kind, with some processor if their counts are known.
// Without types, the default ones are added.
duet_code duet_builder_check_platform(duet_builder *builder, duet_error *error);

// available.c

// No type has more entries than processors, if these are known.
duet_code duet_builder_check_busy(duet_builder *builder, duet_error *error);
// The most decimal places of a release or a busy time, or `most` where that is more.
int duet_builder_available_places(const duet_builder *builder, int most);
// The latest of them in ticks of that many places; false where it is too late.
bool duet_builder_latest(const duet_builder *builder, int decimals, int64_t *latest);
// How ticks are made of what is read.
typedef enum duet_builder_scale {
    DUET_SCALE_EXACTLY, // they are whole
    DUET_SCALE_ROUNDED, // to the nearest
    DUET_SCALE_RAISED   // to the next
} duet_builder_scale;
// Turns them into ticks, in the instance.
duet_code duet_builder_scale_available(duet_builder *builder, duet_builder_scale how,
                                       duet_builder_rounding *rounding, duet_error *error);

// moments.c

// Turns moments into times from the start on, as releases and deadlines.
duet_code duet_builder_tell_moments(duet_builder *builder, duet_error *error);

// deadlines.c

// Hands the deadlines and the priorities over to the instance.
duet_code duet_builder_keep_deadlines(duet_builder *builder, duet_error *error);

// groups.c

// Hands the groups over to the instance.
duet_code duet_builder_keep_groups(duet_builder *builder, duet_error *error);

// ids.c

// No two tasks have the same id.
duet_code duet_builder_check_ids(duet_builder *builder, duet_error *error);
// Looks for the task of that id among the kinds so far; -1: there is none. Else the task's number,
// or -2 where the id is that of a kind of several tasks.
duet_code duet_builder_find_task(duet_builder *builder, const char *id, size_t length,
                                 int64_t *task, duet_error *error);

// edges.c

// Every edge joins two tasks. Makes the graph, without its rows.
duet_code duet_builder_join_edges(duet_builder *builder, duet_error *error);
// Leaves out edges of the same ends as others, where they may stand twice (doubles.c).
duet_code duet_builder_merge_doubles(duet_builder *builder, duet_graph *graph, duet_error *error);
// Makes the rows. No edge stands twice, and there is no cycle.
duet_code duet_builder_check_graph(duet_builder *builder, duet_error *error);

// costs.c

// The number of what an edge costs, as read.
duet_code duet_builder_add_cost(duet_builder *builder, const duet_read_edge *edge, uint32_t *number,
                                duet_error *error);
// The tables of all that edges cost, not scaled yet.
duet_code duet_builder_make_tables(duet_builder *builder, duet_error *error);
// The most decimal places of a cost, or `most` where that is more.
int duet_builder_cost_places(const duet_builder *builder, int most);
// The highest costs of all edges in ticks of that many places; false where they are too much.
bool duet_builder_cost_work(const duet_builder *builder, int decimals, duet_uint128 *work);
// Turns the tables into ticks; drops them where they are all 0.
duet_code duet_builder_scale_costs(duet_builder *builder, bool exact,
                                   duet_builder_rounding *rounding, duet_error *error);
void duet_builder_free_costs(duet_builder *builder);

// moldable.c

// Notes the tables and laws of a kind that is about to be added; NULL: it has none.
duet_code duet_builder_add_tables(duet_builder *builder, const duet_read_kind *kind,
                                  const duet_read_table *tables, duet_error *error);
// What is said of moldable tasks where none is, is left out with a notice.
duet_code duet_builder_drop_moldable(duet_builder *builder, duet_error *error);
void duet_builder_free_moldable(duet_builder *builder);

// law_kinds.c

// Gives kinds of one column as many as there are types.
duet_code duet_builder_widen(duet_builder *builder, size_t types, duet_error *error);

// describe_parts.c

// The edges of a description, and what they cost by types.
duet_code duet_builder_describe_edges(duet_builder *builder, const duet_instance_desc *desc,
                                      duet_error *error);
// The release of the kind that was added last, number `kind` of a description.
duet_code duet_builder_describe_release(duet_builder *builder, const duet_instance_desc *desc,
                                        size_t kind, duet_error *error);

// describe_moldable.c

// The links, the network, the kinds and the edges of a description of moldable tasks, whose types
// are there.
duet_code duet_builder_describe_moldable(duet_builder *builder, const duet_instance_desc *desc,
                                         duet_error *error);

// moldable_data.c

// Whether edges have costs by types, or data take times by types.
bool duet_builder_has_costs(const duet_builder *builder);
// Refuses them beside a network and mixed sets.
duet_code duet_builder_check_costs(duet_builder *builder, duet_error *error);
// The data of all edges, in place of tables of costs.
duet_code duet_builder_make_data(duet_builder *builder, duet_error *error);

// moldable_finish.c

// No table is longer than there are processors; types and laws get their numbers.
duet_code duet_builder_check_tables(duet_builder *builder, duet_error *error);
// As duet_builder_scale_times(): times go up to the next tick, which a law or a `tick` may fix.
duet_code duet_builder_scale_moldable(duet_builder *builder, int most_places, duet_error *error);
// The tables of laws and what data take, in the finished instance.
duet_code duet_builder_fit_moldable(duet_builder *builder, duet_error *error);

// times.c

// Turns mantissas into ticks of the common scale, in place. What must be rounded gets a notice.
duet_code duet_builder_scale_times(duet_builder *builder, duet_error *error);
// The longest allowed times of all tasks must add up to at most DUET_MAX_WORK.
duet_code duet_builder_check_work(duet_builder *builder, duet_error *error);

// quoted_ids.c
// Whether the text is one or more texts in quotes, single or double, with commas between them.
bool duet_is_quoted_ids(const char *text);

// The next of these without its quotes and escapes, which are replaced in the text; NULL: there is
// none. `*at` goes on behind it.
char *duet_next_quoted_id(char **at);

#endif
