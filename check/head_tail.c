// SPDX-License-Identifier: Apache-2.0
// Checks in integers that the work between a head and a tail does not fit, as duet/certificate.h
// states it. Heads and tails are found here, as the longest paths to and from every task. Includes
// no solver header: this is what an outsider trusts.
#include "check/certificates.h"

#include "core/instance/instance.h"
#include "core/number/fraction.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

typedef struct reach {
    const duet_instance *instance;
    int32_t *order;    // the tasks in a topological order; NULL where they are independent
    int32_t *kind;     // of each task
    int64_t *head;     // the longest path that ends before the task, from a release on
    int64_t *tail;     // the longest path that begins after it
    duet_watch *watch; // where it says stop, what is found counts for nothing
} reach;

static duet_code check_shape(const duet_certificate *certificate, const duet_instance *instance,
                             duet_error *error)
{
    bool positive = false;
    if (certificate->types != instance->types) {
        return duet_certificate_wrong(error, "expected one weight per processor type");
    }
    for (size_t t = 0; t < instance->types; t++) {
        if (certificate->weight[t] < 0) {
            return duet_certificate_wrong(error, "expected weights of at least 0");
        }
        positive = positive || (certificate->weight[t] > 0 && instance->processors[t] > 0);
    }
    if (!positive) {
        return duet_certificate_wrong(error, "expected a weight above 0 of a type with processors");
    }
    if (certificate->head < 0 || certificate->tail < 0 || certificate->head > DUET_MAX_WORK ||
        certificate->tail > DUET_MAX_WORK) {
        return duet_certificate_wrong(error, "expected a head and a tail of 0 to 2^62 ticks");
    }
    return DUET_OK;
}

static int64_t least_of(const duet_instance *instance, size_t kind)
{
    int64_t time = duet_shortest_time(instance, kind);
    return time == DUET_FORBIDDEN ? 0 : time; // no schedule: any length is one
}

static int64_t least_time(const reach *r, int32_t task)
{
    return least_of(r->instance, (size_t)r->kind[task]);
}

// A task's edges in one direction. True: stop.
static bool spend_edges(const reach *r, const int64_t *at, int32_t task)
{
    enum { EDGE = 8 };
    return duet_watch_spend(r->watch, EDGE * (at[task + 1] - at[task] + 1));
}

// No path, with the time before it, is longer than the total work and the latest release or busy
// time, which are at most 2^62.
static void measure(const reach *r)
{
    const duet_graph *graph = r->instance->graph;
    for (size_t i = 0; i < r->instance->kinds; i++) {
        int64_t own = duet_check_earliest_anywhere(r->instance, i);
        for (int64_t j = r->instance->first[i]; j < r->instance->first[i + 1]; j++) {
            r->head[j] = own;
        }
        if (duet_watch_spend(r->watch, duet_count(r->instance, i))) {
            return;
        }
    }
    if (graph == NULL) {
        return;
    }
    for (int64_t i = 0; i < graph->tasks; i++) {
        if (spend_edges(r, graph->leave_at, r->order[i])) {
            return;
        }
        int32_t task = r->order[i];
        int64_t end = r->head[task] + least_time(r, task);
        for (int64_t at = graph->leave_at[task]; at < graph->leave_at[task + 1]; at++) {
            int64_t *head = &r->head[graph->head[graph->leaving[at]]];
            *head = duet_max(end, *head);
        }
    }
    for (int64_t i = graph->tasks - 1; i >= 0; i--) {
        if (spend_edges(r, graph->enter_at, r->order[i])) {
            return;
        }
        int32_t task = r->order[i];
        int64_t rest = r->tail[task] + least_time(r, task);
        for (int64_t at = graph->enter_at[task]; at < graph->enter_at[task + 1]; at++) {
            int64_t *tail = &r->tail[graph->tail[graph->entering[at]]];
            *tail = duet_max(rest, *tail);
        }
    }
}

// The least weighted time of a kind; below 2^125.
static duet_int128 least_weighted(const duet_certificate *certificate,
                                  const duet_instance *instance, size_t kind)
{
    duet_int128 least = -1;
    for (size_t t = 0; t < instance->types; t++) {
        if (duet_allowed(instance, kind, t)) {
            duet_int128 cost = (duet_int128)certificate->weight[t] * duet_time(instance, kind, t);
            least = least < 0 || cost < least ? cost : least;
        }
    }
    return duet_max(least, 0); // a kind that is allowed nowhere adds nothing
}

// Whether the weighted work is at most what the processors have between head and tail.
static bool fits_between(const duet_certificate *certificate, const duet_instance *instance,
                         duet_int128 work)
{
    int64_t end = certificate->lambda - 1 - certificate->tail; // below 0: nothing fits
    duet_int128 fits = 0;
    for (size_t t = 0; t < instance->types && end >= certificate->head; t++) {
        duet_int128 of_type;
        if (__builtin_mul_overflow((duet_int128)certificate->weight[t],
                                   duet_check_room(instance, t, certificate->head, end),
                                   &of_type) ||
            __builtin_add_overflow(fits, of_type, &fits)) {
            return true;
        }
    }
    return end >= certificate->head && work <= fits;
}

// The work of the tasks between head and tail, against what fits between them within lambda - 1;
// or one of them takes longer than that.
static duet_code compare(const duet_certificate *certificate, const reach *r, duet_error *error)
{
    const duet_instance *instance = r->instance;
    duet_int128 work = 0;
    int64_t between = 0; // tasks
    int64_t longest = 0; // of them
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t count = 0;
        duet_int128 of_kind;
        for (int64_t j = instance->first[i];
             j < instance->first[i + 1] && !duet_watch_spend(r->watch, 1); j++) {
            count += r->head[j] >= certificate->head && r->tail[j] >= certificate->tail;
        }
        between += count;
        longest = count > 0 ? duet_max(least_of(instance, i), longest) : longest;
        if (__builtin_mul_overflow(least_weighted(certificate, instance, i), (duet_int128)count,
                                   &of_kind) ||
            __builtin_add_overflow(work, of_kind, &work)) {
            return duet_certificate_wrong(error,
                                          "the weighted work overflows: expected smaller weights");
        }
    }
    if (between == 0) {
        return duet_certificate_wrong(error, "expected a task between that head and that tail");
    }
    duet_int128 room = (duet_int128)certificate->lambda - 1 - certificate->head - certificate->tail;
    if (room >= longest && fits_between(certificate, instance, work)) {
        return duet_certificate_wrong(
            error, "the weighted work between head and tail fits: expected it to exceed "
                   "the capacity");
    }
    return DUET_OK;
}

static duet_code prepare(reach *r, duet_error *error)
{
    size_t tasks = (size_t)duet_tasks(r->instance);
    DUET_TRY(duet_memory_check(tasks, 2 * sizeof *r->head + 2 * sizeof *r->order,
                               r->watch->context->memory_limit, "the heads and tails of the tasks",
                               error));
    r->head = duet_alloc(tasks, sizeof *r->head, error);
    r->tail = duet_alloc(tasks, sizeof *r->tail, error);
    DUET_NEED(r->head != NULL && r->tail != NULL);
    if (r->instance->graph != NULL) {
        r->order = duet_graph_order(r->instance->graph, error);
        r->kind = duet_kinds_of_tasks(r->instance, error);
        DUET_NEED(r->order != NULL && r->kind != NULL);
    }
    return DUET_OK;
}

duet_code duet_check_head_tail(const duet_certificate *certificate, const duet_instance *instance,
                               duet_watch *watch, duet_error *error)
{
    reach r = {.instance = instance, .watch = watch};
    duet_code code = check_shape(certificate, instance, error);
    DUET_THEN(code, prepare(&r, error));
    if (code == DUET_OK) {
        measure(&r);
        code = compare(certificate, &r, error);
    }
    duet_free(r.order);
    duet_free(r.kind);
    duet_free(r.head);
    duet_free(r.tail);
    return code;
}
