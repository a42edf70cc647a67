// SPDX-License-Identifier: Apache-2.0
// duet simulate --bus: plans on a machine with a bus, and the best of them.
#include "cli/simulate.h"

#include <stdio.h>
#include <string.h>

#include <duet/bus.h>
#include <duet/io.h>
#include <duet/solve.h>

#include "console/json.h"
#include "console/print.h"
#include "console/texts.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"

enum { NAME = 64, KEEPS = DUET_BUS_NODES + 1 };

static const char *const keep_names[KEEPS] = {"as it is", "relocated", "priorities", "on nodes"};

// A plan on the bus, as it is and relocated.
typedef struct row {
    char name[NAME];
    int64_t planned;
    duet_bus_run run[KEEPS]; // by duet_bus_keep
} row;

typedef struct contest {
    const duet_cli_bus_run *run;
    const duet_instance *instance;
    duet_bus *bus;
    row *row;
    size_t rows;
    size_t best;        // row
    bool relocated;     // of the best
    duet_solution *won; // as it was carried out
} contest;

static int64_t shortest(const contest *c)
{
    return c->row[c->best].run[c->relocated].makespan;
}

static duet_code judge(contest *c, const char *name, const duet_solution *plan, duet_error *error)
{
    row made = {.planned = duet_solution_makespan(plan)};
    snprintf(made.name, sizeof made.name, "%s", name);
    DUET_TRY(duet_vec_push(c->row, c->rows, error, made));
    for (int keep = DUET_BUS_PLACES; keep < KEEPS; keep++) {
        duet_solution *carried = NULL;
        duet_bus_run *run = &c->row[c->rows - 1].run[keep];
        DUET_TRY(duet_bus_carry_out(c->bus, c->instance, plan, (duet_bus_keep)keep, &carried, run,
                                    error));
        if (keep > DUET_BUS_TYPES || (c->won != NULL && run->makespan >= shortest(c))) {
            duet_solution_free(carried);
            continue;
        }
        duet_solution_free(c->won);
        c->won = carried;
        c->best = c->rows - 1;
        c->relocated = keep == DUET_BUS_TYPES;
    }
    return DUET_OK;
}

static int count_names(const char *list)
{
    int names = 1;
    for (; *list != '\0'; list++) {
        names += *list == ',';
    }
    return names;
}

// Each has its share of the time that is left.
static duet_code plan_and_judge(contest *c, const char *name, int left, duet_error *error)
{
    duet_solution *plan = NULL;
    duet_params params = duet_cli_params_left(c->run->shared);
    params.cancel = c->run->cancel;
    if (params.time_limit > 0) {
        params.time_limit /= left + 1; // carrying out takes time, too
    }
    duet_code code = duet_solve(c->instance, name, &params, &plan, error);
    DUET_THEN(code, judge(c, name, plan, error));
    duet_solution_free(plan);
    return code;
}

static duet_code judge_all(contest *c, duet_error *error)
{
    if (c->run->plan != NULL) {
        return judge(c, c->run->solution, c->run->plan, error);
    }
    int left = count_names(c->run->algorithms);
    for (const char *at = c->run->algorithms; left > 0; left--) {
        char name[NAME];
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        DUET_TRY(plan_and_judge(c, name, left, error));
        at += length + (at[length] == ',');
    }
    return DUET_OK;
}

// --- what came of it -----------------------------------------------------------------------------

static void write_json(const contest *c)
{
    char text[2][32];
    static const char *const names[KEEPS] = {"places", "types", "priorities", "nodes"};
    duet_cli_json json = {.stream = stdout};
    duet_cli_json_open(&json, NULL, '{');
    duet_cli_json_string(&json, "instance", duet_instance_name(c->instance));
    duet_cli_json_string(&json, "bus", c->run->bus);
    duet_cli_json_open(&json, "plans", '[');
    for (size_t i = 0; i < c->rows; i++) {
        duet_cli_json_open(&json, NULL, '{');
        duet_cli_json_string(&json, "plan", c->row[i].name);
        duet_cli_json_number(&json, "planned",
                             duet_instance_format_time(c->instance, c->row[i].planned, text[0]));
        for (int keep = 0; keep < KEEPS; keep++) {
            const duet_bus_run *run = &c->row[i].run[keep];
            duet_cli_json_open(&json, names[keep], '{');
            duet_cli_json_number(&json, "makespan",
                                 duet_instance_format_time(c->instance, run->makespan, text[0]));
            duet_cli_json_number(&json, "waiting",
                                 duet_instance_format_time(c->instance, run->waiting, text[1]));
            duet_cli_json_integer(&json, "moved", run->moved);
            duet_cli_json_integer(&json, "transfers", run->transfers);
            duet_cli_json_integer(&json, "evictions", run->evictions);
            duet_cli_json_close(&json, '}');
        }
        duet_cli_json_close(&json, '}');
    }
    duet_cli_json_close(&json, ']');
    duet_cli_json_string(&json, "best", c->row[c->best].name);
    duet_cli_json_boolean(&json, "relocated", c->relocated);
    duet_cli_json_number(&json, "makespan",
                         duet_instance_format_time(c->instance, shortest(c), text[0]));
    duet_cli_json_close(&json, '}');
}

static void print_row(const contest *c, const row *r, int keep)
{
    char text[3][DUET_CLI_TEXT];
    const duet_bus_run *run = &r->run[keep];
    duet_cli_print(stdout, "%-16s %-10s %16s %16s %16s %9lld %9lld\n",
                   keep == DUET_BUS_PLACES ? r->name : "", keep_names[keep],
                   keep == DUET_BUS_PLACES ? duet_cli_time(c->instance, r->planned, text[0]) : "",
                   duet_cli_time(c->instance, run->makespan, text[1]),
                   duet_cli_time(c->instance, run->waiting, text[2]), (long long)run->transfers,
                   (long long)run->evictions);
}

static void print(const contest *c)
{
    char size[DUET_CLI_TEXT];
    char platform[DUET_CLI_TEXT];
    char time[DUET_CLI_TEXT];
    duet_cli_print(stdout, "instance     %s: %s\nplatform     %s\nbus          %s\n",
                   duet_instance_name(c->instance), duet_cli_size(c->instance, size),
                   duet_cli_platform(c->instance, platform, sizeof platform), c->run->bus);
    duet_cli_print(stdout, "%-16s %-10s %16s %16s %16s %9s %9s\n", "plan", "", "planned",
                   "on the bus", "waiting", "transfers", "evictions");
    for (size_t i = 0; i < c->rows; i++) {
        for (int keep = 0; keep < KEEPS; keep++) {
            print_row(c, &c->row[i], keep);
        }
    }
    duet_cli_print(stdout, "best         %s, %s: %s\n", c->row[c->best].name,
                   c->relocated ? "relocated" : "as it is",
                   duet_cli_time(c->instance, shortest(c), time));
}

static duet_code write_best(const contest *c, duet_error *error)
{
    duet_solution *settled = NULL;
    duet_code code = duet_bus_settle(c->instance, c->won, &settled, error);
    DUET_THEN(code, duet_write_solution(c->run->output, c->instance, settled, error));
    duet_solution_free(settled);
    return code;
}

duet_code duet_cli_simulate_bus(const duet_cli_bus_run *run, const duet_instance *instance,
                                duet_error *error)
{
    contest c = {.run = run, .instance = instance};
    duet_code code = duet_bus_read(run->bus, instance, &c.bus, error);
    DUET_THEN(code, judge_all(&c, error));
    if (code == DUET_OK && run->shared->json) {
        write_json(&c);
    } else if (code == DUET_OK) {
        print(&c);
    }
    if (code == DUET_OK && run->output != NULL) {
        code = write_best(&c, error);
    }
    duet_solution_free(c.won);
    duet_bus_free(c.bus);
    duet_free(c.row);
    return code;
}
