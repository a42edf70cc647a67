// SPDX-License-Identifier: Apache-2.0
// Replays a schedule in SimGrid and compares what the simulation says with what the solution
// claims.
//
//   replay INSTANCE.json SOLUTION.json
//
// Each processor is a host, and an actor on it executes that processor's runs in the order of the
// solution, each for as long as the instance says that the task takes there. An aborted run is one
// of full length, which the processor that takes the task over cancels when it gets there. So the
// solution's order is followed, and its times are not: the clock tells when each run began and
// ended. An actor waits for the time at which a run is to begin only where the solution leaves the
// processor idle. Times are whole numbers of ticks, which doubles hold exactly.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

typedef struct run {
    const char *task;
    size_t type;
    size_t processor;
    double start; // claimed, in ticks
    double end;
    double length;       // the instance's time, in ticks
    struct run *aborted; // the run of the same task that this one takes over
    bool gives_up;
    sg_actor_t actor;
    bool complete;
    double began; // simulated
    double ended;
} run;

static run *runs;
static size_t run_count;
static double scale = 1; // ticks of one unit
static json_t *instance;
static json_t *solution;

_Noreturn static void fail(const char *what, const char *about)
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

// The smallest power of ten that makes all times of the instance whole.
static void choose_scale(void)
{
    while (!all_whole() && scale < 1e9) {
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
        run *at = &runs[run_count++];
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
    for (size_t i = 0; i < run_count; i++) {
        for (size_t j = 0; runs[i].gives_up && j < run_count; j++) {
            if (!runs[j].gives_up && strcmp(runs[i].task, runs[j].task) == 0) {
                runs[j].aborted = &runs[i];
            }
        }
    }
}

// --- the simulation ----------------------------------------------------------------------------

// A run is an actor of its own: it can be killed.
static void execute(int argc, char **argv)
{
    (void)argc;
    run *at = &runs[strtoul(argv[1], NULL, 10)];
    sg_actor_execute(at->length);
    at->complete = true;
}

// A run that is given up at the moment at which it would begin.
static bool vanishes(const run *at)
{
    return at->gives_up && at->start == at->end;
}

static void perform(run *at)
{
    char index[32];
    char *arguments[] = {(char *)"run", index};
    if (at->aborted != NULL && !vanishes(at->aborted)) {
        if (at->aborted->actor == NULL || at->aborted->complete) {
            fail("taken over while it does not run", at->task);
        }
        sg_actor_kill(at->aborted->actor);
    }
    at->began = simgrid_get_clock();
    snprintf(index, sizeof index, "%zu", (size_t)(at - runs));
    at->actor = sg_actor_create(at->task, sg_host_self(), execute, 2, arguments);
    sg_actor_ref(at->actor);
    sg_actor_join(at->actor, -1);
    at->ended = simgrid_get_clock();
    if (at->complete == at->gives_up) {
        fail(at->gives_up ? "claimed to be aborted, but it ended" : "aborted", at->task);
    }
}

static void processor(int argc, char **argv)
{
    (void)argc;
    size_t first = strtoul(argv[1], NULL, 10);
    for (size_t i = first; i < run_count && runs[i].type == runs[first].type &&
                           runs[i].processor == runs[first].processor;
         i++) {
        bool idle = i == first ? runs[i].start > 0 : runs[i].start > runs[i - 1].end;
        if (idle) {
            sg_actor_sleep_until(runs[i].start);
        }
        if (runs[i].length > 0 && !vanishes(&runs[i])) {
            perform(&runs[i]);
        } else {
            runs[i].began = runs[i].ended = simgrid_get_clock();
        }
    }
}

static void load_platform(void)
{
    char path[] = "/tmp/duet-simgrid-XXXXXX.xml";
    int descriptor = mkstemps(path, 4);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file == NULL) {
        fail("cannot write", path);
    }
    fputs("<?xml version='1.0'?>\n"
          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n<zone id=\"machine\" routing=\"None\">\n",
          file);
    for (size_t i = 0; i < run_count; i++) {
        if (i == 0 || runs[i].type != runs[i - 1].type ||
            runs[i].processor != runs[i - 1].processor) {
            fprintf(file, "<host id=\"h%zu\" speed=\"1f\"/>\n", i);
        }
    }
    fputs("</zone>\n</platform>\n", file);
    if (fclose(file) != 0) {
        fail("cannot write", path);
    }
    simgrid_load_platform(path);
    unlink(path);
}

static void simulate(void)
{
    load_platform();
    for (size_t i = 0; i < run_count; i++) {
        char host[32];
        char first[32];
        snprintf(host, sizeof host, "h%zu", i);
        snprintf(first, sizeof first, "%zu", i);
        if (i == 0 || runs[i].type != runs[i - 1].type ||
            runs[i].processor != runs[i - 1].processor) {
            char *arguments[] = {(char *)"processor", first};
            sg_actor_create(host, sg_host_by_name(host), processor, 2, arguments);
        }
    }
    simgrid_run();
}

static int compare(void)
{
    int faults = 0;
    double last = 0;
    size_t aborted = 0;
    double claimed = ticks(number(solution, "makespan"));
    for (size_t i = 0; i < run_count; i++) {
        last = runs[i].ended > last ? runs[i].ended : last;
        aborted += runs[i].gives_up;
        if (runs[i].began != runs[i].start || runs[i].ended != runs[i].end) {
            printf("FAIL %s: claimed %.0f to %.0f, simulated %.17g to %.17g\n", runs[i].task,
                   runs[i].start, runs[i].end, runs[i].began, runs[i].ended);
            faults++;
        }
    }
    if (last != claimed || (run_count > 0 && simgrid_get_clock() != claimed)) {
        printf("FAIL makespan: claimed %.0f, simulated %.17g (clock %.17g)\n", claimed, last,
               simgrid_get_clock());
        faults++;
    }
    printf("%zu runs, %zu of them aborted, makespan %.0f ticks\n", run_count, aborted, last);
    return faults;
}

int main(int argc, char **argv)
{
    simgrid_init(&argc, argv);
    if (argc != 3) {
        fprintf(stderr, "usage: replay INSTANCE.json SOLUTION.json\n");
        return 2;
    }
    instance = load(argv[1]);
    solution = load(argv[2]);
    choose_scale();
    size_t most = json_array_size(json_object_get(solution, "schedule")) +
                  json_array_size(json_object_get(solution, "aborted"));
    runs = calloc(most + 1, sizeof *runs);
    if (runs == NULL) {
        fail("out of memory", "runs");
    }
    list_runs("schedule", false);
    list_runs("aborted", true);
    qsort(runs, run_count, sizeof *runs, by_place);
    link_aborted();
    if (run_count > 0) {
        simulate();
    }
    int faults = compare();
    json_decref(instance);
    json_decref(solution);
    free(runs);
    return faults > 0;
}
