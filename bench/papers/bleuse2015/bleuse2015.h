// SPDX-License-Identifier: Apache-2.0
// What the files of Bleuse et al. 2015 share.
#ifndef DUET_BENCH_PAPERS_BLEUSE2015_H
#define DUET_BENCH_PAPERS_BLEUSE2015_H

#include "bench/papers/papers.h"

// Numbers of tasks.
enum {
    DUET_BLEUSE2015_STEP = 10, // the first, and from one to the next
    DUET_BLEUSE2015_LAST = DUET_BLEUSE2015_STEP * DUET_PAPERS_SIZES
};

// view.c: the parts as text, as sections of the page of results, and as charts.
void duet_bleuse2015_print_table1(const duet_papers *papers, FILE *stream);
void duet_bleuse2015_print_figure3(const duet_papers *papers, FILE *stream);
void duet_bleuse2015_write_table1(const duet_papers *papers, const duet_papers_page *page);
void duet_bleuse2015_write_figure3(const duet_papers *papers, const duet_papers_page *page);
duet_code duet_bleuse2015_draw_figure3(const duet_papers *papers,
                                       const duet_papers_drawing *drawing, duet_error *error);

#endif
