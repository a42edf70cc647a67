// SPDX-License-Identifier: Apache-2.0
// The command line of `duet bench papers`.
#ifndef DUET_BENCH_PAPERS_ARGS_H
#define DUET_BENCH_PAPERS_ARGS_H

#include "bench/papers/graphs/graphs.h"
#include "bench/run/sweep_args.h"

typedef struct duet_papers_args {
    duet_sweep_args sweep;
    duet_papers papers; // of independent tasks: its settings
    // Papers about task graphs, instead.
    size_t graph_paper[DUET_CLI_MAX_LIST]; // indices into duet_graph_papers
    size_t graph_paper_count;
    duet_graph_settings graph_settings;
    duet_graph_study graph_study[DUET_GRAPH_PAPERS];
    const char *chart;   // prefix; NULL: none
    const char *ending;  // of the charts
    const char *results; // page to write; NULL: none
} duet_papers_args;

extern const duet_cli_syntax duet_papers_syntax;
// Completes the settings of a duet_papers_args. DUET_E_USAGE.
duet_code duet_papers_args_complete(void *input, duet_error *error);

#endif
