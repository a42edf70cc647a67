// SPDX-License-Identifier: Apache-2.0
// Writes the assignment program as CPLEX LP or as free MPS. Names are letters, digits and
// underscores and begin with a letter that no solver takes for a number; lines are short. No column
// is kept in memory: each is derived where it is written.
#include <inttypes.h>

#include "core/system/output.h"
#include "core/system/try.h"
#include "instances/formats/text/program.h"

enum { TERMS_PER_LINE = 6 };

// A column and what it stands for.
typedef struct column {
    size_t kind;
    size_t type;
    int64_t processor;
    int64_t most;
} column;

typedef void column_writer(const duet_program *program, const column *at, FILE *stream);

// Calls `write` for every column, kind by kind.
static void each_column(const duet_program *program, column_writer *write, FILE *stream)
{
    const duet_instance *instance = program->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            for (int64_t p = 0; p < program->useful[t]; p++) {
                column at = {i, t, p, duet_program_most(program, i, t, p)};
                if (at.most == 0) {
                    break; // nor on the processors behind it
                }
                write(program, &at, stream);
            }
        }
    }
}

static void write_name(const column *at, FILE *stream)
{
    fprintf(stream, "x_%zu_%zu_%" PRId64, at->kind, at->type, at->processor);
}

// Explains the program to its reader, in lines that begin with `mark`. The instance's name may hold
// any characters.
static void write_comment(const duet_program *program, const char *mark, FILE *stream)
{
    const duet_instance *instance = program->instance;
    fprintf(stream, "%s Assignment program of ", mark);
    for (const char *c = instance->name; *c != '\0'; c++) {
        fputc((unsigned char)*c < 0x20 || (unsigned char)*c > 0x7e ? '?' : *c, stream);
    }
    fprintf(stream,
            "\n%s x_K_T_P: tasks of kind K on processor P of type T, all from 0 in the order of "
            "the file\n",
            mark);
    fprintf(stream, "%s Cmax: the makespan in ticks; %d decimal place%s of the unit of time\n",
            mark, instance->decimals, instance->decimals == 1 ? "" : "s");
}

// "+ COEFFICIENT NAME"; appends a term to a row that has `*terms` already.
static void lp_term(const column *at, int64_t coefficient, int64_t *terms, FILE *stream)
{
    if (*terms > 0) {
        fputs(*terms % TERMS_PER_LINE == 0 ? "\n  + " : " + ", stream);
    }
    *terms += 1;
    if (coefficient != 1) {
        fprintf(stream, "%" PRId64 " ", coefficient);
    }
    write_name(at, stream);
}

static void lp_assign_rows(const duet_program *program, FILE *stream)
{
    const duet_instance *instance = program->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        int64_t terms = 0;
        fprintf(stream, " assign_%zu: ", i);
        for (size_t t = 0; t < instance->types; t++) {
            for (int64_t p = 0; p < program->useful[t]; p++) {
                column at = {i, t, p, duet_program_most(program, i, t, p)};
                if (at.most == 0) {
                    break;
                }
                lp_term(&at, 1, &terms, stream);
            }
        }
        fprintf(stream, " = %" PRId64 "\n", duet_count(instance, i));
    }
}

static void lp_load_rows(const duet_program *program, FILE *stream)
{
    const duet_instance *instance = program->instance;
    for (size_t t = 0; t < instance->types; t++) {
        for (int64_t p = 0; p < program->useful[t]; p++) {
            int64_t terms = 0;
            fprintf(stream, " load_%zu_%" PRId64 ": ", t, p);
            for (size_t i = 0; i < instance->kinds; i++) {
                column at = {i, t, p, duet_program_most(program, i, t, p)};
                if (at.most > 0 && duet_time(instance, i, t) > 0) {
                    lp_term(&at, duet_time(instance, i, t), &terms, stream);
                }
            }
            fputs(terms > 0 ? " - Cmax <= 0\n" : "- Cmax <= 0\n", stream);
        }
    }
}

static void lp_bound(const duet_program *program, const column *at, FILE *stream)
{
    (void)program;
    if (at->most > 1) {
        fputs(" 0 <= ", stream);
        write_name(at, stream);
        fprintf(stream, " <= %" PRId64 "\n", at->most);
    }
}

static void lp_general(const duet_program *program, const column *at, FILE *stream)
{
    (void)program;
    if (at->most > 1) {
        fputc(' ', stream);
        write_name(at, stream);
        fputc('\n', stream);
    }
}

static void lp_binary(const duet_program *program, const column *at, FILE *stream)
{
    (void)program;
    if (at->most == 1) {
        fputc(' ', stream);
        write_name(at, stream);
        fputc('\n', stream);
    }
}

// Whether some column has an upper bound of 1 (`binary`), or a larger one. An empty section is
// more than some readers take.
static bool any_column(const duet_program *program, bool binary)
{
    const duet_instance *instance = program->instance;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (size_t t = 0; t < instance->types; t++) {
            for (int64_t p = 0; p < program->useful[t]; p++) {
                int64_t most = duet_program_most(program, i, t, p);
                if (most > 0 && (most == 1) == binary) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void write_lp(const duet_program *program, FILE *stream)
{
    write_comment(program, "\\", stream);
    fputs("Minimize\n obj: Cmax\nSubject To\n", stream);
    lp_assign_rows(program, stream);
    lp_load_rows(program, stream);
    if (program->columns == 0) {
        fputs(" nothing: Cmax >= 0\n", stream);
    }
    fprintf(stream, "Bounds\n Cmax >= %" PRId64 "\n", program->lower_bound);
    each_column(program, lp_bound, stream);
    if (any_column(program, false)) {
        fputs("Generals\n", stream);
        each_column(program, lp_general, stream);
    }
    if (any_column(program, true)) {
        fputs("Binaries\n", stream);
        each_column(program, lp_binary, stream);
    }
    fputs("End\n", stream);
}

static void mps_entry(const duet_program *program, const column *at, FILE *stream)
{
    int64_t time = duet_time(program->instance, at->kind, at->type);
    fputs(" ", stream);
    write_name(at, stream);
    fprintf(stream, " assign_%zu 1", at->kind);
    if (time > 0) {
        fprintf(stream, " load_%zu_%" PRId64 " %" PRId64, at->type, at->processor, time);
    }
    fputc('\n', stream);
}

static void mps_bound(const duet_program *program, const column *at, FILE *stream)
{
    (void)program;
    fputs(at->most == 1 ? " BV BOUND " : " UP BOUND ", stream);
    write_name(at, stream);
    if (at->most > 1) {
        fprintf(stream, " %" PRId64, at->most);
    }
    fputc('\n', stream);
}

static void mps_rows(const duet_program *program, FILE *stream)
{
    const duet_instance *instance = program->instance;
    fputs("ROWS\n N obj\n", stream);
    for (size_t i = 0; i < instance->kinds; i++) {
        fprintf(stream, " E assign_%zu\n", i);
    }
    for (size_t t = 0; t < instance->types; t++) {
        for (int64_t p = 0; p < program->useful[t]; p++) {
            fprintf(stream, " L load_%zu_%" PRId64 "\n", t, p);
        }
    }
    if (program->columns == 0) {
        fputs(" G nothing\n", stream);
    }
}

static void mps_makespan(const duet_program *program, FILE *stream)
{
    fputs(" Cmax obj 1\n", stream);
    for (size_t t = 0; t < program->instance->types; t++) {
        for (int64_t p = 0; p < program->useful[t]; p++) {
            fprintf(stream, " Cmax load_%zu_%" PRId64 " -1\n", t, p);
        }
    }
    if (program->columns == 0) {
        fputs(" Cmax nothing 1\n", stream);
    }
}

static void write_mps(const duet_program *program, FILE *stream)
{
    const duet_instance *instance = program->instance;
    write_comment(program, "*", stream);
    fputs("NAME duet FREE\n", stream); // where the format is not told, CBC takes it from this word
    mps_rows(program, stream);
    fputs("COLUMNS\n", stream);
    if (program->columns > 0) {
        fputs(" MARKER 'MARKER' 'INTORG'\n", stream);
        each_column(program, mps_entry, stream);
        fputs(" MARKER 'MARKER' 'INTEND'\n", stream);
    }
    mps_makespan(program, stream);
    fputs("RHS\n", stream);
    for (size_t i = 0; i < instance->kinds; i++) {
        fprintf(stream, " RHS assign_%zu %" PRId64 "\n", i, duet_count(instance, i));
    }
    fprintf(stream, "BOUNDS\n LO BOUND Cmax %" PRId64 "\n", program->lower_bound);
    each_column(program, mps_bound, stream);
    fputs("ENDATA\n", stream);
}

duet_code duet_program_write(const duet_program *program, duet_program_format format,
                             const char *path, duet_error *error)
{
    duet_output output;
    DUET_TRY(duet_output_open(&output, path, error));
    (format == DUET_PROGRAM_LP ? write_lp : write_mps)(program, output.stream);
    return duet_output_commit(&output, error);
}
