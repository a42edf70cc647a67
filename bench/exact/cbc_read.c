// SPDX-License-Identifier: Apache-2.0
// CBC's answers. A solution file begins with a line such as
//     Optimal - objective value 147580540.00000000
//     Stopped on time - objective value 16814.00000000
//     Stopped on time (no integer solution - continuous used) - objective value 12.5
// and then has a line per column that is not 0: number, name, value, reduced cost; "**" in front of
// one that is out of its bounds. Values are floating point: they count where they are whole within
// a tolerance, and the makespan is computed from them anew.
#include "bench/exact/cbc.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/solution/solution.h"
#include "core/system/memory.h"
#include "core/system/try.h"

static const double tolerance = 1e-4;

// A solution under construction: a column takes the next tasks of its kind.
typedef struct reader {
    const char *path;
    int line;
    const duet_program *program;
    duet_solution *solution;
    int64_t *next; // per kind: the first task without a processor
    int64_t *end;  // per listed processor, type by type
    size_t first[DUET_MAX_TYPES + 1];
} reader;

static duet_code fault(const reader *r, const char *what, duet_error *error)
{
    return duet_error_set_at(error, DUET_E_INPUT, r->path, r->line, 0, "%s", what);
}

// A column's name, "x_K_T_P".
static bool take_name(const char *name, size_t *kind, size_t *type, int64_t *processor)
{
    char *end = NULL;
    if (strncmp(name, "x_", 2) != 0) {
        return false;
    }
    *kind = strtoul(name + 2, &end, 10);
    if (*end != '_') {
        return false;
    }
    *type = strtoul(end + 1, &end, 10);
    if (*end != '_') {
        return false;
    }
    *processor = strtoll(end + 1, &end, 10);
    return *end == '\0';
}

static duet_code take_tasks(reader *r, size_t kind, size_t type, int64_t processor, int64_t amount,
                            duet_error *error)
{
    const duet_instance *instance = r->program->instance;
    if (amount > instance->first[kind + 1] - r->next[kind]) {
        return fault(r, "more tasks of a kind than there are", error);
    }
    int64_t time = duet_time(instance, kind, type);
    int64_t *end = &r->end[r->first[type] + (size_t)processor];
    for (int64_t j = 0; j < amount; j++) {
        r->solution->placement[r->next[kind]++] =
            (duet_placement){.start = *end, .processor = (int32_t)processor, .type = (int32_t)type};
        *end += time;
    }
    return DUET_OK;
}

static duet_code take_column(reader *r, char *line, duet_error *error)
{
    char *rest = NULL;
    char *word = strtok_r(line, " \t\r\n", &rest);
    if (word == NULL) {
        return DUET_OK;
    }
    if (strcmp(word, "**") == 0) {
        word = strtok_r(NULL, " \t\r\n", &rest);
    }
    const char *name = strtok_r(NULL, " \t\r\n", &rest);
    const char *digits = strtok_r(NULL, " \t\r\n", &rest);
    if (word == NULL || name == NULL || digits == NULL) {
        return fault(r, "expected number, name and value of a column", error);
    }
    if (strcmp(name, "Cmax") == 0) {
        return DUET_OK;
    }
    size_t kind;
    size_t type;
    int64_t processor;
    const duet_instance *instance = r->program->instance;
    if (!take_name(name, &kind, &type, &processor) || kind >= instance->kinds ||
        type >= instance->types || duet_program_most(r->program, kind, type, processor) == 0) {
        return fault(r, "a column that the program does not have", error);
    }
    char *end = NULL;
    double value = strtod(digits, &end);
    if (*end != '\0' || !(fabs(value) < 0x1p62) || fabs(value - round(value)) > tolerance) {
        return fault(r, "expected a whole number of tasks", error);
    }
    int64_t amount = llround(value);
    return amount < 0 ? fault(r, "expected a number of tasks that is not negative", error)
                      : take_tasks(r, kind, type, processor, amount, error);
}

static bool all_placed(const reader *r)
{
    const duet_instance *instance = r->program->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (r->next[i] < instance->first[i + 1]) {
            return false;
        }
    }
    return true;
}

static duet_code start(reader *r, duet_error *error)
{
    const duet_instance *instance = r->program->instance;
    for (size_t t = 0; t < instance->types; t++) {
        r->first[t + 1] = r->first[t] + (size_t)r->program->useful[t];
    }
    r->end = duet_alloc(r->first[instance->types], sizeof *r->end, error);
    r->next = duet_alloc(instance->kinds, sizeof *r->next, error);
    DUET_NEED(r->end != NULL && r->next != NULL);
    memcpy(r->next, instance->first, instance->kinds * sizeof *r->next);
    return duet_solution_create(duet_tasks(instance), &r->solution, error);
}

// The first line. Whether columns of a schedule follow.
static bool take_head(const char *line, duet_cbc_answer *answer)
{
    static const char mark[] = "objective value ";
    const char *at = strstr(line, mark);
    answer->objective = at == NULL ? NAN : strtod(at + sizeof mark - 1, NULL);
    answer->optimal = strncmp(line, "Optimal ", 8) == 0;
    return answer->optimal ||
           (strncmp(line, "Stopped on ", 11) == 0 && strstr(line, "no integer solution") == NULL);
}

static duet_code take_lines(reader *r, FILE *stream, duet_cbc_answer *answer, duet_error *error)
{
    char *line = NULL;
    size_t room = 0;
    duet_code code = DUET_OK;
    bool follows = false;
    for (r->line = 1; code == DUET_OK && getline(&line, &room, stream) >= 0; r->line++) {
        if (r->line == 1) {
            follows = take_head(line, answer);
            code = follows ? start(r, error) : DUET_OK;
        } else if (follows) {
            code = take_column(r, line, error);
        }
    }
    free(line);
    if (code == DUET_OK && follows && !all_placed(r)) {
        code = fault(r, "not all tasks are placed", error);
    }
    return code;
}

duet_code duet_cbc_read_solution(const char *path, const duet_program *program,
                                 duet_cbc_answer *answer, duet_error *error)
{
    reader r = {.path = path, .program = program};
    answer->solution = NULL;
    answer->optimal = false;
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        // It was stopped before it had anything to write.
        return errno == ENOENT
                   ? DUET_OK
                   : duet_error_set_at(error, DUET_E_INPUT, path, 0, 0,
                                       "cannot read CBC's solution: %s", strerror(errno));
    }
    duet_code code = take_lines(&r, stream, answer, error);
    fclose(stream);
    duet_free(r.next);
    duet_free(r.end);
    if (code == DUET_OK && r.solution != NULL) {
        duet_solution_finish(r.solution, program->instance);
        answer->solution = r.solution;
    } else {
        duet_solution_free(r.solution);
        answer->optimal = false;
    }
    return code;
}

duet_code duet_cbc_read_log(const char *path, duet_cbc_answer *answer, duet_error *error)
{
    static const char mark[] = "Lower bound:";
    FILE *stream = fopen(path, "r");
    if (stream == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, path, 0, 0, "cannot read CBC's messages: %s",
                                 strerror(errno));
    }
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stream) >= 0) {
        if (strncmp(line, mark, sizeof mark - 1) == 0) {
            char *end = NULL;
            double value = strtod(line + sizeof mark - 1, &end);
            if (end != line + sizeof mark - 1 && isfinite(value)) {
                answer->claimed = value;
            }
        }
    }
    free(line);
    fclose(stream);
    return DUET_OK;
}
