// SPDX-License-Identifier: Apache-2.0
// The harness behind `duet bench`.
#ifndef DUET_BENCH_BENCH_H
#define DUET_BENCH_BENCH_H

#include "console/command.h"

// The studies, each a command of its own.
extern const duet_cli_command duet_bench_studies[];

// `duet bench NAME ...`: argv[0] is "bench". Returns the process's exit code (see the contract).
int duet_bench_main(int argc, char **argv);

// One study each.
int duet_bench_speed(int argc, char **argv);
int duet_bench_dp_scaling(int argc, char **argv);
int duet_bench_tables_main(int argc, char **argv);
int duet_bench_ratios_main(int argc, char **argv);
int duet_bench_exact(int argc, char **argv);
int duet_bench_parts(int argc, char **argv);
int duet_bench_search(int argc, char **argv);
int duet_bench_adversaries(int argc, char **argv);
int duet_bench_papers(int argc, char **argv);
int duet_bench_peers(int argc, char **argv);

#endif
