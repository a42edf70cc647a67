// SPDX-License-Identifier: Apache-2.0
// What goes back to StarPU with a schedule, workers and tiles, and how long data take between
// these workers.
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "instances/formats/starpu/build.h"

static const char MAIN_MEMORY[] = "main memory";

// --- workers -------------------------------------------------------------------------------------

// Workers of one sort of device are taken in their order. `from`: where to look for those of the
// column's sort, behind those that columns before have taken.
static size_t cursor_of(const duet_starpu_build *b, const size_t *cursor, size_t column)
{
    for (size_t i = column; i > 0; i--) {
        if (duet_starpu_same_sort(&b->records, b->times.columns[i - 1].arch,
                                  b->times.columns[column].arch)) {
            return cursor[i - 1];
        }
    }
    return 0;
}

static bool is_of_sort(const duet_starpu_build *b, size_t node, size_t column)
{
    const char *arch = duet_names_text(&b->records.arch_names, b->times.columns[column].arch);
    size_t length = duet_starpu_sort_length(arch);
    const char *sort = b->records.memory.nodes[node].sort;
    return strlen(sort) == length && memcmp(sort, arch, length) == 0;
}

// The seats of each column, behind each other in the order of the columns; false where the file
// has others than the columns count.
static bool seat_archs(const duet_starpu_build *b, const duet_starpu_seat *seats, size_t *cursor,
                       duet_starpu_seat *taken)
{
    size_t count = b->records.memory.worker_count;
    size_t at = 0;
    for (size_t i = 0; i < b->times.column_count; i++) {
        size_t from = cursor_of(b, cursor, i);
        for (int64_t w = 0; w < b->times.columns[i].workers; w++) {
            while (from < count && !is_of_sort(b, seats[from].node, i)) {
                from++;
            }
            if (from == count) {
                return false;
            }
            taken[at++] = seats[from++];
        }
        cursor[i] = from;
    }
    return true;
}

// Estimates are in the order of the workers, which are numbered from 0.
static bool seat_workers(const duet_starpu_build *b, const duet_starpu_seat *seats,
                         duet_starpu_seat *taken)
{
    size_t count = b->records.memory.worker_count;
    for (size_t i = 0; i < b->times.column_count; i++) {
        if (i >= count || seats[i].worker != (int64_t)i) {
            return false;
        }
        taken[i] = seats[i];
    }
    return true;
}

static duet_code keep_workers(const duet_starpu_build *b, const duet_starpu_seat *taken,
                              size_t total, duet_origin *origin)
{
    size_t at = 0;
    origin->worker = duet_alloc(total, sizeof *origin->worker, b->error);
    origin->node = duet_alloc(total, sizeof *origin->node, b->error);
    DUET_NEED(origin->worker != NULL && origin->node != NULL);
    for (size_t type = 0; type < b->types; type++) {
        size_t before = 0;
        size_t group = b->order[type];
        origin->worker_first[type] = at;
        for (size_t i = 0; i < b->first[group]; i++) {
            before += (size_t)b->times.columns[i].workers;
        }
        for (size_t i = b->first[group]; i < b->first[group + 1]; i++) {
            for (int64_t w = 0; w < b->times.columns[i].workers; w++, before++, at++) {
                origin->worker[at] = taken[before].worker;
                origin->node[at] = b->records.memory.nodes[taken[before].node].number;
            }
        }
    }
    origin->worker_first[b->types] = at;
    return DUET_OK;
}

duet_code duet_starpu_place_workers(const duet_starpu_build *b, duet_origin *origin)
{
    const duet_starpu_memory *memory = &b->records.memory;
    size_t total = 0;
    for (size_t i = 0; i < b->times.column_count; i++) {
        int64_t workers = b->times.columns[i].workers;
        total += workers < 0 ? memory->worker_count + 1 : (size_t)workers;
        if (total > memory->worker_count) {
            return DUET_OK; // the file does not say of all where they are
        }
    }
    duet_starpu_seat *seats = duet_starpu_seats(memory, b->error);
    duet_starpu_seat *taken = duet_alloc(total, sizeof *taken, b->error);
    size_t *cursor = duet_alloc(b->times.column_count, sizeof *cursor, b->error);
    duet_code code = seats == NULL || taken == NULL || cursor == NULL ? DUET_E_MEMORY : DUET_OK;
    if (code == DUET_OK) {
        bool seated = b->times.by_worker ? seat_workers(b, seats, taken)
                                         : seat_archs(b, seats, cursor, taken);
        code = seated && total > 0 ? keep_workers(b, taken, total, origin) : DUET_OK;
    }
    duet_free(seats);
    duet_free(taken);
    duet_free(cursor);
    return code;
}

// --- data ----------------------------------------------------------------------------------------

// How many workers of each type use each node, types x nodes. The caller's.
static int64_t *count_workers(const duet_starpu_build *b, const duet_origin *origin)
{
    const duet_starpu_memory *memory = &b->records.memory;
    size_t nodes = memory->node_count;
    int64_t *counts = duet_alloc(b->types * nodes, sizeof *counts, b->error);
    for (size_t i = 0; counts != NULL && i < b->types * nodes; i++) {
        counts[i] = 0;
    }
    for (size_t type = 0; counts != NULL && type < b->types; type++) {
        for (size_t i = origin->worker_first[type]; i < origin->worker_first[type + 1]; i++) {
            size_t node = 0;
            while (memory->nodes[node].number != origin->node[i]) {
                node++;
            }
            counts[type * nodes + node]++;
        }
    }
    return counts;
}

static duet_code set_transfer(const duet_starpu_build *b, const duet_origin *origin)
{
    size_t cells = b->types * b->types;
    int64_t *counts = count_workers(b, origin);
    duet_read_time *times = duet_alloc(2 * cells, sizeof *times, b->error);
    const duet_read_transfer transfer = {.latency = times,
                                         .latency_count = cells,
                                         .per_unit = times + cells,
                                         .per_unit_count = cells};
    duet_code code = counts == NULL || times == NULL ? DUET_E_MEMORY : DUET_OK;
    DUET_THEN(code,
              duet_starpu_transfer(&b->records.memory, b->reading->merged == DUET_MERGED_LEAST,
                                   b->types, counts, times, times + cells, b->error));
    DUET_THEN(code, duet_builder_set_transfer(b->builder, &transfer, b->error));
    duet_free(counts);
    duet_free(times);
    return code;
}

// A task of no time on a CPU, from which all data come that no task has written.
static duet_code add_main_memory(duet_starpu_build *b)
{
    duet_read_time times[DUET_MAX_TYPES];
    for (size_t type = 0; type < b->types; type++) {
        times[type] = (duet_read_time){.forbidden = type > 0};
    }
    const duet_read_kind kind = {.id = MAIN_MEMORY,
                                 .id_length = strlen(MAIN_MEMORY),
                                 .count = 1,
                                 .times = times,
                                 .time_count = b->types};
    return duet_builder_add_kind(b->builder, &kind, b->error);
}

// Whether the first type has CPUs, which are where main memory is.
static bool has_cpus(const duet_starpu_build *b)
{
    int64_t workers = 0;
    for (size_t i = b->first[b->order[0]]; i < b->first[b->order[0] + 1]; i++) {
        size_t arch = b->times.columns[i].arch;
        bool cpu = arch == DUET_STARPU_NONE ||
                   memcmp(duet_names_text(&b->records.arch_names, arch), "cpu", 3) == 0;
        workers += cpu ? b->times.columns[i].workers : 0;
    }
    return workers > 0;
}

// Data from main memory, where no CPU could have them, cost nothing.
static void forget_first_reads(duet_starpu_flows *flows)
{
    flows->first_reads = false;
    for (size_t i = 0; i < flows->count; i++) {
        flows->flow[i].joined = flows->flow[i].joined || flows->flow[i].from == DUET_STARPU_NONE;
    }
}

duet_code duet_starpu_set_data(duet_starpu_build *b, const duet_origin *origin)
{
    const duet_reading *asked = b->reading;
    bool timed = origin->worker != NULL && b->records.memory.link_count > 0;
    if (asked->drop != DUET_DROP_NOTHING || asked->other != DUET_OTHER_NONE || b->types < 2 ||
        b->records.access_count == 0 || (!timed && !asked->transfer)) {
        return DUET_OK;
    }
    DUET_TRY(duet_starpu_find_flows(&b->records, &b->flows, b->error));
    b->data = b->flows.count > 0;
    if (b->data && timed) {
        DUET_TRY(set_transfer(b, origin));
    }
    if (!has_cpus(b)) {
        forget_first_reads(&b->flows);
    }
    return b->data && b->flows.first_reads ? add_main_memory(b) : DUET_OK;
}

// --- tiles ---------------------------------------------------------------------------------------

duet_code duet_starpu_set_tiles(const duet_starpu_build *b, const int64_t *number,
                                duet_origin *origin)
{
    const duet_starpu_records *records = &b->records;
    duet_starpu_flows own = {.first_reads = false};
    const duet_starpu_flows *flows = &b->flows;
    duet_code code = DUET_OK;
    if (records->access_count == 0 || origin->worker == NULL) {
        return DUET_OK;
    }
    if (flows->tile == NULL) {
        code = duet_starpu_find_flows(records, &own, b->error);
        flows = &own;
    }
    size_t tasks = records->task_count + (b->data && b->flows.first_reads);
    origin->tile = code == DUET_OK ? duet_alloc(tasks, sizeof *origin->tile, b->error) : NULL;
    for (size_t i = 0; origin->tile != NULL && i < tasks; i++) {
        bool task = i < records->task_count;
        size_t from = task ? flows->tile[i].from : DUET_STARPU_NONE;
        origin->tile[number[i]] = (duet_origin_tile){task ? flows->tile[i].parameter : -1,
                                                     from == DUET_STARPU_NONE ? -1 : number[from]};
    }
    duet_starpu_free_flows(&own);
    return code == DUET_OK && origin->tile == NULL ? DUET_E_MEMORY : code;
}
