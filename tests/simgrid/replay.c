// SPDX-License-Identifier: Apache-2.0
// Replays a schedule in SimGrid and compares what the simulation says with what the solution
// claims.
//
//   replay INSTANCE.json SOLUTION.json [asap]
//   replay <LINES   each line two files and perhaps "asap"; "ok" or "FAIL" and the line follow
//
// Each processor is a host, and an actor on it executes that processor's runs in the order of the
// solution, each for as long as the instance says that the task takes there. An aborted run is one
// of full length, which the processor that takes the task over cancels when it gets there. So the
// solution's order is followed, and its times are not: the clock tells when each run began and
// ended. An actor waits for the time at which a run is to begin only where the solution leaves the
// processor idle. Times are whole numbers of ticks, which doubles hold exactly.
//
// In a task graph a run also waits for its predecessors. Where data take time they go through the
// network: a link that all transfers share without slowing each other, one byte a tick, and as many
// bytes as the instance says between these types. So a run that the solution starts before its data
// are there begins too late here. With "asap" nobody waits for a time: the schedule starts each
// task as soon as its processor is free and its data are there, or it is not what the simulation
// finds.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <simgrid/actor.h>
#include <simgrid/comm.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <simgrid/semaphore.h>
#include <xbt/config.h>

#include "claims.h"

static bool asap; // nobody waits for a time

// --- the simulation ----------------------------------------------------------------------------

// A run is an actor of its own: it can be killed.
static void execute(int argc, char **argv)
{
    (void)argc;
    run *at = &all.runs[strtoul(argv[1], NULL, 10)];
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
    snprintf(index, sizeof index, "%zu", (size_t)(at - all.runs));
    at->actor = sg_actor_create(at->task, sg_host_self(), execute, 2, arguments);
    sg_actor_ref(at->actor);
    sg_actor_join(at->actor, -1);
    at->ended = simgrid_get_clock();
    if (at->complete == at->gives_up) {
        fail(at->gives_up ? "claimed to be aborted, but it ended" : "aborted", at->task);
    }
}

static void mailbox_name(const edge *e, char name[32])
{
    snprintf(name, 32, "e%zu", (size_t)(e - all.edges));
}

// A transfer is an actor of its own: any number of them go on at once.
static void transfer(int argc, char **argv)
{
    (void)argc;
    edge *e = &all.edges[strtoul(argv[1], NULL, 10)];
    char name[32];
    mailbox_name(e, name);
    sg_mailbox_put(sg_mailbox_by_name(name), e, e->cost);
}

// The task of a run has ended: its data leave, and who needs none to travel may go on.
static void send_data(const run *at)
{
    for (size_t i = 0; i < all.edge_count; i++) {
        if (all.edges[i].from == at) {
            char index[32];
            char *arguments[] = {(char *)"transfer", index};
            snprintf(index, sizeof index, "%zu", i);
            sg_sem_release(all.edges[i].sent);
            if (all.edges[i].cost > 0) {
                sg_actor_create("transfer", sg_host_self(), transfer, 2, arguments);
            }
        }
    }
}

// Asks for the data of all runs of a processor, so that they travel as soon as they are sent.
static void expect_data(size_t first, size_t end)
{
    for (size_t i = 0; i < all.edge_count; i++) {
        edge *e = &all.edges[i];
        if (e->cost > 0 && e->to >= &all.runs[first] && e->to < &all.runs[end]) {
            char name[32];
            mailbox_name(e, name);
            e->data = sg_mailbox_get_async(sg_mailbox_by_name(name), &e->received);
        }
    }
}

// A run that is given up has waited for the same tasks as the one that takes over; where data take
// time nothing is given up.
static void await_data(const run *at)
{
    for (size_t i = 0; i < all.edge_count; i++) {
        edge *e = &all.edges[i];
        if (strcmp(e->to->task, at->task) != 0) {
            continue;
        }
        sg_sem_acquire(e->sent);
        sg_sem_release(e->sent);
        if (e->cost > 0 && !e->here) {
            sg_comm_wait(e->data);
            e->here = true;
        }
    }
}

static size_t end_of_processor(size_t first)
{
    size_t end = first;
    while (end < all.run_count && all.runs[end].type == all.runs[first].type &&
           all.runs[end].processor == all.runs[first].processor) {
        end++;
    }
    return end;
}

static void processor(int argc, char **argv)
{
    (void)argc;
    size_t first = strtoul(argv[1], NULL, 10);
    size_t end = end_of_processor(first);
    expect_data(first, end);
    for (size_t i = first; i < end; i++) {
        bool idle = i == first ? all.runs[i].start > 0 : all.runs[i].start > all.runs[i - 1].end;
        if (!vanishes(&all.runs[i])) {
            await_data(&all.runs[i]);
        }
        if (idle && !asap && all.runs[i].start > simgrid_get_clock()) {
            sg_actor_sleep_until(all.runs[i].start);
        }
        if (all.runs[i].length > 0 && !vanishes(&all.runs[i])) {
            perform(&all.runs[i]);
        } else {
            all.runs[i].began = all.runs[i].ended = simgrid_get_clock();
        }
        if (!all.runs[i].gives_up) {
            send_data(&all.runs[i]);
        }
    }
}

static bool first_of_processor(size_t i)
{
    return i == 0 || all.runs[i].type != all.runs[i - 1].type ||
           all.runs[i].processor != all.runs[i - 1].processor;
}

// Routes between all hosts over one link that slows nothing; none where no data travel.
static void write_routes(FILE *file)
{
    fputs("<link id=\"net\" bandwidth=\"1Bps\" latency=\"0us\" sharing_policy=\"FATPIPE\"/>\n",
          file);
    for (size_t i = 0; i < all.run_count; i++) {
        for (size_t j = i + 1; j < all.run_count && first_of_processor(i); j++) {
            if (first_of_processor(j)) {
                fprintf(file, "<route src=\"h%zu\" dst=\"h%zu\"><link_ctn id=\"net\"/></route>\n",
                        i, j);
            }
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
          "<platform version=\"4.1\">\n<zone id=\"machine\" routing=\"Full\">\n",
          file);
    for (size_t i = 0; i < all.run_count; i++) {
        if (first_of_processor(i)) {
            fprintf(file, "<host id=\"h%zu\" speed=\"1f\"/>\n", i);
        }
    }
    write_routes(file);
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
    for (size_t i = 0; i < all.edge_count; i++) {
        all.edges[i].sent = sg_sem_init(0);
    }
    for (size_t i = 0; i < all.run_count; i++) {
        char host[32];
        char first[32];
        snprintf(host, sizeof host, "h%zu", i);
        snprintf(first, sizeof first, "%zu", i);
        if (first_of_processor(i)) {
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
    double claimed = all.makespan;
    for (size_t i = 0; i < all.run_count; i++) {
        last = all.runs[i].ended > last ? all.runs[i].ended : last;
        aborted += all.runs[i].gives_up;
        if (all.runs[i].began != all.runs[i].start || all.runs[i].ended != all.runs[i].end) {
            printf("FAIL %s: claimed %.0f to %.0f, simulated %.17g to %.17g\n", all.runs[i].task,
                   all.runs[i].start, all.runs[i].end, all.runs[i].began, all.runs[i].ended);
            faults++;
        }
    }
    if (last != claimed || (all.run_count > 0 && simgrid_get_clock() != claimed)) {
        printf("FAIL makespan: claimed %.0f, simulated %.17g (clock %.17g)\n", claimed, last,
               simgrid_get_clock());
        faults++;
    }
    printf("%zu runs, %zu of them aborted, makespan %.0f ticks\n", all.run_count, aborted, last);
    return faults;
}

static int replay(const char *instance, const char *solution)
{
    read_claims(instance, solution);
    if (all.run_count > 0) {
        simulate();
    }
    int faults = compare();
    free_claims();
    return faults > 0;
}

// Each line in a process of its own: SimGrid simulates once in a process, and takes longer to start
// than to simulate.
static int replay_lines(void)
{
    char line[200];
    int faults = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char instance[64];
        char solution[64];
        char word[8] = "";
        if (sscanf(line, "%63s %63s %7s", instance, solution, word) < 2) {
            return 2;
        }
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            asap = strcmp(word, "asap") == 0;
            int code = replay(instance, solution);
            fflush(stdout);
            _exit(code);
        }
        int status;
        bool held = child > 0 && waitpid(child, &status, 0) == child && status == 0;
        printf("%s %s", held ? "ok" : "FAIL", line);
        faults += !held;
    }
    return faults > 0;
}

int main(int argc, char **argv)
{
    // A transfer takes its bytes over the bandwidth, and nothing else.
    simgrid_init(&argc, argv);
    sg_cfg_set_string("network/model", "CM02");
    sg_cfg_set_double("network/TCP-gamma", 0);
    sg_cfg_set_boolean("network/crosstraffic", "no");
    if (argc == 1) {
        return replay_lines();
    }
    if (argc < 3 || argc > 4 || (argc == 4 && strcmp(argv[3], "asap") != 0)) {
        fprintf(stderr, "usage: replay [INSTANCE.json SOLUTION.json [asap]]\n");
        return 2;
    }
    asap = argc == 4;
    return replay(argv[1], argv[2]);
}
