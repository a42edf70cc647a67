// SPDX-License-Identifier: Apache-2.0
#include "claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

claims all;
static double scale = 1; // ticks of one unit
static json_t *instance;
static json_t *solution;

_Noreturn void fail(const char *what, const char *about)
{
    fprintf(stderr, "replay: %s: %s\n", what, about);
    fflush(NULL);
    _exit(1); // SimGrid's own exit handlers want all actors to have ended
}

static json_t *load(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_DECODE_INT_AS_REAL, &error);
    if (root == NULL) {
        fail(path, error.text);
    }
    return root;
}

static double number(const json_t *object, const char *name)
{
    const json_t *value = json_object_get(object, name);
    if (!json_is_number(value)) {
        fail("expected a number", name);
    }
    return json_number_value(value);
}

static double ticks(double units)
{
    double whole = round(units * scale);
    if (fabs(units * scale - whole) > 1e-4 || whole > 9e15) {
        fail("no whole number of ticks", "time");
    }
    return whole;
}

static bool all_whole(void)
{
    size_t i;
    size_t t;
    json_t *kind;
    json_t *time;
    json_array_foreach(json_object_get(instance, "tasks"), i, kind)
    {
        json_array_foreach(json_object_get(kind, "times"), t, time)
        {
            double value = json_number_value(time) * scale;
            if (fabs(value - round(value)) > 1e-4) {
                return false;
            }
        }
    }
    return true;
}

static bool is_whole(const json_t *value)
{
    double ticks = json_number_value(value) * scale;
    return fabs(ticks - round(ticks)) <= 1e-4;
}

// The costs of an edge in its three forms: one number, a table of numbers, or none.
static bool all_costs_whole(void)
{
    size_t i, a, b;
    json_t *given, *row, *cost;
    json_array_foreach(json_object_get(instance, "edges"), i, given)
    {
        if (!is_whole(json_object_get(given, "cost")) || !is_whole(json_array_get(given, 2))) {
            return false;
        }
        json_array_foreach(json_object_get(given, "costs"), a, row)
        {
            json_array_foreach(row, b, cost)
            {
                if (!is_whole(cost)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// The smallest power of ten that makes all times and costs of the instance whole.
static void choose_scale(void)
{
    while ((!all_whole() || !all_costs_whole()) && scale < 1e9) {
        scale *= 10;
    }
}

static size_t find_type(const char *name)
{
    size_t i;
    json_t *type;
    json_array_foreach(json_object_get(solution, "platform"), i, type)
    {
        if (strcmp(json_string_value(json_object_get(type, "type")), name) == 0) {
            return i;
        }
    }
    fail("unknown type", name);
}

// "gemm#7" is a task of "gemm".
static double length_of(const char *task, size_t type)
{
    const char *hash = strrchr(task, '#');
    size_t i;
    json_t *kind;
    json_array_foreach(json_object_get(instance, "tasks"), i, kind)
    {
        const char *id = json_string_value(json_object_get(kind, "id"));
        bool several = json_object_get(kind, "count") != NULL && number(kind, "count") > 1;
        size_t length = several && hash != NULL ? (size_t)(hash - task) : strlen(task);
        if (strlen(id) == length && strncmp(id, task, length) == 0) {
            const json_t *time = json_array_get(json_object_get(kind, "times"), type);
            if (!json_is_number(time)) {
                fail("runs where it is forbidden", task);
            }
            return ticks(json_number_value(time));
        }
    }
    fail("unknown task", task);
}

static void list_runs(const char *member, bool gives_up)
{
    size_t i;
    json_t *entry;
    json_array_foreach(json_object_get(solution, member), i, entry)
    {
        run *at = &all.runs[all.run_count++];
        at->task = json_string_value(json_object_get(entry, "task"));
        at->type = find_type(json_string_value(json_object_get(entry, "type")));
        at->processor = (size_t)number(entry, "processor");
        at->start = ticks(number(entry, "start"));
        at->end = ticks(number(entry, "end"));
        at->length = length_of(at->task, at->type);
        at->gives_up = gives_up;
    }
}

static int by_place(const void *left, const void *right)
{
    const run *a = left;
    const run *b = right;
    if (a->type != b->type) {
        return a->type < b->type ? -1 : 1;
    }
    if (a->processor != b->processor) {
        return a->processor < b->processor ? -1 : 1;
    }
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return (a->end > b->end) - (a->end < b->end); // runs of length 0 first
}

static void link_aborted(void)
{
    for (size_t i = 0; i < all.run_count; i++) {
        for (size_t j = 0; all.runs[i].gives_up && j < all.run_count; j++) {
            if (!all.runs[j].gives_up && strcmp(all.runs[i].task, all.runs[j].task) == 0) {
                all.runs[j].aborted = &all.runs[i];
            }
        }
    }
}

// --- edges ---------------------------------------------------------------------------------------

static run *find_run(const char *task)
{
    for (size_t i = 0; i < all.run_count; i++) {
        if (!all.runs[i].gives_up && strcmp(all.runs[i].task, task) == 0) {
            return &all.runs[i];
        }
    }
    fail("no run of a task of an edge", task);
}

static double cost_of(const json_t *given, const run *from, const run *to)
{
    const json_t *row = json_array_get(json_object_get(given, "costs"), from->type);
    const json_t *cost = json_array_get(row, to->type);
    cost = cost != NULL ? cost : json_object_get(given, "cost");
    cost = cost != NULL ? cost : json_array_get(given, 2);
    return cost == NULL ? 0 : ticks(json_number_value(cost));
}

static void list_edges(void)
{
    size_t i;
    json_t *given;
    const json_t *list = json_object_get(instance, "edges");
    all.edges = calloc(json_array_size(list) + 1, sizeof *all.edges);
    if (all.edges == NULL) {
        fail("out of memory", "edges");
    }
    json_array_foreach(list, i, given)
    {
        const json_t *from = json_object_get(given, "from");
        const json_t *to = json_object_get(given, "to");
        edge *e = &all.edges[all.edge_count++];
        e->from = find_run(json_string_value(from != NULL ? from : json_array_get(given, 0)));
        e->to = find_run(json_string_value(to != NULL ? to : json_array_get(given, 1)));
        bool same = e->from->type == e->to->type && e->from->processor == e->to->processor;
        e->cost = same ? 0 : (long)cost_of(given, e->from, e->to);
    }
}

void read_claims(const char *instance_path, const char *solution_path)
{
    instance = load(instance_path);
    solution = load(solution_path);
    choose_scale();
    size_t most = json_array_size(json_object_get(solution, "schedule")) +
                  json_array_size(json_object_get(solution, "aborted"));
    all.runs = calloc(most + 1, sizeof *all.runs);
    if (all.runs == NULL) {
        fail("out of memory", "runs");
    }
    list_runs("schedule", false);
    list_runs("aborted", true);
    qsort(all.runs, all.run_count, sizeof *all.runs, by_place);
    link_aborted();
    list_edges();
    all.makespan = ticks(number(solution, "makespan"));
}

void free_claims(void)
{
    json_decref(instance);
    json_decref(solution);
    free(all.edges);
    free(all.runs);
}
