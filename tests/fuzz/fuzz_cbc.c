// SPDX-License-Identifier: Apache-2.0
// CBC's answers: any bytes as its solution file or its messages give an answer or an error, and a
// schedule that is taken is one. A solution that is made of columns of the program, with what CBC's
// arithmetic adds to them, is taken.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/exact/cbc.h"
#include "bench/run/exhaustive.h"
#include "tests/fuzz/fuzz.h"

enum { ROOM = 1 << 14 };

typedef struct text {
    char bytes[ROOM];
    size_t length;
} text;

static void check_schedule(const duet_instance *instance, const duet_solution *solution)
{
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_check_solution(instance, solution, NULL, NULL, &error);
    fuzz_check(code == DUET_OK, error.message);
    int64_t optimum = duet_instance_tasks(instance) == 0 ? 0 : duet_exhaustive_optimum(instance);
    fuzz_check(duet_solution_makespan(solution) >= optimum, "a schedule below the optimum");
}

// Whether a schedule was taken.
static bool read_solution(const duet_program *program, const void *bytes, size_t length)
{
    duet_error error = DUET_ERROR_INIT;
    duet_cbc_answer answer = {.claimed = -1};
    duet_code code = duet_cbc_read_solution(fuzz_file(0, bytes, length), program, &answer, &error);
    fuzz_check_error(code, &error);
    fuzz_check(code == DUET_OK || code == DUET_E_INPUT, error.message);
    fuzz_check(code == DUET_OK || answer.solution == NULL, "a schedule beside an error");
    fuzz_check(!answer.optimal || answer.solution != NULL, "an optimum without a schedule");
    bool taken = answer.solution != NULL;
    if (taken) {
        check_schedule(program->instance, answer.solution);
    }
    duet_solution_free(answer.solution);
    return taken;
}

static void read_messages(const uint8_t *bytes, size_t length)
{
    duet_error error = DUET_ERROR_INIT;
    duet_cbc_answer answer = {.claimed = -1};
    duet_code code = duet_cbc_read_log(fuzz_file(0, bytes, length), &answer, &error);
    fuzz_check_error(code, &error);
    fuzz_check(code == DUET_OK, "messages are refused");
    fuzz_check(isfinite(answer.claimed), "a bound that is no number");
    fuzz_check(answer.solution == NULL && !answer.optimal, "messages are no solution");
}

// A line of a column; a value may be off by what floating point leaves.
static void add_column(text *file, fuzz_input *input, const char *name, int64_t value)
{
    static const char *const off[] = {".0", "",        ".00000001", ".00009",
                                      "e0", ".000000", "e+00",      ".0"};
    int64_t kind = fuzz_between(input, 0, 15);
    char number[32];
    snprintf(number, sizeof number, "%" PRId64 "%s", value, off[kind % 8]);
    if (kind >= 12 && value > 0) {
        snprintf(number, sizeof number, "%" PRId64 ".99999", value - 1);
    }
    file->length +=
        (size_t)snprintf(file->bytes + file->length, ROOM - file->length, "%s %7d %s %20s %10s\n",
                         kind == 7 ? "**" : "", (int)fuzz_between(input, 0, 99), name, number, "0");
}

// A kind's tasks, dealt to its columns.
static void add_kind(text *file, fuzz_input *input, const duet_program *program, size_t kind)
{
    int64_t left = duet_instance_kind_count(program->instance, kind);
    while (left > 0) {
        size_t type = (size_t)fuzz_between(input, 0, 1);
        int64_t processor = fuzz_between(input, 0, 3);
        int64_t amount = fuzz_between(input, 1, left);
        // What the input does not choose goes where there is a column.
        if (duet_program_most(program, kind, type, processor) == 0) {
            processor = 0;
            type = duet_program_most(program, kind, 0, 0) == 0;
        }
        char name[64];
        snprintf(name, sizeof name, "x_%zu_%zu_%" PRId64, kind, type, processor);
        add_column(file, input, name, amount);
        left -= amount;
    }
}

// The kinds in any order: `input` says with which one to begin, and in which direction to go.
static void write_solution(text *file, fuzz_input *input, const duet_program *program)
{
    static const char *const heads[] = {
        "Optimal - objective value 12.00000000", "Stopped on time - objective value 1e300",
        "Stopped on nodes - objective value nan", "Optimal (within gap tolerance) - objective"};
    size_t kinds = duet_instance_kinds(program->instance);
    size_t first = (size_t)fuzz_between(input, 0, 15);
    bool back = fuzz_between(input, 0, 1) == 1;
    file->length = (size_t)snprintf(file->bytes, ROOM, "%s\n", heads[fuzz_between(input, 0, 3)]);
    add_column(file, input, "Cmax", fuzz_between(input, 0, 255));
    for (size_t i = 0; i < kinds; i++) {
        size_t at = (first + i) % kinds;
        add_kind(file, input, program, back ? kinds - 1 - at : at);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { SOLUTION, MADE, MESSAGES };
    static text file;
    fuzz_input input = {data, size};
    int64_t what = fuzz_between(&input, SOLUTION, MESSAGES);
    uint64_t chosen = fuzz_take(&input, 1);
    // Few instances of which a file can be guessed, and many others.
    duet_instance *instance =
        chosen < 128 ? fuzz_chosen_instance((unsigned)chosen) : fuzz_instance(&input);
    duet_program program;
    duet_error error = DUET_ERROR_INIT;
    duet_code code = duet_program_create(instance, 0, &program, &error);
    fuzz_check(code == DUET_OK, error.message);
    if (what == MESSAGES) {
        read_messages(input.at, input.left);
    } else if (what == SOLUTION) {
        read_solution(&program, input.at, input.left);
    } else {
        write_solution(&file, &input, &program);
        fuzz_check(read_solution(&program, file.bytes, file.length), "a solution is refused");
    }
    duet_program_free(&program);
    duet_instance_free(instance);
    return 0;
}
