// SPDX-License-Identifier: Apache-2.0
// Starts of a task graph's schedule that says no starts: each processor runs its tasks in the order
// of the file, each task as soon as its predecessors' data are there.
//
// The entries wait for the one before them on their processor and for those of their predecessors.
// They are passed in an order in which none waits for a later one, in O(entries + edges).
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "instances/formats/solution/reader.h"

typedef struct order {
    duet_solution_reader *reader;
    const duet_graph *graph;

    // Entries, sorted by processor and line.
    int64_t *entry_of; // per task, -1 where it has none
    int64_t *waits;    // per entry: how many entries it still waits for
    int64_t *next;     // entries that wait for nothing
    size_t ready;
} order;

static bool follows(const duet_solution_reader *reader, size_t at)
{
    const duet_schedule_entry *entry = &reader->entry[at];
    return at > 0 && entry[-1].type == entry->type && entry[-1].processor == entry->processor;
}

static duet_int128 end_of(const order *o, const duet_schedule_entry *entry)
{
    const duet_instance *instance = o->reader->instance;
    size_t kind = duet_instance_kind_of(instance, entry->task);
    int64_t time = duet_time(instance, kind, (size_t)entry->type);
    return entry->start + (time == DUET_FORBIDDEN
                               ? 0
                               : time * DUET_FINE_TICK); // the checker refuses what is forbidden
}

static void count_waits(order *o)
{
    for (size_t i = 0; i < o->reader->entries; i++) {
        int64_t task = o->reader->entry[i].task;
        o->waits[i] = follows(o->reader, i);
        for (int64_t e = o->graph->enter_at[task]; e < o->graph->enter_at[task + 1]; e++) {
            o->waits[i] += o->entry_of[o->graph->tail[o->graph->entering[e]]] >= 0;
        }
        if (o->waits[i] == 0) {
            o->next[o->ready++] = (int64_t)i;
        }
    }
}

static void delay(duet_schedule_entry *entry, duet_int128 start)
{
    entry->start = duet_max(start, entry->start);
}

static void release(order *o, int64_t at)
{
    if (--o->waits[at] == 0) {
        o->next[o->ready++] = at;
    }
}

static void pass(order *o, size_t at)
{
    duet_schedule_entry *entry = &o->reader->entry[at];
    if (at + 1 < o->reader->entries && follows(o->reader, at + 1)) {
        delay(entry + 1, end_of(o, entry));
        release(o, (int64_t)at + 1);
    }
    for (int64_t e = o->graph->leave_at[entry->task]; e < o->graph->leave_at[entry->task + 1];
         e++) {
        int32_t edge = o->graph->leaving[e];
        int64_t waiting = o->entry_of[o->graph->head[edge]];
        if (waiting >= 0) {
            duet_schedule_entry *other = &o->reader->entry[waiting];
            delay(other, end_of(o, entry) + duet_schedule_edge_time(o->reader, edge, entry, other));
            release(o, waiting);
        }
    }
}

// False where a task is placed twice, which is a fault that placing them finds.
static bool index_tasks(order *o)
{
    for (int64_t j = 0; j < o->graph->tasks; j++) {
        o->entry_of[j] = -1;
    }
    for (size_t i = 0; i < o->reader->entries; i++) {
        duet_schedule_entry *entry = &o->reader->entry[i];
        if (o->entry_of[entry->task] >= 0) {
            return false;
        }
        entry->start = duet_schedule_entry_available(o->reader, entry);
        o->entry_of[entry->task] = (int64_t)i;
    }
    return true;
}

// An entry that still waits is in a circle of processors' orders and edges, or behind one.
static void blame_circle(order *o)
{
    for (size_t i = 0; i < o->reader->entries; i++) {
        if (o->waits[i] > 0) {
            const duet_schedule_entry *entry = &o->reader->entry[i];
            duet_solution_fault_at_task(
                o->reader, entry->line, entry->column, entry->task,
                "never starts in this order; expected starts, or on every processor each task "
                "behind its predecessors");
            return;
        }
    }
}

static void start_all(order *o)
{
    count_waits(o);
    for (size_t done = 0; done < o->ready; done++) {
        pass(o, (size_t)o->next[done]);
    }
    if (o->ready < o->reader->entries) {
        blame_circle(o);
    }
}

duet_code duet_solution_start_in_order(duet_solution_reader *reader, duet_error *error)
{
    order o = {.reader = reader, .graph = reader->instance->graph};
    o.entry_of = duet_alloc((size_t)o.graph->tasks, sizeof *o.entry_of, error);
    o.waits = duet_alloc(reader->entries, sizeof *o.waits, error);
    o.next = duet_alloc(reader->entries, sizeof *o.next, error);
    bool room = o.entry_of != NULL && o.waits != NULL && o.next != NULL;
    if (room && index_tasks(&o)) {
        start_all(&o);
    }
    duet_free(o.entry_of);
    duet_free(o.waits);
    duet_free(o.next);
    return room ? DUET_OK : DUET_E_MEMORY;
}
