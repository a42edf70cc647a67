// SPDX-License-Identifier: Apache-2.0
// Graphs as every format writes them: what is read has the edges that were written, and edges that
// make no graph are refused. Mutations of files find faults of their grammar; here the grammar is
// right, and the graph is any.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <duet/graph.h>

#include "tests/fuzz/fuzz.h"

enum { MOST_TASKS = 7, MOST_EDGES = 12, ROOM = 1 << 14 };

typedef enum graph_format { TEXT, STG, DOT, WORKFLOW, STARPU, JSON, CSV, FORMATS } graph_format;

typedef struct graph {
    int tasks;
    int time[MOST_TASKS];
    int edges;
    int from[MOST_EDGES], to[MOST_EDGES];
    uint64_t style; // bits that choose between ways to write the same
    char text[ROOM];
    size_t used;
} graph;

static void put(graph *g, const char *format, ...) DUET_PRINTF(2, 3);
static void put(graph *g, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(g->text + g->used, ROOM - g->used, format, arguments);
    va_end(arguments);
    fuzz_check(length >= 0 && g->used + (size_t)length < ROOM, "room for the text");
    g->used += (size_t)length;
}

static bool flag(const graph *g, int bit)
{
    return (g->style >> (bit % 60) & 1) != 0;
}

static void draw(fuzz_input *input, graph_format format, graph *g)
{
    g->tasks = (int)fuzz_between(input, 1, MOST_TASKS);
    g->style = fuzz_take(input, 8);
    for (int j = 0; j < g->tasks; j++) {
        g->time[j] = (int)fuzz_between(input, 1, 9);
    }
    int wanted = (int)fuzz_between(input, 0, MOST_EDGES);
    for (int e = 0; e < wanted; e++) {
        int from = (int)fuzz_between(input, 0, g->tasks - 1);
        int to = (int)fuzz_between(input, 0, g->tasks - 1);
        bool forward = from < to || flag(g, 59);
        // A line of text without predecessors says how many times there are.
        if (forward && (format != TEXT || to > 0)) {
            g->from[g->edges] = from;
            g->to[g->edges++] = to;
        }
    }
}

// The predecessors of a task, with a text between and around them.
static int put_before(graph *g, int task, const char *open, const char *between, const char *quote,
                      int base)
{
    int count = 0;
    for (int e = 0; e < g->edges; e++) {
        if (g->to[e] == task) {
            put(g, "%s%s%d%s", count == 0 ? open : between, quote, g->from[e] + base, quote);
            count++;
        }
    }
    return count;
}

static int count_before(const graph *g, int task)
{
    int count = 0;
    for (int e = 0; e < g->edges; e++) {
        count += g->to[e] == task;
    }
    return count;
}

static void write_text(graph *g)
{
    for (int j = 0; j < g->tasks; j++) {
        put(g, "%d %d %d", j, g->time[j], g->time[j] + 1);
        put_before(g, j, " ", ",", "", 0);
        put(g, "%s\n", flag(g, j) ? " # a task" : "");
    }
}

static void write_stg(graph *g)
{
    put(g, "%d\n0 0 0\n", g->tasks);
    for (int j = 0; j < g->tasks; j++) {
        put(g, "%d %d %d", j + 1, g->time[j], count_before(g, j));
        put_before(g, j, " ", "\t", "", 1);
        put(g, "\n");
    }
    put(g, "%d 0 1 %d\n# Precedence constraints generator : samepred\n", g->tasks + 1, g->tasks);
}

static void write_dot(graph *g)
{
    put(g, "digraph {\n");
    for (int j = 0; j < g->tasks; j++) {
        put(g, "%d [cpu=%d%sgpu=%d]%s\n", j, g->time[j], flag(g, j) ? ", " : " ", g->time[j] + 1,
            flag(g, j + 7) ? ";" : "");
    }
    for (int e = 0; e < g->edges; e++) {
        put(g, "%d -> %s%d%s", g->from[e], flag(g, e) ? "{" : "", g->to[e], flag(g, e) ? "}" : "");
        put(g, "%s\n", flag(g, 20) ? " [cost=2]" : ";");
    }
    put(g, "}\n");
}

static void write_runs(graph *g)
{
    put(g, "\"execution\": {\"tasks\": [");
    for (int j = 0; j < g->tasks; j++) {
        put(g, "%s{\"id\": \"%d\", \"runtimeInSeconds\": %d}", j == 0 ? "" : ",", j, g->time[j]);
    }
    put(g, "]}");
}

// Each edge as a parent or as a child, or both.
static void write_workflow(graph *g)
{
    put(g, "{\"workflow\": {");
    if (flag(g, 0)) {
        write_runs(g);
        put(g, ", ");
    }
    put(g, "\"specification\": {\"tasks\": [");
    for (int j = 0; j < g->tasks; j++) {
        put(g, "%s{\"id\": \"%d\", \"parents\": [", j == 0 ? "" : ",\n", j);
        int count = 0;
        for (int e = 0; e < g->edges; e++) {
            if (g->to[e] == j && flag(g, e)) {
                put(g, "%s\"%d\"", count++ == 0 ? "" : ", ", g->from[e]);
            }
        }
        put(g, "], \"children\": [");
        count = 0;
        for (int e = 0; e < g->edges; e++) {
            if (g->from[e] == j && (!flag(g, e) || flag(g, e + 20))) {
                put(g, "%s\"%d\"", count++ == 0 ? "" : ", ", g->to[e]);
            }
        }
        put(g, "]");
        if (g->edges > 0) { // else the files say who waits for whom
            put(g, ", \"outputFiles\": [\"f%d\"], \"inputFiles\": [\"f0\", \"f1\"]", j);
        }
        put(g, "}");
    }
    put(g, "], \"files\": [{\"id\": \"f0\", \"sizeInBytes\": 3, \"link\": \"output\"}]}");
    if (!flag(g, 0)) {
        put(g, ", ");
        write_runs(g);
    }
    put(g, "}}");
}

// Each edge as it is, or through two jobs that are no tasks.
static void write_starpu(graph *g)
{
    enum { first = 100 };
    for (int j = 0; j < g->tasks; j++) {
        put(g, "Name: k%d\nJobId: %d\nDependsOn:", j, j + 1);
        for (int e = 0; e < g->edges; e++) {
            if (g->to[e] == j) {
                put(g, " %d", flag(g, e) ? first + 2 * e : g->from[e] + 1);
            }
        }
        put(g, "\nEstimatedTime: %d %d\n\n", g->time[j], g->time[j] + 1);
    }
    for (int e = 0; e < g->edges; e++) {
        if (flag(g, e)) {
            put(g, "Name: n\nJobId: %d\nDependsOn: %d\n\nName: n\nJobId: %d\nDependsOn: %d\n\n",
                first + 2 * e, first + 2 * e + 1, first + 2 * e + 1, g->from[e] + 1);
        }
    }
}

static void write_json(graph *g)
{
    put(g, "{\"tasks\": [");
    for (int j = 0; j < g->tasks; j++) {
        put(g, "%s{\"id\": \"%d\", \"times\": [%d, %d]", j == 0 ? "" : ",\n", j, g->time[j],
            g->time[j] + 1);
        if (flag(g, 0) && flag(g, 1)) {
            put(g, ", \"after\": \"");
            put_before(g, j, " ", " ; ", "", 0);
            put(g, "\"}");
        } else {
            put(g, "%s", flag(g, 0) ? ", \"after\": [" : "}");
            if (flag(g, 0)) {
                put_before(g, j, "", ", ", "\"", 0);
                put(g, "]}");
            }
        }
    }
    put(g, "], \"edges\": [");
    for (int e = 0; e < g->edges && !flag(g, 0); e++) {
        const char *comma = e == 0 ? "" : ",\n";
        if (flag(g, e)) {
            put(g, "%s[%d, \"%d\"]", comma, g->from[e], g->to[e]);
        } else {
            put(g, "%s{\"to\": %d, \"from\": \"%d\"}", comma, g->to[e], g->from[e]);
        }
    }
    put(g, "]}");
}

static void write_csv(graph *g)
{
    put(g, "id,after,cpu,gpu\n");
    for (int j = 0; j < g->tasks; j++) {
        put(g, "%d,", j);
        put_before(g, j, "", flag(g, j) ? ";" : " ; ", "", 0);
        put(g, ",%d,%d\n", g->time[j], g->time[j] + 1);
    }
}

// Whether an edge is there twice.
static bool has_double(const graph *g)
{
    for (int a = 0; a < g->edges; a++) {
        for (int b = 0; b < a; b++) {
            if (g->from[a] == g->from[b] && g->to[a] == g->to[b]) {
                return true;
            }
        }
    }
    return false;
}

// Whether all tasks can be taken off one after the other.
static bool is_acyclic(const graph *g)
{
    bool gone[MOST_TASKS] = {false};
    for (int round = 0; round < g->tasks; round++) {
        for (int j = 0; j < g->tasks; j++) {
            bool free = true;
            for (int e = 0; e < g->edges; e++) {
                free = free && (g->to[e] != j || gone[g->from[e]]);
            }
            gone[j] = gone[j] || free;
        }
    }
    bool all = true;
    for (int j = 0; j < g->tasks; j++) {
        all = all && gone[j];
    }
    return all;
}

static void check_edges(const graph *g, const duet_instance *instance, bool merged)
{
    fuzz_check(duet_instance_tasks(instance) == g->tasks, "tasks of a graph");
    int64_t edges = duet_instance_edges(instance);
    fuzz_check(merged || edges == g->edges, "edges of a graph");
    for (int64_t i = 0; i < edges; i++) {
        duet_edge edge = duet_instance_edge(instance, i);
        bool found = false;
        for (int e = 0; e < g->edges; e++) {
            found = found || (g->from[e] == edge.from && g->to[e] == edge.to);
        }
        fuzz_check(found, "an edge that was not written");
    }
    for (int e = 0; e < g->edges; e++) {
        bool found = false;
        for (int64_t i = 0; i < edges; i++) {
            duet_edge edge = duet_instance_edge(instance, i);
            found = found || (g->from[e] == edge.from && g->to[e] == edge.to);
        }
        fuzz_check(found, "an edge that was not read");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const writers[FORMATS])(graph *) = {
        write_text, write_stg, write_dot, write_workflow, write_starpu, write_json, write_csv};
    static graph g;
    fuzz_input input = {data, size};
    graph_format format = (graph_format)fuzz_between(&input, 0, FORMATS - 1);
    memset(&g, 0, sizeof g);
    draw(&input, format, &g);
    writers[format](&g);
    duet_error error = DUET_ERROR_INIT;
    duet_instance *instance;
    duet_code code =
        duet_read_instance(fuzz_file(0, (const uint8_t *)g.text, g.used), NULL, &instance, &error);
    fuzz_check_error(code, &error);
    if (!is_acyclic(&g)) {
        fuzz_check(code == DUET_E_INPUT, "a cycle was read");
    } else if (!has_double(&g)) {
        fuzz_check(code == DUET_OK, error.message);
    }
    if (code == DUET_OK) {
        check_edges(&g, instance, has_double(&g));
    }
    duet_instance_free(instance);
    return 0;
}
