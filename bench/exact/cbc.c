// SPDX-License-Identifier: Apache-2.0
// Runs CBC: a temporary folder with the program, and a process that a clock kills.
#include "bench/exact/cbc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/run/process.h"
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "solvers/cheap_bounds.h"

// The files of a run.
enum { PROGRAM, SOLUTION, LOG };
static const char *const names[DUET_PROCESS_FILES] = {"program.mps", "solution", "log"};

bool duet_cbc_available(void)
{
    const char *path = getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    for (const char *at = path; at != NULL && *at != '\0';) {
        char name[4096];
        size_t length = strcspn(at, ":");
        int size = snprintf(name, sizeof name, "%.*s/cbc", (int)length, at);
        if (length > 0 && size > 0 && (size_t)size < sizeof name && access(name, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

// Runs CBC; *well: it ended as it should.
static duet_code run_process(const duet_process_files *f, double seconds, int threads,
                             const duet_cancel *cancel, duet_cbc_answer *answer, bool *well,
                             duet_error *error)
{
    char limit[32];
    char thread_count[16];
    snprintf(limit, sizeof limit, "%.6g", seconds);
    snprintf(thread_count, sizeof thread_count, "%d", threads);
    // The limits come before -solve; -timeMode elapsed: by the wall clock, as everyone else.
    const char *words[] = {
        "cbc",       f->path[PROGRAM], "-ratioGap",       "0",   "-allowableGap", "0",
        "-timeMode", "elapsed",        "-seconds",        limit, "-threads",      thread_count,
        "-solve",    "-solution",      f->path[SOLUTION], NULL};
    enum { WORDS = sizeof words / sizeof *words };
    if (threads <= 1) { // its default, without a thread beside the main one
        memmove(&words[10], &words[12], (WORDS - 12) * sizeof *words);
    }
    duet_process process = {
        .words = words, .output = f->path[LOG], .seconds = seconds, .cancel = cancel};
    duet_code code = duet_process_run(&process, error);
    answer->seconds = process.took;
    answer->killed = process.killed;
    *well = process.well;
    return code;
}

static duet_code run_in(const duet_process_files *f, const duet_program *program, double seconds,
                        int threads, const duet_cancel *cancel, duet_cbc_answer *answer,
                        duet_error *error)
{
    bool well = false;
    DUET_TRY(duet_program_write(program, DUET_PROGRAM_MPS, f->path[PROGRAM], error));
    DUET_TRY(run_process(f, seconds, threads, cancel, answer, &well, error));
    if (!well) {
        return answer->killed ? DUET_OK
                              : duet_error_set(error, DUET_E_INPUT, "cbc failed or crashed");
    }
    duet_code code = duet_cbc_read_solution(f->path[SOLUTION], program, answer, error);
    DUET_THEN(code, duet_cbc_read_log(f->path[LOG], answer, error));
    if (code != DUET_OK) {
        duet_solution_free(answer->solution);
        answer->solution = NULL;
    }
    return code;
}

// The least whole makespan that a claimed bound leaves, with a millionth taken off for its
// tolerances; at least what the program started from.
static int64_t lowered(double claimed, int64_t least)
{
    static const double margin = 1e-6;
    double safe = ceil(claimed - fabs(claimed) * margin);
    int64_t bound = safe > 0 && safe < 0x1p62 ? (int64_t)safe : 0;
    return duet_max(bound, least);
}

duet_code duet_cbc_run(const duet_instance *instance, double seconds, int threads,
                       const duet_cancel *cancel, duet_cbc_answer *answer, duet_error *error)
{
    *answer = (duet_cbc_answer){.claimed = -1};
    duet_process_files f = {.folder = ""};
    duet_program program;
    DUET_TRY(duet_program_create(instance, 0, &program, error));
    duet_code code = duet_cheap_bound(instance, &program.lower_bound, error);
    DUET_THEN(code, duet_process_files_create("cbc", names, &f, error));
    DUET_THEN(code, run_in(&f, &program, seconds, threads, cancel, answer, error));
    answer->bound = lowered(answer->claimed, program.lower_bound);
    duet_process_files_remove(&f);
    duet_program_free(&program);
    return code;
}
