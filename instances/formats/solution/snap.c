// SPDX-License-Identifier: Apache-2.0
// Starts and ends that are rounded. Other software adds up times in floating point, and writes
// 0.30000000000000004 for the end of a task of 0.1 behind one of 0.2. What it says may be off by
// 10^-9 of the makespan: starts that are all so near to a tick are rounded to it, and a task that
// then begins a little before it may is moved to the right, in the order of the starts, as far as
// that tolerance goes. The checker judges what comes out.
#include "instances/formats/solution/reader.h"

#include <stdlib.h>

#include "core/instance/graph.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Processors that every entry has all of or none of.
typedef struct block {
    int32_t type;
    int32_t first;
    duet_int128 free_at;
} block;

enum { BLOCK = 4, ENTRY = 256 }; // units of work

// An entry in the order in which entries are passed.
typedef struct passed {
    duet_int128 start, end;
    int64_t depth; // edges on the longest path before it
    int64_t task;
    bool complete; // not aborted
    size_t entry;
} passed;

typedef struct snapping {
    duet_solution_reader *reader;
    const duet_graph *graph; // NULL where tasks are independent
    block *block;
    size_t blocks;
    passed *order;
    duet_int128 *end;  // per task: of what was passed of it; DUET_NO_LENGTH: nothing
    int64_t *entry_of; // per task: its complete entry that was passed, -1: none. Of a graph alone
} snapping;

static int by_processor(const void *left, const void *right)
{
    const duet_schedule_entry *a = left;
    const duet_schedule_entry *b = right;
    int order = duet_order(a->type, b->type);
    order = order != 0 ? order : duet_order(a->processor, b->processor);
    order = order != 0 ? order : duet_order(a->line, b->line);
    return order != 0 ? order : duet_order(a->column, b->column);
}

void duet_schedule_sort(duet_solution_reader *reader)
{
    if (reader->entries > 0) {
        qsort(reader->entry, reader->entries, sizeof *reader->entry, by_processor);
    }
}

// --- steps 1 and 2: what the file says -----------------------------------------------------------

static duet_int128 length_of(const duet_solution_reader *reader, const duet_schedule_entry *entry)
{
    duet_int128 length = duet_schedule_entry_length(reader, entry);
    return length == DUET_NO_LENGTH ? 0 : length; // the checker refuses what is forbidden
}

// An entry without a start follows the one before it on its processor, in the order of the file, as
// soon as its task and the processor are there.
static void say_starts(duet_solution_reader *reader)
{
    bool all = true;
    for (size_t i = 0; i < reader->entries; i++) {
        all = all && (reader->entry[i].given & DUET_ENTRY_START) != 0;
    }
    if (all) {
        return;
    }
    duet_schedule_sort(reader);
    for (size_t i = 0; i < reader->entries; i++) {
        duet_schedule_entry *entry = &reader->entry[i];
        bool follows =
            i > 0 && entry[-1].type == entry->type && entry[-1].processor == entry->processor;
        if ((entry->given & DUET_ENTRY_START) == 0) {
            duet_int128 there = duet_schedule_entry_available(reader, entry);
            entry->start = follows ? entry[-1].start + length_of(reader, entry - 1) : 0;
            entry->start = duet_max(there, entry->start);
        }
    }
}

void duet_schedule_find_tolerance(duet_solution_reader *reader)
{
    duet_int128 makespan = 0;
    for (size_t i = 0; i < reader->entries; i++) {
        const duet_schedule_entry *entry = &reader->entry[i];
        duet_int128 end = entry->start + length_of(reader, entry);
        makespan = !entry->aborted && end > makespan ? end : makespan;
    }
    reader->tolerance = reader->exact ? 0 : makespan / DUET_FINE_TICK; // which is 10^9
}

duet_int128 duet_schedule_round_to_tick(duet_int128 time)
{
    duet_int128 shifted = time + DUET_FINE_TICK / 2;
    duet_int128 rest = shifted % DUET_FINE_TICK;
    return shifted - (rest < 0 ? rest + DUET_FINE_TICK : rest);
}

static bool is_near_tick(const duet_solution_reader *reader, duet_int128 time)
{
    duet_int128 off = time - duet_schedule_round_to_tick(time);
    return off <= reader->tolerance && -off <= reader->tolerance;
}

// Whether all starts become whole ticks.
static bool are_whole(const duet_solution_reader *reader)
{
    bool whole = true;
    for (size_t i = 0; i < reader->entries && whole; i++) {
        const duet_schedule_entry *entry = &reader->entry[i];
        whole = is_near_tick(reader, entry->start) &&
                (!entry->aborted || is_near_tick(reader, entry->end));
    }
    return whole;
}

// --- step 3: to the right ------------------------------------------------------------------------

static int compare_blocks(const void *left, const void *right)
{
    const block *a = left;
    const block *b = right;
    return 2 * duet_order(a->type, b->type) + duet_order(a->first, b->first);
}

static duet_code make_blocks(snapping *s, duet_error *error)
{
    const duet_solution_reader *reader = s->reader;
    size_t ranges = 0;
    for (size_t i = 0; i < reader->entries; i++) {
        ranges += reader->entry[i].ranges > 0 ? reader->entry[i].ranges : 1;
    }
    s->block = duet_alloc(2 * ranges, sizeof *s->block, error);
    DUET_NEED(s->block);
    size_t ends = 0;
    for (size_t i = 0; i < reader->entries; i++) {
        duet_processor_range one;
        duet_processor_set set = duet_schedule_entry_set(reader, &reader->entry[i], &one);
        for (size_t r = 0; r < set.count; r++) {
            int32_t last = set.range[r].last;
            s->block[ends++] = (block){set.range[r].type, set.range[r].first, 0};
            s->block[ends++] = (block){set.range[r].type, last < INT32_MAX ? last + 1 : last, 0};
        }
    }
    if (ends > 0) {
        qsort(s->block, ends, sizeof *s->block, compare_blocks);
    }
    for (size_t i = 0; i < ends; i++) {
        if (s->blocks == 0 || compare_blocks(&s->block[s->blocks - 1], &s->block[i]) != 0) {
            s->block[s->blocks++] = s->block[i];
        }
    }
    return DUET_OK;
}

static size_t find_block(const snapping *s, int32_t type, int32_t first)
{
    const block key = {type, first, 0};
    const block *found = bsearch(&key, s->block, s->blocks, sizeof *s->block, compare_blocks);
    return (size_t)(found - s->block);
}

// The latest end of what was passed on the processors of an entry; and makes them busy until `end`,
// if that is later.
static duet_int128 visit(snapping *s, const duet_schedule_entry *entry, const duet_int128 *end)
{
    duet_processor_range one;
    duet_processor_set set = duet_schedule_entry_set(s->reader, entry, &one);
    duet_int128 latest = 0;
    for (size_t r = 0; r < set.count; r++) {
        size_t at = find_block(s, set.range[r].type, set.range[r].first);
        for (; at < s->blocks && s->block[at].type == set.range[r].type &&
               s->block[at].first <= set.range[r].last;
             at++) {
            block *here = &s->block[at];
            if (duet_watch_spend(&s->reader->watch, BLOCK)) {
                return latest; // and what comes of it counts for nothing
            }
            latest = duet_max(here->free_at, latest);
            here->free_at = end != NULL && *end > here->free_at ? *end : here->free_at;
        }
    }
    return latest;
}

// The latest arrival of data from predecessors that were passed.
static duet_int128 arrival(const snapping *s, const duet_schedule_entry *entry)
{
    duet_int128 latest = 0;
    for (int64_t i = s->graph->enter_at[entry->task]; i < s->graph->enter_at[entry->task + 1];
         i++) {
        int32_t edge = s->graph->entering[i];
        int64_t before = s->entry_of[s->graph->tail[edge]];
        if (before >= 0) {
            const duet_schedule_entry *from = &s->reader->entry[before];
            duet_int128 there =
                s->end[from->task] + duet_schedule_edge_time(s->reader, edge, from, entry);
            latest = duet_max(there, latest);
        }
    }
    return latest;
}

static int in_order(const void *left, const void *right)
{
    const passed *a = left;
    const passed *b = right;
    int order = duet_order(a->start, b->start);
    order = order != 0 ? order : duet_order(a->end, b->end);
    order = order != 0 ? order : duet_order(a->depth, b->depth);
    order = order != 0 ? order : duet_order(a->task, b->task);
    order = order != 0 ? order : duet_order(a->complete, b->complete);
    return order != 0 ? order : duet_order((duet_int128)a->entry, (duet_int128)b->entry);
}

// Edges on the longest path before each task.
static duet_code find_depths(const snapping *s, int64_t *depth, duet_error *error)
{
    int32_t *order = duet_graph_order(s->graph, error);
    DUET_NEED(order);
    for (int64_t i = 0; i < s->graph->tasks; i++) {
        int32_t task = order[i];
        for (int64_t at = s->graph->leave_at[task]; at < s->graph->leave_at[task + 1]; at++) {
            int64_t *next = &depth[s->graph->head[s->graph->leaving[at]]];
            *next = duet_max(depth[task] + 1, *next);
        }
    }
    duet_free(order);
    return DUET_OK;
}

static void pass(snapping *s, const passed *at, const duet_int128 *said)
{
    duet_schedule_entry *entry = &s->reader->entry[at->entry];
    duet_int128 length = length_of(s->reader, entry);
    duet_int128 earliest = visit(s, entry, NULL);
    duet_int128 available = duet_schedule_entry_available(s->reader, entry);
    earliest = duet_max(available, earliest);
    if (s->graph != NULL) {
        duet_int128 there = arrival(s, entry);
        earliest = duet_max(there, earliest);
    }
    if (!entry->aborted && s->end[entry->task] > earliest) { // of an aborted run of its own
        earliest = s->end[entry->task];
    }
    if (earliest > entry->start && earliest - said[at->entry] <= s->reader->tolerance) {
        entry->start = earliest;
        entry->end = entry->aborted ? earliest + length : entry->end;
    }
    duet_int128 end = entry->start + length;
    (void)visit(s, entry, &end);
    s->end[entry->task] = duet_max(end, s->end[entry->task]);
    if (s->graph != NULL && !entry->aborted) {
        s->entry_of[entry->task] = (int64_t)at->entry;
        s->end[entry->task] = end;
    }
}

static duet_code line_up(snapping *s, int64_t *depth, duet_error *error)
{
    const duet_solution_reader *reader = s->reader;
    DUET_TRY(s->graph == NULL ? DUET_OK : find_depths(s, depth, error));
    for (size_t i = 0; i < reader->entries; i++) {
        const duet_schedule_entry *entry = &reader->entry[i];
        s->order[i] = (passed){entry->start,
                               entry->start + length_of(reader, entry),
                               s->graph == NULL ? 0 : depth[entry->task],
                               entry->task,
                               !entry->aborted,
                               i};
    }
    if (reader->entries > 0) {
        qsort(s->order, reader->entries, sizeof *s->order, in_order);
    }
    return DUET_OK;
}

// `said`: the start of each entry in the file.
static duet_code move_right(duet_solution_reader *reader, const duet_int128 *said,
                            duet_error *error)
{
    snapping s = {.reader = reader, .graph = reader->instance->graph};
    size_t tasks = (size_t)duet_tasks(reader->instance);
    size_t of_graph = s.graph == NULL ? 0 : tasks;
    int64_t *depth = duet_alloc(of_graph, sizeof *depth, error);
    s.order = duet_alloc(reader->entries, sizeof *s.order, error);
    s.end = duet_alloc(tasks, sizeof *s.end, error);
    s.entry_of = duet_alloc(of_graph, sizeof *s.entry_of, error);
    duet_code code = depth == NULL || s.order == NULL || s.end == NULL || s.entry_of == NULL
                         ? DUET_E_MEMORY
                         : DUET_OK;
    DUET_THEN(code, make_blocks(&s, error));
    DUET_THEN(code, line_up(&s, depth, error));
    for (size_t j = 0; j < tasks && code == DUET_OK; j++) {
        s.end[j] = -1;
        if (s.graph != NULL) {
            s.entry_of[j] = -1;
        }
    }
    for (size_t i = 0; i < reader->entries && code == DUET_OK; i++) {
        pass(&s, &s.order[i], said);
        code = duet_watch_spend(&reader->watch, ENTRY) ? duet_watch_code(&reader->watch, error)
                                                       : DUET_OK;
    }
    duet_free(depth);
    duet_free(s.order);
    duet_free(s.end);
    duet_free(s.entry_of);
    duet_free(s.block);
    return code;
}

duet_code duet_schedule_snap(duet_solution_reader *reader, duet_error *error)
{
    say_starts(reader);
    duet_schedule_find_tolerance(reader);
    bool whole = are_whole(reader);
    duet_int128 *said = duet_alloc(reader->entries, sizeof *said, error);
    DUET_NEED(said);
    for (size_t i = 0; i < reader->entries; i++) {
        duet_schedule_entry *entry = &reader->entry[i];
        said[i] = entry->start;
        entry->start = whole ? duet_schedule_round_to_tick(entry->start) : entry->start;
        entry->end = whole && entry->aborted ? duet_schedule_round_to_tick(entry->end) : entry->end;
    }
    duet_code code = reader->tolerance > 0 ? move_right(reader, said, error) : DUET_OK;
    duet_free(said);
    return code;
}
