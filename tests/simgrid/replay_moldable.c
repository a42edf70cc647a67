// SPDX-License-Identifier: Apache-2.0
// Replays a schedule of moldable tasks in SimGrid by the order of its tasks on each processor, and
// compares makespans.
//
//   simgrid_moldable INSTANCE.json SOLUTION.json
//
// An actor for each task waits for the tasks before it on its processors and for the
// redistributions of its data, then executes on all of its hosts at once, each with the operations
// that the law or the table gives it (model ptask_L07). An actor for each edge starts when its
// first task ends, and moves the bytes between two sets of hosts: those of one-dimensional blocks,
// by how far the blocks overlap. Hosts of a cluster have a link each, behind a switch without
// contention; clusters are joined by one link each. Transfers share links, which the schedule's
// model leaves out: the makespan may be longer than it says. Prints "ratio R", simulated over
// claimed.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

typedef struct task {
    const char *id;
    double start;
    double operations; // on each of its hosts
    size_t hosts;
    sg_host_t *host;
    char (*name)[32]; // of the hosts
    sg_sem_t ready;   // a token for each thing that the task waits for
    size_t tokens;
} task;

typedef struct edge {
    size_t from, to; // tasks
    double bytes;    // below 0: none
    sg_sem_t ready;
} edge;

static json_t *instance;
static json_t *solution;
static task *tasks;
static size_t task_count;
static edge *edges;
static size_t edge_count;
// Pairs of tasks that follow each other on a processor.
static size_t (*follows)[2];
static size_t follow_count;

_Noreturn static void fail(const char *what, const char *about)
{
    fprintf(stderr, "simgrid_moldable: %s: %s\n", what, about);
    fflush(NULL);
    _exit(1); // SimGrid's own exit handlers want all actors to have ended
}

static void *allocate(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    if (block == NULL) {
        fail("out of memory", "schedule");
    }
    return block;
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

static double number(const json_t *object, const char *name, double fallback)
{
    const json_t *value = json_object_get(object, name);
    return json_is_number(value) ? json_number_value(value) : fallback;
}

static const char *text(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    if (value == NULL) {
        fail("expected a text", name);
    }
    return value;
}

static size_t find_type(const char *name)
{
    size_t i;
    json_t *type;
    json_array_foreach(json_object_get(instance, "platform"), i, type)
    {
        if (strcmp(text(type, "type"), name) == 0) {
            return i;
        }
    }
    fail("unknown type", name);
}

static size_t find_task(const char *id)
{
    for (size_t j = 0; j < task_count; j++) {
        if (strcmp(tasks[j].id, id) == 0) {
            return j;
        }
    }
    fail("unknown task", id);
}

// --- the schedule --------------------------------------------------------------------------------

static void add_hosts(task *to, size_t type, const json_t *ranges)
{
    size_t i;
    const json_t *range;
    json_array_foreach(ranges, i, range)
    {
        size_t first = (size_t)json_number_value(json_array_get(range, 0));
        size_t last = (size_t)json_number_value(json_array_get(range, 1));
        to->name = realloc(to->name, (to->hosts + last - first + 1) * sizeof *to->name);
        if (to->name == NULL) {
            fail("out of memory", to->id);
        }
        for (size_t p = first; p <= last; p++) {
            snprintf(to->name[to->hosts++], sizeof *to->name, "c%zu-%zu", type, p);
        }
    }
}

// Operations on each host: of the law, or those that take the table's time at the type's speed.
static double operations_of(const json_t *kind, size_t type, size_t hosts)
{
    const json_t *law = kind;
    if (json_object_get(kind, "work") == NULL) {
        law = json_array_get(json_object_get(kind, "times"), type);
    }
    if (json_is_object(law)) {
        double alpha = number(law, "alpha", 0);
        return (alpha + (1 - alpha) / (double)hosts) * number(law, "work", 0);
    }
    double time = json_number_value(json_is_array(law) ? json_array_get(law, hosts - 1) : law);
    const json_t *of = json_array_get(json_object_get(instance, "platform"), type);
    return time * number(of, "speed", 1);
}

static void take_entry(task *to, const json_t *entry, const json_t *kind)
{
    const json_t *parts = json_object_get(entry, "parts");
    size_t type = 0;
    size_t i;
    const json_t *part;
    to->start = number(entry, "start", 0);
    if (parts == NULL) {
        type = find_type(text(entry, "type"));
        add_hosts(to, type, json_object_get(entry, "processors"));
    }
    json_array_foreach(parts, i, part)
    {
        type = find_type(text(part, "type"));
        add_hosts(to, type, json_object_get(part, "processors"));
    }
    to->operations = operations_of(kind, type, to->hosts);
}

static void take_schedule(void)
{
    const json_t *kinds = json_object_get(instance, "tasks");
    size_t i;
    const json_t *item;
    task_count = json_array_size(kinds);
    tasks = allocate(task_count, sizeof *tasks);
    json_array_foreach(kinds, i, item)
    {
        tasks[i].id = text(item, "id");
    }
    json_array_foreach(json_object_get(solution, "schedule"), i, item)
    {
        size_t j = find_task(text(item, "task"));
        take_entry(&tasks[j], item, json_array_get(kinds, j));
    }
}

static void take_edges(void)
{
    const json_t *list = json_object_get(instance, "edges");
    size_t i;
    const json_t *item;
    edge_count = json_array_size(list);
    edges = allocate(edge_count, sizeof *edges);
    json_array_foreach(list, i, item)
    {
        bool pair = json_is_array(item);
        const char *from = pair ? json_string_value(json_array_get(item, 0)) : text(item, "from");
        const char *to = pair ? json_string_value(json_array_get(item, 1)) : text(item, "to");
        edges[i] = (edge){find_task(from), find_task(to), pair ? -1 : number(item, "data", -1), 0};
    }
}

static int by_host(const void *left, const void *right)
{
    const size_t *a = left;
    const size_t *b = right;
    int order = strcmp(tasks[a[0]].name[a[1]], tasks[b[0]].name[b[1]]);
    return order != 0
               ? order
               : (tasks[a[0]].start > tasks[b[0]].start) - (tasks[a[0]].start < tasks[b[0]].start);
}

// Sorts the hosts of all tasks, and finds who follows whom.
static void order_hosts(void)
{
    size_t all = 0;
    for (size_t j = 0; j < task_count; j++) {
        all += tasks[j].hosts;
    }
    size_t(*on)[2] = allocate(all, sizeof *on);
    follows = allocate(all, sizeof *follows);
    size_t at = 0;
    for (size_t j = 0; j < task_count; j++) {
        for (size_t h = 0; h < tasks[j].hosts; h++, at++) {
            on[at][0] = j;
            on[at][1] = h;
        }
    }
    qsort(on, all, sizeof *on, by_host);
    for (size_t i = 1; i < all; i++) {
        if (strcmp(tasks[on[i - 1][0]].name[on[i - 1][1]], tasks[on[i][0]].name[on[i][1]]) == 0) {
            follows[follow_count][0] = on[i - 1][0];
            follows[follow_count++][1] = on[i][0];
        }
    }
    free(on);
}

// --- the simulation ------------------------------------------------------------------------------

static void perform(int argc, char **argv)
{
    (void)argc;
    size_t which = strtoul(argv[1], NULL, 10);
    task *at = &tasks[which];
    double *operations = allocate(at->hosts, sizeof *operations);
    for (size_t i = 0; i < at->tokens; i++) {
        sg_sem_acquire(at->ready);
    }
    for (size_t h = 0; h < at->hosts; h++) {
        operations[h] = at->operations;
    }
    sg_actor_parallel_execute((int)at->hosts, at->host, operations, NULL);
    for (size_t e = 0; e < edge_count; e++) {
        if (edges[e].from == which) {
            sg_sem_release(edges[e].ready);
        }
    }
    for (size_t i = 0; i < follow_count; i++) {
        if (follows[i][0] == which) {
            sg_sem_release(tasks[follows[i][1]].ready);
        }
    }
}

static bool same_hosts(const task *a, const task *b)
{
    return a->hosts == b->hosts && memcmp(a->host, b->host, a->hosts * sizeof *a->host) == 0;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

// The part of the data that is in block i of p and in block j of q.
static double overlap(size_t i, size_t p, size_t j, size_t q)
{
    double from = larger((double)i / (double)p, (double)j / (double)q);
    double to = smaller((double)(i + 1) / (double)p, (double)(j + 1) / (double)q);
    return larger(to - from, 0);
}

static void redistribute(int argc, char **argv)
{
    (void)argc;
    edge *at = &edges[strtoul(argv[1], NULL, 10)];
    task *from = &tasks[at->from];
    task *to = &tasks[at->to];
    size_t p = from->hosts;
    size_t q = to->hosts;
    sg_sem_acquire(at->ready);
    if (at->bytes >= 0 && !same_hosts(from, to) && json_object_get(instance, "network") != NULL) {
        sg_host_t *host = allocate(p + q, sizeof *host);
        double *bytes = allocate((p + q) * (p + q), sizeof *bytes);
        double *operations = allocate(p + q, sizeof *operations);
        memcpy(host, from->host, p * sizeof *host);
        memcpy(host + p, to->host, q * sizeof *host);
        for (size_t i = 0; i < p; i++) {
            for (size_t j = 0; j < q; j++) {
                bool moves = from->host[i] != to->host[j];
                bytes[i * (p + q) + p + j] = moves ? at->bytes * overlap(i, p, j, q) : 0;
            }
        }
        sg_actor_parallel_execute((int)(p + q), host, operations, bytes);
    }
    sg_sem_release(to->ready);
}

static void write_platform(FILE *file)
{
    const json_t *platform = json_object_get(instance, "platform");
    const json_t *network = json_object_get(instance, "network");
    double latency = number(network, "latency", 0);
    double beyond = larger(number(network, "inter_latency", 0) - latency, 0);
    double between = number(network, "inter_bandwidth", 1e18);
    size_t i;
    const json_t *type;
    fputs("<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n<zone id=\"world\" routing=\"Full\">\n",
          file);
    json_array_foreach(platform, i, type)
    {
        double bandwidth = number(type, "bandwidth", 1e18);
        fprintf(file,
                "<cluster id=\"c%zu\" prefix=\"c%zu-\" suffix=\"\" radical=\"0-%.0f\" "
                "speed=\"%.17gf\" bw=\"%.17gBps\" lat=\"%.17gs\" bb_bw=\"%.17gBps\" bb_lat=\"0s\" "
                "bb_sharing_policy=\"FATPIPE\"/>\n",
                i, i, number(type, "count", 1) - 1, number(type, "speed", 1), bandwidth,
                latency / 2, bandwidth);
        fprintf(file, "<link id=\"g%zu\" bandwidth=\"%.17gBps\" latency=\"%.17gs\"/>\n", i, between,
                beyond / 2);
    }
    for (size_t a = 0; a < json_array_size(platform); a++) {
        for (size_t b = a + 1; b < json_array_size(platform); b++) {
            fprintf(file,
                    "<zoneRoute src=\"c%zu\" dst=\"c%zu\" gw_src=\"c%zu-c%zu_router\" "
                    "gw_dst=\"c%zu-c%zu_router\"><link_ctn id=\"g%zu\"/><link_ctn id=\"g%zu\"/>"
                    "</zoneRoute>\n",
                    a, b, a, a, b, b, a, b);
        }
    }
    fputs("</zone>\n</platform>\n", file);
}

static void load_platform(void)
{
    char path[] = "/tmp/duet-simgrid-XXXXXX.xml";
    int descriptor = mkstemps(path, 4);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file == NULL) {
        fail("cannot write", path);
    }
    write_platform(file);
    if (fclose(file) != 0) {
        fail("cannot write", path);
    }
    simgrid_load_platform(path);
    unlink(path);
}

static void create_actor(const char *what, size_t which, sg_host_t host, void (*code)(int, char **))
{
    char index[32];
    char *arguments[] = {(char *)what, index};
    snprintf(index, sizeof index, "%zu", which);
    sg_actor_create(what, host, code, 2, arguments);
}

static void simulate(void)
{
    load_platform();
    for (size_t j = 0; j < task_count; j++) {
        tasks[j].ready = sg_sem_init(0);
        tasks[j].host = allocate(tasks[j].hosts, sizeof *tasks[j].host);
        for (size_t h = 0; h < tasks[j].hosts; h++) {
            tasks[j].host[h] = sg_host_by_name(tasks[j].name[h]);
        }
    }
    for (size_t i = 0; i < follow_count; i++) {
        tasks[follows[i][1]].tokens++;
    }
    for (size_t e = 0; e < edge_count; e++) {
        edges[e].ready = sg_sem_init(0);
        tasks[edges[e].to].tokens++;
        create_actor("edge", e, tasks[edges[e].from].host[0], redistribute);
    }
    for (size_t j = 0; j < task_count; j++) {
        create_actor("task", j, tasks[j].host[0], perform);
    }
    simgrid_run();
}

int main(int argc, char **argv)
{
    char model[] = "--cfg=host/model:ptask_L07";
    char *arguments[] = {argv[0], model, NULL};
    int count = 2;
    simgrid_init(&count, arguments);
    if (argc != 3) {
        fprintf(stderr, "usage: simgrid_moldable INSTANCE.json SOLUTION.json\n");
        return 2;
    }
    instance = load(argv[1]);
    solution = load(argv[2]);
    take_schedule();
    take_edges();
    order_hosts();
    simulate();
    double claimed = number(solution, "makespan", 0);
    printf("claimed %.9g, simulated %.9g, ratio %.9f\n", claimed, simgrid_get_clock(),
           claimed > 0 ? simgrid_get_clock() / claimed : 1);
    return 0;
}
