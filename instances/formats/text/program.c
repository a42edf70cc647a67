// SPDX-License-Identifier: Apache-2.0
// The columns of the assignment program. program_write.c writes them.
#include "instances/formats/text/program.h"

#include <inttypes.h>
#include <string.h>

#include "core/instance/order.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Ranks the kinds of a type, longest first, and counts its useful processors.
static duet_code rank_type(duet_program *program, size_t type, duet_ordered *order,
                           duet_error *error)
{
    const duet_instance *instance = program->instance;
    size_t count = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        if (duet_allowed(instance, i, type)) {
            order[count++] = (duet_ordered){(uint64_t)duet_time(instance, i, type), i};
        }
    }
    duet_code code = duet_order_by_key(order, count, error);
    int64_t rank = 0;
    for (size_t i = 0; i < count && code == DUET_OK; i++) {
        program->ranked[order[i].kind * instance->types + type] = rank;
        rank += duet_count(instance, order[i].kind);
    }
    int64_t processors = instance->processors[type];
    program->useful[type] = duet_min(processors, rank);
    return code;
}

// How many processors of a type, from the first on, have a column for the kind.
static int64_t reach(const duet_program *program, size_t kind, size_t type)
{
    const duet_instance *instance = program->instance;
    if (!duet_allowed(instance, kind, type)) {
        return 0;
    }
    int64_t last = program->ranked[kind * instance->types + type] + duet_count(instance, kind);
    return duet_min(last, program->useful[type]);
}

static duet_code count_columns(duet_program *program, duet_error *error)
{
    const duet_instance *instance = program->instance;
    program->columns = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            program->columns += reach(program, i, t); // < 2^31 each
            if (program->columns > DUET_PROGRAM_MAX_COLUMNS) {
                return duet_error_set(
                    error, DUET_E_LIMIT,
                    "the program of %zu kinds is too large: expected at most %d columns, one for "
                    "a kind and a processor that can run it",
                    instance->kinds, DUET_PROGRAM_MAX_COLUMNS);
            }
        }
    }
    return DUET_OK;
}

duet_code duet_program_create(const duet_instance *instance, int64_t lower_bound,
                              duet_program *program, duet_error *error)
{
    *program = (duet_program){.instance = instance, .lower_bound = lower_bound};
    duet_code code = duet_instance_ready(instance, error);
    // Every kind has at least one column, so too many kinds are refused before they are ranked.
    if (code == DUET_OK && instance->kinds > DUET_PROGRAM_MAX_COLUMNS) {
        code = duet_error_set(error, DUET_E_LIMIT,
                              "the program of %zu kinds is too large: expected at most %d columns",
                              instance->kinds, DUET_PROGRAM_MAX_COLUMNS);
    }
    if (code != DUET_OK) {
        return code;
    }
    program->ranked = duet_alloc(instance->kinds * instance->types, sizeof *program->ranked, error);
    duet_ordered *order = duet_alloc(instance->kinds, sizeof *order, error);
    code = program->ranked == NULL || order == NULL ? DUET_E_MEMORY : DUET_OK;
    for (size_t t = 0; t < instance->types && code == DUET_OK; t++) {
        code = rank_type(program, t, order, error);
    }
    duet_free(order);
    DUET_THEN(code, count_columns(program, error));
    if (code != DUET_OK) {
        duet_program_free(program);
    }
    return code;
}

void duet_program_free(duet_program *program)
{
    duet_free(program->ranked);
    program->ranked = NULL;
}

int64_t duet_program_most(const duet_program *program, size_t kind, size_t type, int64_t processor)
{
    if (processor < 0 || processor >= reach(program, kind, type)) {
        return 0;
    }
    const duet_instance *instance = program->instance;
    int64_t count = duet_count(instance, kind);
    int64_t left = program->ranked[kind * instance->types + type] + count - processor;
    return duet_min(left, count);
}

duet_code duet_program_find_format(const char *name, duet_program_format *format, duet_error *error)
{
    if (strcmp(name, "lp") == 0) {
        *format = DUET_PROGRAM_LP;
    } else if (strcmp(name, "mps") == 0) {
        *format = DUET_PROGRAM_MPS;
    } else {
        return duet_error_set(error, DUET_E_USAGE,
                              "unknown format '%.60s' of a program: expected lp or mps", name);
    }
    return DUET_OK;
}
