// SPDX-License-Identifier: Apache-2.0
// Checks a flow in integers, as duet/certificate.h states it; docs/theory/graphs.md has the proof.
// Includes no solver header: this is what an outsider trusts.
#include "check/certificates.h"

#include <inttypes.h>

#include "check/modes.h"
#include "core/instance/available.h"
#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/solution/certificate.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// What goes through a task.
typedef struct passing {
    int64_t in, out; // flow on its edges
    int64_t stated;  // phi as the certificate states it; 0: the larger of both
    int64_t charge;  // what it costs on type 0 besides its time
} passing;

typedef struct flow_check {
    const duet_certificate *certificate;
    const duet_instance *instance;
    passing *task;
    duet_check_modes modes;
    duet_watch *watch; // where it says stop, what is found counts for nothing
} flow_check;

// Indices that rise and are below `count`.
static duet_code check_indices(const duet_flow_list *list, int64_t below, const char *what,
                               duet_error *error)
{
    const duet_flow_term *terms = list->term;
    for (size_t i = 0; i < list->count; i++) {
        if (terms[i].at < 0 || terms[i].at >= below) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "certificate: %s %" PRId64 ": expected an index below %" PRId64,
                                  what, terms[i].at, below);
        }
        if (i > 0 && terms[i - 1].at >= terms[i].at) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "certificate: %s %" PRId64 " stands twice: expected it once",
                                  what, terms[i].at);
        }
    }
    return DUET_OK;
}

static duet_code check_shape(const duet_certificate *certificate, const duet_instance *instance,
                             duet_error *error)
{
    if (certificate->flow == NULL) {
        return duet_certificate_wrong(error, "expected a flow");
    }
    if (certificate->types != instance->types) {
        return duet_certificate_wrong(error, "expected one weight per processor type");
    }
    for (size_t t = 0; t < instance->types; t++) {
        if (certificate->weight[t] < 0) {
            return duet_certificate_wrong(error, "expected weights of at least 0");
        }
    }
    int64_t edges = instance->graph == NULL ? 0 : instance->graph->edges;
    const duet_flow_lists *list = &certificate->flow->list;
    DUET_TRY(check_indices(&list->edges, edges, "edge", error));
    DUET_TRY(check_indices(&list->tasks, duet_tasks(instance), "task", error));
    DUET_TRY(check_indices(&list->charges, edges, "cross of edge", error));
    if (list->charges.count > 0 && instance->types != 2) {
        return duet_certificate_wrong(error,
                                      "charges for communication need a platform of two types");
    }
    return DUET_OK;
}

static duet_code overflow(duet_error *error)
{
    return duet_certificate_wrong(error, "a sum overflows: expected smaller numbers");
}

static duet_code add_edges(flow_check *check, duet_error *error)
{
    const duet_flow_list *edges = &check->certificate->flow->list.edges;
    const duet_flow_term *terms = edges->term;
    for (size_t i = 0; i < edges->count; i++) {
        const duet_graph *graph = check->instance->graph;
        int64_t *out = &check->task[graph->tail[terms[i].at]].out;
        int64_t *in = &check->task[graph->head[terms[i].at]].in;
        if (terms[i].value < 0) {
            return duet_certificate_wrong(error, "expected a flow of at least 0 on every edge");
        }
        if (__builtin_add_overflow(*out, terms[i].value, out) ||
            __builtin_add_overflow(*in, terms[i].value, in)) {
            return overflow(error);
        }
    }
    return DUET_OK;
}

static duet_code add_tasks(flow_check *check, duet_error *error)
{
    const duet_flow_list *tasks = &check->certificate->flow->list.tasks;
    const duet_flow_term *terms = tasks->term;
    for (size_t i = 0; i < tasks->count; i++) {
        passing *task = &check->task[terms[i].at];
        if (terms[i].value < task->in || terms[i].value < task->out) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "certificate: task %" PRId64
                                  " lets less pass than flows in or out: expected at least that",
                                  terms[i].at);
        }
        task->stated = terms[i].value;
    }
    return DUET_OK;
}

// The charge of an edge is at most what its flow times its costs allow, either way.
static duet_code add_crosses(flow_check *check, duet_error *error)
{
    const duet_flow_lists *list = &check->certificate->flow->list;
    const duet_flow_term *terms = list->charges.term;
    const duet_flow_term *flow = list->edges.term;
    size_t edges = list->edges.count;
    size_t at = 0;
    for (size_t i = 0; i < list->charges.count; i++) {
        const duet_graph *graph = check->instance->graph;
        int64_t edge = terms[i].at;
        int64_t value = terms[i].value;
        for (; at < edges && flow[at].at < edge; at++) {
        }
        duet_int128 passes = at < edges && flow[at].at == edge ? flow[at].value : 0;
        if (value > passes * duet_graph_cost(graph, edge, 0, 1) ||
            value < -passes * duet_graph_cost(graph, edge, 1, 0)) {
            return duet_error_set(error, DUET_E_INPUT,
                                  "certificate: cross of edge %" PRId64
                                  ": expected at most its flow times its cost",
                                  edge);
        }
        int64_t *tail = &check->task[graph->tail[edge]].charge;
        int64_t *head = &check->task[graph->head[edge]].charge;
        if (__builtin_add_overflow(*tail, value, tail) ||
            __builtin_sub_overflow(*head, value, head)) {
            return overflow(error);
        }
    }
    return DUET_OK;
}

// phi of a task.
static int64_t passes(const passing *task)
{
    int64_t larger = duet_max(task->in, task->out);
    return duet_max(task->stated, larger);
}

// When a task can start on a type; with mixed sets its release alone counts.
static int64_t earliest(const flow_check *check, size_t kind, size_t type)
{
    const duet_instance *instance = check->instance;
    return instance->mixed_sets ? duet_release(instance, kind)
                                : duet_check_earliest(instance, kind, type);
}

// The least that a task of a kind costs on a type where it is allowed: what passes for its time,
// and what begins there for its start.
static duet_code least_cost(flow_check *check, size_t kind, const passing *task, duet_int128 *least,
                            duet_error *error)
{
    int64_t pass = passes(task);
    if (check->instance->mixed_sets) { // then there are no prices
        *least = (duet_int128)pass * duet_check_best_mix(check->instance, kind, check->watch) +
                 (duet_int128)(pass - task->in) * earliest(check, kind, 0);
        return DUET_OK;
    }
    bool found = false;
    duet_check_mode mode = {.size = 0};
    while (duet_check_next_mode(&check->modes, check->instance, kind, &mode, error)) {
        // A weight is below 2^63 and an area at most 2^62, as what passes and a time or a start.
        int64_t area = mode.size * mode.time;
        duet_int128 cost = (duet_int128)check->certificate->weight[mode.type] * area +
                           (duet_int128)pass * mode.time +
                           (duet_int128)(pass - task->in) * earliest(check, kind, mode.type) +
                           (mode.type == 0 ? task->charge : 0);
        *least = !found || cost < *least ? cost : *least;
        found = true;
    }
    if (mode.code != DUET_OK) {
        return mode.code;
    }
    return found ? DUET_OK : duet_certificate_wrong(error, "a task that is allowed nowhere");
}

// Whether a task of a kind costs the same as the one before.
static bool is_alike(const flow_check *check, const passing *task)
{
    return passes(task) == passes(task - 1) && task->charge == task[-1].charge &&
           (task->in == task[-1].in || duet_is_available(check->instance));
}

// The right side.
static duet_code add_up(flow_check *check, duet_int128 *work, duet_error *error)
{
    const duet_instance *instance = check->instance;
    *work = 0;
    duet_int128 least = 0; // of the task before
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            const passing *task = &check->task[j];
            bool alike = j > instance->first[i] && is_alike(check, task);
            DUET_TRY(alike ? DUET_OK : least_cost(check, i, task, &least, error));
            if (__builtin_add_overflow(*work, least, work)) {
                return overflow(error);
            }
        }
    }
    return DUET_OK;
}

// The left side: what processors and paths have within lambda - 1. False where it overflows.
static bool add_room(const flow_check *check, duet_int128 *room)
{
    const duet_instance *instance = check->instance;
    int64_t length = check->certificate->lambda - 1;
    duet_int128 begins = 0; // below 2^94: there are fewer than 2^31 tasks
    for (int64_t j = 0; j < duet_tasks(instance); j++) {
        begins += passes(&check->task[j]) - check->task[j].in;
    }
    bool fits = !__builtin_mul_overflow((duet_int128)length, begins, room);
    for (size_t t = 0; t < instance->types && fits; t++) {
        duet_int128 weight = check->certificate->weight[t];
        duet_int128 of_type;
        fits = !__builtin_mul_overflow(weight, duet_check_room(instance, t, 0, length), &of_type) &&
               !__builtin_add_overflow(*room, of_type, room);
    }
    return fits;
}

static duet_code compare(flow_check *check, duet_error *error)
{
    duet_int128 work;
    duet_int128 room;
    DUET_TRY(add_up(check, &work, error));
    if (!add_room(check, &room)) {
        return overflow(error);
    }
    return work > room
               ? DUET_OK
               : duet_certificate_wrong(error,
                                        "the priced work fits: expected it to exceed what the "
                                        "processors and the flow allow");
}

duet_code duet_check_flow(const duet_certificate *certificate, const duet_instance *instance,
                          duet_watch *watch, duet_error *error)
{
    flow_check check = {.certificate = certificate,
                        .instance = instance,
                        .modes = {.watch = watch},
                        .watch = watch};
    DUET_TRY(check_shape(certificate, instance, error));
    DUET_TRY(duet_memory_check((uint64_t)duet_tasks(instance), sizeof *check.task,
                               watch->context->memory_limit, "the flow through the tasks", error));
    check.task = duet_alloc((size_t)duet_tasks(instance), sizeof *check.task, error);
    DUET_NEED(check.task);
    duet_code code = add_edges(&check, error);
    DUET_THEN(code, add_tasks(&check, error));
    DUET_THEN(code, add_crosses(&check, error));
    DUET_THEN(code, compare(&check, error));
    duet_free(check.task);
    duet_check_modes_free(&check.modes);
    return code;
}
