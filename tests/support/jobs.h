// SPDX-License-Identifier: Apache-2.0
// A sweep of jobs that cost nothing, and its file.
#ifndef DUET_TESTS_SUPPORT_JOBS_H
#define DUET_TESTS_SUPPORT_JOBS_H

#include "bench/run/sweep.h"

enum { DUET_JOBS = 41, DUET_JOBS_ROWS = 3, DUET_JOBS_TEXT = 1 << 16 };

// Counts what was done. `run` is called by several threads: it writes only to its job's place.
typedef struct duet_jobs {
    char path[64];
    size_t jobs;
    int runs[DUET_JOBS];
    int taken[DUET_JOBS];
    int64_t sum;     // of what the rows say
    size_t close_at; // a job, and what it closes
    int close;
    size_t fail_at;
    duet_cancel *cancel;
    size_t cancel_at;
    const char *family;
    const char *settings;
    const duet_column *columns;
    bool cuts; // the job that cancels leaves its last row out
} duet_jobs;

// With all columns, and those of a study whose rows have neither number nor stamp.
extern const duet_column duet_jobs_columns[];
int duet_jobs_setup(void **state);
int duet_jobs_setup_bare(void **state);
int duet_jobs_teardown(void **state);
// Sets the counts back.
void duet_jobs_forget(duet_jobs *f);

duet_sweep duet_jobs_sweep_of(duet_jobs *f);
duet_code duet_jobs_sweep(duet_jobs *f, const duet_sweep_plan *plan, duet_sweep_summary *summary,
                          duet_error *error);
// Fails the test where the sweep does.
duet_sweep_summary duet_jobs_sweep_well(duet_jobs *f, const duet_sweep_plan *plan);
void duet_jobs_expect_error(duet_jobs *f, const duet_sweep_plan *plan, duet_code code, int line,
                            const char *part);

// Returns the length.
size_t duet_jobs_read(const char *path, char text[DUET_JOBS_TEXT]);
// How many lines begin so.
size_t duet_jobs_count_lines(const char *text, const char *line, size_t length);
// Every row of every job is in the file once, apart from the seconds; every job was taken once.
void duet_jobs_assert_whole(const duet_jobs *f, const char *text, size_t headers);
void duet_jobs_assert_taken_once(const duet_jobs *f);

#endif
