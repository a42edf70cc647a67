// SPDX-License-Identifier: Apache-2.0
// The table of commands, and that of exit codes.
#include "cli/commands.h"

#include <stddef.h>
#include <string.h>

#include "bench/bench.h"

const duet_cli_command duet_cli_commands[] = {
    {"solve", "find a schedule and prove how good it is", duet_cli_solve},
    {"bound", "compute lower bounds on the makespan", duet_cli_bound},
    {"verify", "check a schedule and what it claims", duet_cli_verify},
    {"generate", "make an instance of a family", duet_cli_generate},
    {"measure", "time the kernels of factorisations on this machine", duet_cli_measure},
    {"compare", "run several algorithms on the same instances", duet_cli_compare},
    {"bench", "run the benchmark harness", duet_bench_main},
    {"report", "make a page of HTML from results and schedules", duet_cli_report},
    {"list", "list algorithms, bounds, families and formats", duet_cli_list},
    {NULL, NULL, NULL}};

const duet_cli_command *duet_cli_find_command(const duet_cli_command *table, const char *name)
{
    for (const duet_cli_command *c = table; c->name != NULL; c++) {
        if (strcmp(c->name, name) == 0) {
            return c;
        }
    }
    return NULL;
}

const duet_cli_exit duet_cli_exits[] = {{0, "done"},
                                        {1, "a check said no"},
                                        {2, "wrong usage"},
                                        {3, "unreadable or invalid input"},
                                        {4, "no schedule exists"},
                                        {5, "a limit (time, memory, disk) came before the result"},
                                        {70, "a bug in Duet"},
                                        {0, NULL}};
