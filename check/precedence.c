// SPDX-License-Identifier: Apache-2.0
// The checker of edges; for schedule.c alone.
#include "check/schedules.h"

int64_t duet_check_tick(const duet_solution *solution)
{
    int64_t tick = 1;
    for (int i = 0; i < solution->finer; i++) {
        tick *= 10;
    }
    return tick;
}

char *duet_check_format(const duet_instance *instance, const duet_solution *solution, int64_t ticks,
                        char *buffer)
{
    return duet_decimal_format(ticks, instance->decimals + solution->finer, buffer);
}

// A task's execution: the one that counts, or one that was given up.
typedef struct execution {
    int64_t task;
    int64_t start;
    int32_t type;
    int32_t processor;
    const char *what; // "starts", or what is said of one that was given up
} execution;

static duet_code refuse(const duet_instance *instance, const duet_solution *solution,
                        const execution *e, int64_t before, int64_t end, int64_t ready,
                        duet_error *error)
{
    char task[128];
    char predecessor[128];
    char started[32];
    char ended[32];
    char expected[32];
    duet_instance_task_id(instance, e->task, task, sizeof task);
    duet_instance_task_id(instance, before, predecessor, sizeof predecessor);
    duet_check_format(instance, solution, e->start, started);
    duet_check_format(instance, solution, end, ended);
    duet_check_format(instance, solution, ready, expected);
    if (ready == end) {
        return duet_error_set(error, DUET_E_INPUT,
                              "task '%s' %s at %s, before its predecessor '%s' ends at %s", task,
                              e->what, started, predecessor, ended);
    }
    return duet_error_set(error, DUET_E_INPUT,
                          "task '%s' %s at %s: the data of its predecessor '%s', which ends at %s, "
                          "arrive at %s",
                          task, e->what, started, predecessor, ended, expected);
}

enum { EDGE = 64 }; // units of work

// S3. `at` is where duet_solution_place() looks first.
static duet_code check_execution(const duet_instance *instance, const duet_solution *solution,
                                 const execution *e, size_t *at, duet_watch *watch,
                                 duet_error *error)
{
    const duet_graph *graph = instance->graph;
    int64_t tick = duet_check_tick(solution);
    for (int64_t i = graph->enter_at[e->task]; i < graph->enter_at[e->task + 1]; i++) {
        int32_t edge = graph->entering[i];
        if (duet_watch_spend(watch, EDGE)) {
            return duet_check_stopped(watch, error);
        }
        int64_t before = graph->tail[edge];
        duet_placement placed = duet_solution_place(solution, before, at);
        size_t kind = duet_instance_kind_of(instance, before);
        int64_t end = placed.start +
                      tick * duet_time(instance, kind, (size_t)placed.type); // fits: S1 was judged
        bool same = placed.type == e->type && placed.processor == e->processor;
        same = same || duet_check_begun(instance, e->task);
        duet_int128 ready = end;
        if (!same) {
            ready += (duet_int128)tick *
                     duet_graph_cost(graph, edge, (size_t)placed.type, (size_t)e->type);
        }
        if (e->start < ready) {
            int64_t shown = ready < INT64_MAX ? (int64_t)ready : INT64_MAX;
            return refuse(instance, solution, e, before, end, shown, error);
        }
    }
    return DUET_OK;
}

duet_code duet_check_precedence(const duet_instance *instance, const duet_solution *solution,
                                duet_watch *watch, duet_error *error)
{
    duet_code code = DUET_OK;
    size_t own = 0;
    size_t other = 0;
    if (instance->graph == NULL) {
        return code;
    }
    for (int64_t j = 0; j < solution->tasks && code == DUET_OK; j++) {
        duet_placement placed = duet_solution_place(solution, j, &own);
        execution e = {j, placed.start, placed.type, placed.processor, "starts"};
        code = check_execution(instance, solution, &e, &other, watch, error);
    }
    for (size_t a = 0; a < solution->aborted_count && code == DUET_OK; a++) {
        const duet_aborted *given = &solution->aborted[a];
        execution e = {given->task, given->start, given->type, given->processor,
                       "has an aborted run that starts"};
        code = check_execution(instance, solution, &e, &other, watch, error);
    }
    return code;
}
