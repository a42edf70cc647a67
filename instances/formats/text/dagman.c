// SPDX-License-Identifier: Apache-2.0
// Graphs of HTCondor's DAGMan: a line "JOB name submit-file" for each task, and lines "PARENT a b
// CHILD c d" for the order. Keywords in upper or lower case; what follows '#' at the beginning of a
// line is a comment. The file says no times: -O time= does. Lines on how jobs are run go into the
// ledger; those that take in other files are refused.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/utf8.h"
#include "core/system/vec.h"
#include "instances/formats/fields.h"
#include "instances/formats/formats.h"
#include "instances/formats/text/words.h"

enum { MAX_NAME = 1024 };

typedef struct dagman_reader {
    duet_input *input;
    duet_builder *builder;
    duet_error *error;
    int line;
    char word[MAX_NAME]; // the current one; "" at the end of the line
    char *parents;       // of the line, each with its final NUL
    size_t used;
} dagman_reader;

static duet_code fail(const dagman_reader *r, const char *what)
{
    return duet_error_set_at(r->error, DUET_E_INPUT, r->input->name, r->line, 0, "%s", what);
}

static duet_code next_word(dagman_reader *r)
{
    size_t length = 0;
    while (duet_is_blank(duet_input_peek(r->input))) {
        duet_input_take(r->input);
    }
    for (int byte = duet_input_peek(r->input); byte >= 0 && byte != '\n' && !duet_is_blank(byte);
         byte = duet_input_peek(r->input)) {
        if (length + 1 == MAX_NAME || byte == 0) {
            return fail(r, "expected words of at most 1023 bytes, without NUL");
        }
        r->word[length++] = (char)byte;
        duet_input_take(r->input);
    }
    r->word[length] = '\0';
    return duet_utf8_valid(r->word, length)
               ? duet_input_check(r->input, r->error)
               : fail(r, "invalid UTF-8; expected UTF-8 text" DUET_UTF8_ADVICE);
}

static bool is_word(const dagman_reader *r, const char *word)
{
    return strcasecmp(r->word, word) == 0;
}

static duet_code pass(dagman_reader *r, const char *name, const char *why)
{
    const duet_field field = {DUET_FIELD_RECORD, name, r->line, 0};
    return duet_field_pass(r->input->fields, &field, why, r->input->name, r->error);
}

// "JOB name file [DIR directory] [NOOP] [DONE]", behind the first word.
static duet_code read_job(dagman_reader *r)
{
    duet_read_time time = {.forbidden = true};
    DUET_TRY(next_word(r));
    if (r->word[0] == '\0') {
        return fail(r, "expected JOB with a name and a file");
    }
    if (!duet_field_take_default(r->input->fields, &time, 1)) {
        return fail(r, "DAGMan says no times of jobs; expected -O time=1, with which all take as "
                       "long");
    }
    const duet_read_kind kind = {r->word, strlen(r->word), 1, &time, 1, r->line, 0};
    DUET_TRY(duet_builder_add_kind(r->builder, &kind, r->error));
    DUET_TRY(next_word(r));
    for (size_t i = 0; r->word[0] != '\0'; i++) {
        bool ended = i > 0 && (is_word(r, "DONE") || is_word(r, "NOOP"));
        DUET_TRY(ended ? pass(r, r->word, "the job is taken for one that runs") : DUET_OK);
        DUET_TRY(next_word(r));
    }
    return DUET_OK;
}

// "PARENT a b CHILD c d", behind the first word.
static duet_code read_edges(dagman_reader *r)
{
    r->used = 0;
    DUET_TRY(next_word(r));
    while (r->word[0] != '\0' && !is_word(r, "CHILD")) {
        size_t length = strlen(r->word) + 1;
        DUET_TRY(duet_vec_reserve(r->parents, r->used + length, r->error));
        memcpy(r->parents + r->used, r->word, length);
        r->used += length;
        DUET_TRY(next_word(r));
    }
    if (r->used == 0 || r->word[0] == '\0') {
        return fail(r, "expected PARENT, names of jobs, CHILD and names of jobs");
    }
    DUET_TRY(next_word(r));
    while (r->word[0] != '\0') {
        for (size_t at = 0; at < r->used; at += strlen(r->parents + at) + 1) {
            const duet_read_edge edge = {
                .from = {r->parents + at, strlen(r->parents + at), 0, false},
                .to = {r->word, strlen(r->word), 0, false},
                .line = r->line};
            DUET_TRY(duet_builder_add_edge(r->builder, &edge, r->error));
        }
        DUET_TRY(next_word(r));
    }
    return DUET_OK;
}

static void skip_line(dagman_reader *r)
{
    for (int byte = duet_input_peek(r->input); byte >= 0 && byte != '\n';
         byte = duet_input_peek(r->input)) {
        duet_input_take(r->input);
    }
}

static bool takes_in(const dagman_reader *r)
{
    return is_word(r, "SPLICE") || is_word(r, "SUBDAG") || is_word(r, "INCLUDE") ||
           is_word(r, "CONNECT");
}

// Why a line means nothing here; NULL: nothing is known of it.
static const char *why_passed(const dagman_reader *r)
{
    bool node = is_word(r, "FINAL") || is_word(r, "SERVICE") || is_word(r, "PROVISIONER");
    return node ? "such a node is left out: it runs at the end, at the beginning, or beside all"
                : NULL;
}

static duet_code read_line(dagman_reader *r)
{
    r->line = r->input->line;
    DUET_TRY(next_word(r));
    if (is_word(r, "JOB")) {
        return read_job(r);
    }
    if (is_word(r, "PARENT")) {
        return read_edges(r);
    }
    if (takes_in(r)) {
        return fail(r, "the line takes in another file, which is not read; expected a graph in one "
                       "file, of lines JOB and PARENT");
    }
    if (r->word[0] != '\0' && r->word[0] != '#') {
        DUET_TRY(pass(r, r->word, why_passed(r)));
    }
    skip_line(r);
    return DUET_OK;
}

duet_code duet_read_instance_dagman(duet_input *input, duet_builder *builder, duet_error *error)
{
    dagman_reader r = {.input = input, .builder = builder, .error = error};
    duet_code code = DUET_OK;
    while (code == DUET_OK && duet_input_peek(input) >= 0) {
        code = read_line(&r);
        if (duet_input_peek(input) == '\n') {
            duet_input_take(input);
        }
    }
    DUET_THEN(code, duet_input_check(input, error));
    duet_free(r.parents);
    return code;
}

// The words of a line: how many there are, and whether the third is a number. 0: it may be the
// header of a table, such as "Job ID,cpu time,gpu time".
static size_t count_words(const char *at, const char *end, bool *number)
{
    size_t words = 0;
    for (bool inside = false; at < end && *at != '\n'; at++) {
        bool blank = duet_is_blank((unsigned char)*at);
        if (*at == ',' || *at == ';' || *at == '|' || *at == '\t') {
            return 0;
        }
        words += !blank && !inside;
        *number =
            words == 3 && !inside && !blank ? (*at >= '0' && *at <= '9') || *at == '-' : *number;
        inside = !blank;
    }
    return words;
}

bool duet_dagman_begins(const unsigned char *text, size_t length)
{
    static const char *const first[] = {"JOB ",
                                        "CONFIG ",
                                        "DOT ",
                                        "PARENT ",
                                        "VARS ",
                                        "RETRY ",
                                        "SCRIPT ",
                                        "MAXJOBS ",
                                        "JOBSTATE_LOG ",
                                        "NODE_STATUS_FILE ",
                                        "SUBMIT-DESCRIPTION "};
    const char *at = (const char *)text;
    const char *end = at + length;
    for (bool begun = false; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop;
        bool known = false;
        for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
            size_t word = strlen(first[i]);
            known = known || ((size_t)(stop - at) > word && strncasecmp(at, first[i], word) == 0);
        }
        bool number = false;
        if (known && strncasecmp(at, "JOB", 3) == 0) {
            return count_words(at, stop, &number) >= 3 && !number;
        }
        if (!known && !begun && at < stop && *at != '#' && !duet_is_blank((unsigned char)*at)) {
            return false;
        }
        begun = begun || known;
        at = stop + 1;
    }
    return false;
}
