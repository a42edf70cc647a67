// SPDX-License-Identifier: Apache-2.0
// The table of commands.
#include "cli/commands.h"

#include <stddef.h>

#include "bench/bench.h"

const duet_cli_command duet_cli_commands[] = {
    {"solve", "find a schedule and prove how good it is", duet_cli_solve},
    {"size", "find the smallest platforms that meet a deadline", duet_cli_size_command},
    {"bound", "compute lower bounds on the makespan", duet_cli_bound},
    {"show", "draw and judge any schedule, or tell of an instance", duet_cli_show},
    {"verify", "check a schedule and what it claims", duet_cli_verify},
    {"generate", "make an instance of a family", duet_cli_generate},
    {"convert", "write an instance in another format", duet_cli_convert},
    {"simulate", "run a rule or a plan while times are not as planned", duet_cli_simulate},
    {"measure", "time the kernels of factorisations on this machine", duet_cli_measure},
    {"compare", "run several algorithms on the same instances", duet_cli_compare},
    {"bench", "run the benchmark harness", duet_bench_main},
    {"report", "make a page of HTML from results and schedules", duet_cli_report},
    {"list", "list algorithms, bounds, families and formats", duet_cli_list},
    {NULL, NULL, NULL}};
