// SPDX-License-Identifier: Apache-2.0
// A copy of an instance, or of some of its tasks, in which kinds may be divided.
#include "core/instance/pick.h"

#include <string.h>

#include "core/instance/available.h"
#include "core/instance/moldable.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

// What is being made.
typedef struct picking {
    const duet_instance *from;
    const duet_pick *pick;
    size_t kinds;
    duet_instance *to;
    int32_t *number; // of a task of `from`, from 1 on; 0: it is left out; NULL without edges
    int64_t *edge;   // of `from`, those that stay
    int64_t edges;
} picking;

// A copy of a block of this library; NULL with DUET_E_MEMORY where there is no room, or there is
// none.
static void *copy_block(const void *block, duet_error *error)
{
    size_t bytes = block == NULL ? 0 : duet_vec_bytes(block);
    void *copy = block == NULL ? NULL : duet_alloc_raw(bytes, 1, error);
    if (copy != NULL) {
        memcpy(copy, block, bytes);
    }
    return copy;
}

// Puts a copy of a block into the place of the pointer to it.
#define DUET_OWN(block, error)                                                                     \
    do {                                                                                           \
        void *duet_copy = copy_block(block, error);                                                \
        bool duet_lacks = duet_copy == NULL && (block) != NULL;                                    \
        (block) = duet_copy;                                                                       \
        DUET_NEED(!duet_lacks);                                                                    \
    } while (0)

static bool is_whole(const picking *p, size_t at)
{
    size_t kind = duet_instance_kind_of(p->from, p->pick[at].first);
    return p->pick[at].count == duet_count(p->from, kind);
}

// --- kinds ---------------------------------------------------------------------------------------

static duet_code copy_ids(picking *p, duet_error *error)
{
    duet_instance *to = p->to;
    size_t used = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t size = used;
        used = 0;
        if (pass == 1) {
            to->ids = duet_alloc_raw(size, 1, error);
            DUET_NEED(to->ids);
        }
        for (size_t i = 0; i < p->kinds; i++) {
            size_t kind = duet_instance_kind_of(p->from, p->pick[i].first);
            const char *id = duet_instance_kind_id(p->from, kind);
            size_t length = is_whole(p, i)
                                ? strlen(id)
                                : duet_instance_task_id(p->from, p->pick[i].first, NULL, 0);
            if (pass == 1 && is_whole(p, i)) {
                memcpy(to->ids + used, id, length + 1);
            } else if (pass == 1) {
                duet_instance_task_id(p->from, p->pick[i].first, to->ids + used, length + 1);
            }
            to->id_at[i] = used;
            used += length + 1;
        }
    }
    return DUET_OK;
}

static duet_code copy_kinds(picking *p, duet_error *error)
{
    const duet_instance *from = p->from;
    duet_instance *to = p->to;
    size_t types = from->types;
    to->kinds = p->kinds;
    to->first = duet_alloc(p->kinds + 1, sizeof *to->first, error);
    to->times = duet_alloc_raw(p->kinds * types, sizeof *to->times, error);
    to->id_at = duet_alloc_raw(p->kinds, sizeof *to->id_at, error);
    DUET_NEED(to->first != NULL && to->times != NULL && to->id_at != NULL);
    if (from->release != NULL) {
        to->release = duet_alloc(p->kinds, sizeof *to->release, error);
        DUET_NEED(to->release);
    }
    if (from->deadline != NULL) {
        to->deadline = duet_alloc(p->kinds, sizeof *to->deadline, error);
        DUET_NEED(to->deadline);
    }
    if (from->priority != NULL) {
        to->priority = duet_alloc(p->kinds, sizeof *to->priority, error);
        DUET_NEED(to->priority);
    }
    for (size_t i = 0; i < p->kinds; i++) {
        size_t kind = duet_instance_kind_of(from, p->pick[i].first);
        to->first[i + 1] = to->first[i] + p->pick[i].count;
        memcpy(to->times + i * types, from->times + kind * types, types * sizeof *to->times);
        if (from->release != NULL) {
            to->release[i] = from->release[kind];
        }
        if (from->deadline != NULL) {
            to->deadline[i] = from->deadline[kind];
        }
        if (from->priority != NULL) {
            to->priority[i] = from->priority[kind];
        }
    }
    return copy_ids(p, error);
}

// --- edges ---------------------------------------------------------------------------------------

static duet_code find_edges(picking *p, duet_error *error)
{
    const duet_graph *graph = p->from->graph;
    p->number = duet_alloc((size_t)graph->tasks, sizeof *p->number, error);
    p->edge = duet_alloc_raw((size_t)graph->edges, sizeof *p->edge, error);
    DUET_NEED(p->number != NULL && p->edge != NULL);
    int32_t next = 0;
    for (size_t i = 0; i < p->kinds; i++) {
        for (int64_t j = 0; j < p->pick[i].count; j++) {
            p->number[p->pick[i].first + j] = ++next;
        }
    }
    for (int64_t e = 0; e < graph->edges; e++) {
        if (p->number[graph->tail[e]] > 0 && p->number[graph->head[e]] > 0) {
            p->edge[p->edges++] = e;
        }
    }
    return DUET_OK;
}

static bool costs_some(const picking *p)
{
    const duet_graph *graph = p->from->graph;
    bool some = false;
    for (int64_t i = 0; graph->transfer != NULL && i < p->edges && !some; i++) {
        const int64_t *costs = duet_graph_costs(graph, p->edge[i]);
        for (size_t at = 0; at < graph->types * graph->types && !some; at++) {
            some = costs[at] > 0;
        }
    }
    return some;
}

static duet_code copy_graph(picking *p, duet_error *error)
{
    const duet_graph *from = p->from->graph;
    if (from == NULL) {
        return DUET_OK;
    }
    DUET_TRY(find_edges(p, error));
    if (p->edges == 0) {
        return DUET_OK;
    }
    duet_graph *to = duet_alloc(1, sizeof *to, error);
    DUET_NEED(to);
    p->to->graph = to;
    to->tasks = p->to->first[p->kinds];
    to->edges = p->edges;
    to->types = from->types;
    to->tail = duet_alloc_raw((size_t)p->edges, sizeof *to->tail, error);
    to->head = duet_alloc_raw((size_t)p->edges, sizeof *to->head, error);
    DUET_NEED(to->tail != NULL && to->head != NULL);
    if (costs_some(p)) {
        to->transfer = duet_alloc_raw((size_t)p->edges, sizeof *to->transfer, error);
        DUET_NEED(to->transfer);
        to->tables = from->tables;
        to->cost = from->cost;
        DUET_OWN(to->cost, error);
        DUET_TRY(duet_copy_amounts(from, to, error));
    }
    for (int64_t i = 0; i < p->edges; i++) {
        int64_t e = p->edge[i];
        to->tail[i] = p->number[from->tail[e]] - 1;
        to->head[i] = p->number[from->head[e]] - 1;
        if (to->transfer != NULL) {
            to->transfer[i] = from->transfer[e];
        }
    }
    return duet_graph_make_rows(to, error);
}

// --- moldable tasks ------------------------------------------------------------------------------

// What edges name by number: amounts of data, or tables of costs.
static duet_code copy_of_edges(const picking *p, const uint32_t *from, uint32_t **to,
                               duet_error *error)
{
    bool some = false;
    *to = NULL;
    for (int64_t i = 0; from != NULL && i < p->edges && !some; i++) {
        some = from[p->edge[i]] != 0;
    }
    if (some) {
        *to = duet_alloc_raw((size_t)p->edges, sizeof **to, error);
        DUET_NEED(*to);
        for (int64_t i = 0; i < p->edges; i++) {
            (*to)[i] = from[p->edge[i]];
        }
    }
    return DUET_OK;
}

static duet_code copy_blocks(const picking *p, duet_moldable *to, duet_error *error)
{
    const duet_moldable *from = p->from->moldable;
    to->table = copy_block(from->table, error);
    to->given_time = copy_block(from->given_time, error);
    to->time = copy_block(from->time, error);
    to->step_size = copy_block(from->step_size, error);
    to->law = copy_block(from->law, error);
    to->amount = copy_block(from->amount, error);
    to->edges_of = copy_block(from->edges_of, error);
    to->move = copy_block(from->move, error);
    to->cost = copy_block(from->cost, error);
    return (from->table != NULL && to->table == NULL) ||
                   (from->given_time != NULL && to->given_time == NULL) ||
                   (from->time != NULL && to->time == NULL) ||
                   (from->step_size != NULL && to->step_size == NULL) ||
                   (from->law != NULL && to->law == NULL) ||
                   (from->amount != NULL && to->amount == NULL) ||
                   (from->edges_of != NULL && to->edges_of == NULL) ||
                   (from->move != NULL && to->move == NULL) ||
                   (from->cost != NULL && to->cost == NULL)
               ? DUET_E_MEMORY
               : DUET_OK;
}

static duet_code copy_moldable(picking *p, duet_error *error)
{
    const duet_moldable *from = p->from->moldable;
    if (from == NULL) {
        return DUET_OK;
    }
    duet_moldable *to = duet_alloc(1, sizeof *to, error);
    DUET_NEED(to);
    p->to->moldable = to;
    *to = *from;
    to->cell = NULL;
    to->amount_of = to->cost_of = NULL;
    DUET_TRY(copy_blocks(p, to, error));
    to->cell = duet_alloc_raw(p->kinds * from->types, sizeof *to->cell, error);
    DUET_NEED(to->cell);
    for (size_t i = 0; i < p->kinds; i++) {
        size_t kind = duet_instance_kind_of(p->from, p->pick[i].first);
        memcpy(to->cell + i * from->types, from->cell + kind * from->types,
               from->types * sizeof *to->cell);
    }
    DUET_TRY(copy_of_edges(p, from->amount_of, &to->amount_of, error));
    DUET_TRY(copy_of_edges(p, from->cost_of, &to->cost_of, error));
    for (size_t a = 0; to->edges_of != NULL && a < to->amounts; a++) {
        to->edges_of[a] = 0;
    }
    for (int64_t i = 0; to->amount_of != NULL && i < p->edges; i++) {
        to->edges_of[to->amount_of[i]]++;
    }
    return DUET_OK;
}

// --- the rest ------------------------------------------------------------------------------------

duet_code duet_copy_amounts(const duet_graph *from, duet_graph *to, duet_error *error)
{
    to->amount = copy_block(from->amount, error);
    to->rate = copy_block(from->rate, error);
    bool lacks =
        (from->amount != NULL && to->amount == NULL) || (from->rate != NULL && to->rate == NULL);
    return lacks ? DUET_E_MEMORY : DUET_OK;
}

duet_code duet_copy_origin(const duet_instance *instance, duet_instance *copy, duet_error *error)
{
    const duet_origin *from = instance->origin;
    if (from == NULL) {
        return DUET_OK;
    }
    duet_origin *to = duet_alloc(1, sizeof *to, error);
    DUET_NEED(to);
    copy->origin = to;
    *to = *from;
    to->submit_order = to->worker = to->node = NULL;
    to->tile = copy_block(from->tile, error);
    to->submit_order = copy_block(from->submit_order, error);
    to->worker = copy_block(from->worker, error);
    to->node = copy_block(from->node, error);
    return (from->tile != NULL && to->tile == NULL) ||
                   (from->submit_order != NULL && to->submit_order == NULL) ||
                   (from->worker != NULL && to->worker == NULL) ||
                   (from->node != NULL && to->node == NULL)
               ? DUET_E_MEMORY
               : DUET_OK;
}

void duet_copy_watts(const duet_instance *from, duet_instance *to)
{
    memcpy(to->watts, from->watts, sizeof to->watts);
    memcpy(to->watts_given, from->watts_given, sizeof to->watts_given);
}

// Runtimes know all tasks, or none.
static duet_code copy_origin(picking *p, duet_error *error)
{
    bool all = p->to->first[p->kinds] == duet_tasks(p->from);
    return all ? duet_copy_origin(p->from, p->to, error) : DUET_OK;
}

static duet_code copy_names(const duet_names *from, duet_names *to, duet_error *error)
{
    for (size_t i = 0; i < from->count; i++) {
        uint32_t number;
        DUET_TRY(duet_names_add(to, 0, duet_names_text(from, i), &number, error));
    }
    return DUET_OK;
}

// What people read: times of day, names of processors, groups.
static duet_code copy_labels(picking *p, duet_error *error)
{
    const duet_instance *from = p->from;
    duet_instance *to = p->to;
    to->clock = from->clock;
    for (size_t t = 0; t < from->types; t++) {
        DUET_TRY(copy_names(&from->names[t], &to->names[t], error));
    }
    if (from->group == NULL) {
        return DUET_OK;
    }
    DUET_TRY(copy_names(&from->group_names, &to->group_names, error));
    to->group = duet_alloc(p->kinds, sizeof *to->group, error);
    DUET_NEED(to->group);
    for (size_t i = 0; i < p->kinds; i++) {
        to->group[i] = from->group[duet_instance_kind_of(from, p->pick[i].first)];
    }
    return DUET_OK;
}

static duet_code copy_platform(picking *p, duet_error *error)
{
    const duet_instance *from = p->from;
    duet_instance *to = p->to;
    to->name = duet_copy_string(from->name, error);
    to->time_unit = duet_copy_string(from->time_unit, error);
    to->decimals = from->decimals;
    to->has_platform = from->has_platform;
    to->sched = from->sched;
    to->mixed_sets = from->mixed_sets;
    to->work = from->work;
    duet_copy_watts(from, to);
    bool named = to->name != NULL && to->time_unit != NULL;
    for (size_t t = 0; t < from->types; t++) {
        to->processors[t] = from->processors[t];
        to->type_names[t] = duet_copy_string(from->type_names[t], error);
        to->types = t + 1;
        named = named && to->type_names[t] != NULL;
    }
    return named ? DUET_OK : DUET_E_MEMORY;
}

duet_code duet_instance_pick(const duet_instance *instance, const duet_pick *pick, size_t count,
                             duet_instance **out, duet_error *error)
{
    picking p = {.from = instance, .pick = pick, .kinds = count};
    *out = NULL;
    p.to = duet_alloc(1, sizeof *p.to, error);
    DUET_NEED(p.to);
    duet_code code = copy_platform(&p, error);
    DUET_THEN(code, copy_kinds(&p, error));
    DUET_THEN(code, copy_graph(&p, error));
    DUET_THEN(code, copy_moldable(&p, error));
    DUET_THEN(code, copy_origin(&p, error));
    DUET_THEN(code, copy_labels(&p, error));
    DUET_THEN(code, duet_copy_busy(instance, 1, p.to, error));
    duet_free(p.number);
    duet_free(p.edge);
    if (code != DUET_OK) {
        duet_instance_free(p.to);
        return code;
    }
    p.to->latest = instance->latest;
    *out = p.to;
    return DUET_OK;
}
