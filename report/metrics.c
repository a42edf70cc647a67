// SPDX-License-Identifier: Apache-2.0
#include "report/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/instance/instance.h"
#include "core/instance/moldable.h"
#include "core/number/minmax.h"
#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "report/intervals.h"

// --- instances -----------------------------------------------------------------------------------

// Of a kind on one processor of a type; DUET_FORBIDDEN where it may not run there.
static int64_t time_on_one(const duet_instance *instance, size_t kind, size_t type)
{
    return duet_instance_sizes(instance, kind, type) < 1
               ? DUET_FORBIDDEN
               : duet_instance_moldable_time(instance, kind, type, 1);
}

static int64_t least_time(const duet_instance *instance, size_t kind)
{
    int64_t least = DUET_FORBIDDEN;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t sizes = duet_instance_sizes(instance, kind, t);
        for (int64_t size = 1; size <= sizes; size++) {
            least = duet_min(duet_instance_moldable_time(instance, kind, t, size), least);
        }
    }
    return least == DUET_FORBIDDEN ? 0 : least;
}

int64_t duet_metrics_serial(const duet_instance *instance)
{
    int64_t best = -1;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t sum = 0;
        bool all = instance->processors[t] > 0;
        for (size_t i = 0; i < instance->kinds && all; i++) {
            int64_t time = time_on_one(instance, i, t);
            all = time != DUET_FORBIDDEN;
            sum += all ? duet_count(instance, i) * time : 0;
        }
        best = all && (best < 0 || sum < best) ? sum : best;
    }
    return best;
}

static int64_t longest_least_time(const duet_instance *instance)
{
    int64_t longest = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        longest = duet_max(least_time(instance, i), longest);
    }
    return longest;
}

// Longest path through the graph in least times, without what data take; without edges the longest
// of the least times. Negative: no memory.
static int64_t critical_path(const duet_instance *instance, duet_error *error)
{
    const duet_graph *graph = instance->graph;
    if (graph == NULL) {
        return longest_least_time(instance);
    }
    size_t tasks = (size_t)duet_tasks(instance);
    int32_t *order = duet_alloc_raw(tasks, sizeof *order, error);
    int64_t *start = duet_alloc(tasks, sizeof *start, error);
    int64_t longest = -1;
    if (order != NULL && start != NULL &&
        duet_graph_sort(graph, DUET_TOPOLOGICAL_STACK, order, error) >= 0) {
        longest = 0;
        for (size_t i = 0; i < tasks; i++) {
            int64_t j = order[i];
            int64_t end = start[j] + least_time(instance, duet_instance_kind_of(instance, j));
            longest = duet_max(end, longest);
            for (int64_t e = graph->leave_at[j]; e < graph->leave_at[j + 1]; e++) {
                int32_t head = graph->head[graph->leaving[e]];
                start[head] = duet_max(end, start[head]);
            }
        }
    }
    duet_free(order);
    duet_free(start);
    return longest;
}

// Sum over the tasks of their mean time on a processor, over the sum over the edges of the mean
// cost between two processors, each of all pairs, one and the same included.
static double ccr_of(const duet_instance *instance)
{
    const duet_graph *graph = instance->graph;
    if (graph == NULL || graph->transfer == NULL || instance->moldable != NULL) {
        return NAN;
    }
    double all = 0;
    double compute = 0;
    double moved = 0;
    for (size_t t = 0; t < instance->types; t++) {
        all += (double)instance->processors[t];
    }
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            int64_t time = duet_time(instance, i, t);
            if (time == DUET_FORBIDDEN && instance->processors[t] > 0) {
                return NAN;
            }
            compute += time == DUET_FORBIDDEN ? 0
                                              : (double)duet_count(instance, i) * (double)time *
                                                    (double)instance->processors[t];
        }
    }
    for (int64_t e = 0; e < graph->edges; e++) {
        for (size_t i = 0; i < instance->types * instance->types; i++) {
            size_t a = i / instance->types;
            size_t b = i % instance->types;
            double pairs =
                (double)instance->processors[a] * (double)(instance->processors[b] - (a == b));
            moved += pairs * (double)duet_graph_cost(graph, e, a, b);
        }
    }
    return moved > 0 ? compute / all / (moved / (all * all)) : NAN;
}

// --- transfers -----------------------------------------------------------------------------------

static double bytes_of(const duet_moldable *moldable, int64_t edge)
{
    enum { TEN = 10 };
    duet_decimal amount = moldable->amount[moldable->amount_of[edge]];
    return (double)amount.mantissa / pow(TEN, amount.places);
}

// What moves from one set of processors to another: bytes where edges have data, else the time that
// it takes, in units of time.
static void add_transfers(const duet_instance *instance, const duet_solution *solution,
                          duet_metrics *m)
{
    enum { TEN = 10 };
    const duet_graph *graph = instance->graph;
    const duet_moldable *moldable = instance->moldable;
    bool data = moldable != NULL && moldable->amount_of != NULL;
    double unit = pow(TEN, instance->decimals);
    for (int64_t e = 0; graph != NULL && e < graph->edges; e++) {
        duet_processor_range left;
        duet_processor_range right;
        duet_processor_set from = duet_solution_set(solution, graph->tail[e], &left);
        duet_processor_set to = duet_solution_set(solution, graph->head[e], &right);
        if (from.count == 0 || to.count == 0 || duet_set_equal(from, to)) {
            continue;
        }
        int64_t cost = moldable != NULL ? duet_moldable_transfer(instance, e, from, to)
                                        : duet_graph_cost(graph, e, (size_t)from.range[0].type,
                                                          (size_t)to.range[0].type);
        double volume = data ? bytes_of(moldable, e) : (double)cost / unit;
        m->transfers += volume > 0;
        m->transfer_volume += volume;
    }
}

// --- schedules -----------------------------------------------------------------------------------

// Times of the tasks of a type on the first type, and the least on others.
typedef struct equivalent {
    double first, others;
} equivalent;

static void add_equivalent(const duet_instance *instance, size_t kind, equivalent *sum)
{
    int64_t first = duet_time(instance, kind, 0);
    int64_t least = DUET_FORBIDDEN;
    for (size_t t = 1; t < instance->types; t++) {
        int64_t time = duet_time(instance, kind, t);
        least = instance->processors[t] > 0 ? duet_min(time, least) : least;
    }
    sum->first += first == DUET_FORBIDDEN ? 0 : (double)first;
    sum->others += least == DUET_FORBIDDEN ? 0 : (double)least;
}

// Idle times and equivalent accelerations.
static void add_intervals(const duet_instance *instance, const duet_intervals *intervals,
                          int64_t makespan, duet_metrics *m)
{
    double work[DUET_MAX_TYPES] = {0};
    equivalent sum[DUET_MAX_TYPES] = {{0, 0}};
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *at = &intervals->interval[i];
        if (!at->aborted) {
            work[at->type] += (double)(at->end - at->start);
        }
        if (!at->aborted && instance->moldable == NULL && instance->types > 1) {
            add_equivalent(instance, at->kind, &sum[at->type]);
        }
    }
    for (size_t t = 0; t < instance->types; t++) {
        int64_t count = instance->processors[t];
        m->idle[t] = count > 0 ? (double)makespan - work[t] / (double)count : NAN;
        m->equivalent_acceleration[t] = sum[t].others > 0 ? sum[t].first / sum[t].others : NAN;
    }
}

// Processors that begin to work, or end.
typedef struct event {
    int64_t time;
    double watts; // below 0: they end
} event;

static int by_time(const void *left, const void *right)
{
    const event *a = left;
    const event *b = right;
    int order = (a->time > b->time) - (a->time < b->time);
    return order != 0 ? order : (a->watts > b->watts) - (a->watts < b->watts);
}

static duet_code add_power(const duet_instance *instance, const duet_intervals *intervals,
                           int64_t makespan, const duet_watts *watts, duet_metrics *m,
                           duet_error *error)
{
    event *events = duet_alloc(2 * intervals->count + 1, sizeof *events, error);
    DUET_NEED(events);
    double at_rest = 0;
    double energy = 0;
    for (size_t t = 0; t < instance->types && watts->idle != NULL; t++) {
        at_rest += (double)instance->processors[t] * watts->idle[t];
    }
    for (size_t i = 0; i < intervals->count; i++) {
        const duet_interval *at = &intervals->interval[i];
        double more = watts->busy[at->type] - (watts->idle == NULL ? 0 : watts->idle[at->type]);
        events[2 * i] = (event){at->start, more};
        events[2 * i + 1] = (event){at->end, -more};
        energy += more * (double)(at->end - at->start);
    }
    qsort(events, 2 * intervals->count, sizeof *events, by_time);
    double now = at_rest;
    m->peak_power = at_rest;
    for (size_t i = 0; i < 2 * intervals->count; i++) {
        now += events[i].watts;
        bool last = i + 1 == 2 * intervals->count || events[i + 1].time > events[i].time;
        m->peak_power = last ? duet_max(now, m->peak_power) : m->peak_power;
    }
    m->average_power = makespan > 0 ? at_rest + energy / (double)makespan : NAN;
    duet_free(events);
    return DUET_OK;
}

// What is given, else what the instance says of all its types.
static duet_watts power_of(const duet_instance *instance, const duet_watts *given,
                           double own[2][DUET_MAX_TYPES])
{
    duet_watts watts = given == NULL ? (duet_watts){NULL, NULL} : *given;
    const double **known[] = {&watts.busy, &watts.idle};
    for (size_t i = 0; i < 2; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            duet_decimal value = instance->watts[i][t];
            own[i][t] = (double)value.mantissa / pow(10, value.places);
        }
        if (*known[i] == NULL && instance->watts_given[i] == instance->types) {
            *known[i] = own[i];
        }
    }
    return watts;
}

duet_code duet_metrics_create(const duet_instance *instance, const duet_solution *solution,
                              const duet_watts *watts, duet_metrics *metrics, duet_error *error)
{
    int64_t makespan = duet_solution_makespan(solution);
    int64_t serial = duet_metrics_serial(instance);
    int64_t path = critical_path(instance, error);
    duet_intervals intervals = {.count = 0};
    *metrics = (duet_metrics){.types = instance->types, .peak_power = NAN, .average_power = NAN};
    if (path < 0) {
        return DUET_E_MEMORY;
    }
    duet_code code = duet_intervals_collect(instance, solution, &intervals, error);
    if (code == DUET_OK) {
        metrics->slr = path > 0 ? (double)makespan / (double)path : NAN;
        metrics->speedup = serial >= 0 && makespan > 0 ? (double)serial / (double)makespan : NAN;
        metrics->ccr = ccr_of(instance);
        add_transfers(instance, solution, metrics);
        add_intervals(instance, &intervals, makespan, metrics);
        double own[2][DUET_MAX_TYPES];
        const duet_watts power = power_of(instance, watts, own);
        if (power.busy != NULL) {
            code = add_power(instance, &intervals, makespan, &power, metrics, error);
        }
    }
    duet_intervals_free(&intervals);
    return code;
}

// --- by name -------------------------------------------------------------------------------------

static size_t add_by_type(const duet_metrics *m, const duet_instance *instance, const char *name,
                          const double *values, double divisor, duet_metric *list)
{
    for (size_t t = 0; t < m->types; t++) {
        snprintf(list[t].name, sizeof list[t].name, "%s_%s", name,
                 duet_instance_type_name(instance, t));
        list[t].value = divisor > 0 ? values[t] / divisor : NAN;
    }
    return m->types;
}

size_t duet_metrics_list(const duet_metrics *metrics, const duet_instance *instance, int64_t bound,
                         duet_metric *list)
{
    const struct {
        const char *name;
        double value;
    } others[] = {{"transfers", metrics->transfers},
                  {"transfer_volume", metrics->transfer_volume},
                  {"slr", metrics->slr},
                  {"speedup", metrics->speedup},
                  {"ccr", metrics->ccr},
                  {"peak_power", metrics->peak_power},
                  {"average_power", metrics->average_power}};
    size_t count = add_by_type(metrics, instance, "equivalent_acceleration",
                               metrics->equivalent_acceleration, 1, list);
    count += add_by_type(metrics, instance, "normalised_idle", metrics->idle, (double)bound,
                         list + count);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++, count++) {
        snprintf(list[count].name, sizeof list[count].name, "%s", others[i].name);
        list[count].value = others[i].value;
    }
    return count;
}

duet_code duet_solution_metrics(const duet_instance *instance, const duet_solution *solution,
                                const duet_metrics_options *options, duet_metric *metrics,
                                size_t *count, duet_error *error)
{
    duet_watts watts = {NULL, NULL};
    int64_t bound = duet_solution_lower_bound(solution);
    if (options != NULL) {
        watts = (duet_watts){options->watts, options->idle_watts};
        bound = options->lower_bound > 0 ? options->lower_bound : bound;
    }
    duet_metrics found;
    duet_code code = duet_metrics_create(instance, solution, &watts, &found, error);
    *count = code == DUET_OK ? duet_metrics_list(&found, instance, bound, metrics) : 0;
    return code;
}
