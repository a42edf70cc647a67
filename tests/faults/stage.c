// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/stage.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/faults/failing.h"

// Two types, forbidden times, equal tasks, decimals; small, so that an algorithm takes few hundred
// allocations.
static duet_instance *sample(void)
{
    static const duet_type platform[] = {{"cpu", 3}, {"gpu", 2}};
    static const char *const ids[] = {"a", "b", "c", "d", "e", "f", "g"};
    static const int64_t counts[] = {3, 1, 2, 1, 1, 1, 1};
    static const int64_t times[] = {17, 5, 23, 31, 9, 4, DUET_FORBIDDEN, 12, 14, 21, DUET_FORBIDDEN,
                                    29, 8};
    static const int64_t last[] = {41};
    int64_t all[14];
    memcpy(all, times, sizeof times);
    all[13] = last[0];
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "sample",
                               .time_unit = "ms",
                               .decimals = 1,
                               .types = 2,
                               .platform = platform,
                               .kinds = 7,
                               .ids = ids,
                               .counts = counts,
                               .times = all};
    duet_instance *instance;
    assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
    return instance;
}

duet_params stage_params(int threads)
{
    duet_params params = DUET_PARAMS_INIT;
    params.threads = threads;
    params.memory_limit = (size_t)256 << 20;
    return params;
}

static bool says_memory(duet_code code, const duet_error *error)
{
    return code == DUET_E_MEMORY && error->code == code && error->message[0] != '\0';
}

// One run. False: the allocation that should fail was never asked for.
static bool one_run(const char *what, scenario *run, const stage *on, int64_t turn, bool lasting)
{
    duet_error error = DUET_ERROR_INIT;
    int64_t before = failing_live();
    failing_arm(turn, lasting);
    duet_code code = run(on, &error);
    bool reached = failing_disarm();
    if (failing_live() != before) {
        fail_msg("%s %s: %" PRId64 " blocks left after allocation %" PRId64 " failed", what,
                 on->name, failing_live() - before, turn);
    }
    bool fine = code == DUET_OK || code == DUET_E_UNSUPPORTED;
    if (!fine && !(reached && says_memory(code, &error))) {
        fail_msg("%s %s: allocation %" PRId64 " of %s failed, and it says %s: %s", what, on->name,
                 turn, lasting ? "all from there" : "one", duet_code_name(code), error.message);
    }
    return reached;
}

// Runs a scenario until no allocation is left to fail; of a long search's allocations, which repeat
// themselves round by round, every `stride`-th.
void stage_in_turn(const char *what, scenario *run, const stage *on, int64_t stride)
{
    int64_t turn = 1;
    while (one_run(what, run, on, turn, false)) {
        turn += stride;
    }
    for (turn = 1; one_run(what, run, on, turn, true);) {
        turn += stride;
    }
    if (getenv("DUET_TEST_VERBOSE") != NULL) {
        print_message("%s %s: %" PRId64 " allocations\n", what, on->name, turn - 1);
    }
}

void stage_last_in_turn(const char *what, scenario *run, const stage *on, int64_t last)
{
    one_run(what, run, on, INT64_MAX, false);
    int64_t all = failing_taken();
    for (int64_t turn = all > last ? all - last : 1; turn <= all; turn++) {
        one_run(what, run, on, turn, false);
    }
}

// What was answered without the memory must be right all the same.
duet_code stage_check_answer(const stage *on, duet_code code, duet_solution *solution)
{
    if (code != DUET_OK) {
        assert_null(solution);
        return code;
    }
    duet_error fault = DUET_ERROR_INIT;
    code = duet_check_solution(on->instance, solution, NULL, NULL, &fault);
    if (code != DUET_OK && code != DUET_E_MEMORY) {
        fail_msg("%s: a wrong answer where memory is short: %s", on->name, fault.message);
    }
    duet_solution_free(solution);
    return DUET_OK;
}

duet_code stage_solve_on_two(const stage *on, duet_error *error)
{
    duet_params params = stage_params(2);
    duet_solution *solution = NULL;
    duet_code code = duet_solve(on->instance, on->name, &params, &solution, error);
    return stage_check_answer(on, code, solution);
}

// With an allocator of the caller's, a scenario asks the C library for nothing (but to find out how
// many threads the system will start): all of that fails, and it ends well.
void stage_from_another(const char *what, scenario *run, const stage *on)
{
    duet_error error = DUET_ERROR_INIT;
    const duet_allocator *before;
    assert_int_equal(duet_use_allocator(&failing_other, &before, &error), DUET_OK);
    failing_arm(1, true);
    duet_code code = run(on, &error);
    bool asked = failing_disarm();
    assert_int_equal(duet_use_allocator(before, NULL, &error), DUET_OK);
    if (code != DUET_OK && code != DUET_E_UNSUPPORTED) {
        fail_msg("%s %s: %s: %s", what, on->name, duet_code_name(code), error.message);
    }
    if (failing_other_live() != 0 || (asked && run != stage_solve_on_two)) {
        fail_msg("%s %s: %" PRId64 " blocks left%s", what, on->name, failing_other_live(),
                 asked ? ", and the C library was asked" : "");
    }
}

void stage_each_in_turn(const char *what, scenario *run, const stage *on)
{
    stage_in_turn(what, run, on, 1);
    stage_from_another(what, run, on);
}

void stage_path(stage *on, const char *name)
{
    const char *folder = getenv("TMPDIR");
    snprintf(on->path, sizeof on->path, "%s/duet-faults-%ld-%s", folder == NULL ? "/tmp" : folder,
             (long)getpid(), name);
}

stage stage_open(void)
{
    stage on = {.name = "", .instance = sample()};
    duet_params params = stage_params(1);
    assert_int_equal(duet_solve(on.instance, "shelf-3-2", &params, &on.solution, NULL), DUET_OK);
    return on;
}

void stage_put_file(stage *on, const char *name, const char *text)
{
    stage_path(on, name);
    FILE *file = fopen(on->path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

// Takes the instance of the file, and a schedule of it.
void stage_load(stage *on)
{
    duet_params params = stage_params(1);
    duet_solution_free(on->solution);
    duet_instance_free(on->instance);
    assert_int_equal(duet_read_instance(on->path, NULL, &on->instance, NULL), DUET_OK);
    assert_int_equal(duet_solve(on->instance, "heft", &params, &on->solution, NULL), DUET_OK);
}

void stage_close(stage *on)
{
    duet_solution_free(on->solution);
    duet_instance_free(on->instance);
    if (on->path[0] != '\0') {
        unlink(on->path);
    }
}
