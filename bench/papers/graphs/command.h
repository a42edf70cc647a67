// SPDX-License-Identifier: Apache-2.0
// `duet bench papers --paper NAME` as a study of a duet_papers_args.
#ifndef DUET_BENCH_PAPERS_GRAPHS_COMMAND_H
#define DUET_BENCH_PAPERS_GRAPHS_COMMAND_H

#include "bench/papers/args.h"
#include "bench/run/study.h"

extern const duet_study duet_graph_papers_study;
// Frees what it keeps in `args`.
void duet_graph_papers_free(duet_papers_args *args);

#endif
