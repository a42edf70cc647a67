// SPDX-License-Identifier: Apache-2.0
#include "instances/formats/own_files.h"

#include <string.h>
#include <strings.h>

#include "core/system/shell_word.h"
#include "instances/formats/foreign.h"

typedef struct own_file {
    unsigned kind;
    const char *what;
    const char *takes;  // the command that takes it, without the file's name behind it; NULL: none
    const char *behind; // what follows the name
} own_file;

enum { SOLUTION, SCHEDULE, INSTANCE, BUS, PROOF, RESULTS, TIMINGS, TRACE, DRAWING, PAGE, PROGRAM };
static const own_file own_files[] = {
    [SOLUTION] = {DUET_OWN_SOLUTION, "a solution (format \"duet-solution\")", "duet show INSTANCE ",
                  ""},
    [SCHEDULE] = {DUET_OWN_SCHEDULE, "a schedule (columns task, type, processor and start)",
                  "duet show INSTANCE ", ""},
    [INSTANCE] = {DUET_OWN_INSTANCE, "an instance (format \"duet-instance\")", "duet solve ", ""},
    [BUS] = {DUET_OWN_BUS, "a machine with a bus (format \"duet-bus\")",
             "duet simulate INSTANCE -a heft --bus ", ""},
    [PROOF] = {DUET_OWN_PROOF, "the proof of a lower bound",
               "duet verify INSTANCE SOLUTION --proof ", ""},
    [RESULTS] = {DUET_OWN_RESULTS, "a table of results", "duet report ", " -o report.html"},
    [TIMINGS] = {DUET_OWN_TIMINGS, "a table of kernel times", "duet generate chol -O timings=", ""},
    [TRACE] = {DUET_OWN_TRACE, "the trace of a schedule", NULL, NULL},
    [DRAWING] = {DUET_OWN_DRAWING, "a picture", NULL, NULL},
    [PAGE] = {DUET_OWN_DRAWING, "a page of HTML", NULL, NULL},
    [PROGRAM] = {DUET_OWN_PROGRAM, "a linear program, which other solvers take", NULL, NULL},
};

// What is there of the file, without blanks and empty lines before it.
typedef struct text {
    const char *at;
    const char *end;
} text;

static void skip_blanks(text *t)
{
    while (t->at < t->end && strchr(" \t\r\n", *t->at) != NULL && *t->at != '\0') {
        t->at++;
    }
}

static bool begins(text t, const char *what)
{
    size_t length = strlen(what);
    return (size_t)(t.end - t.at) >= length && memcmp(t.at, what, length) == 0;
}

// The same, whatever the case of letters.
static bool begins_word(text t, const char *what)
{
    size_t length = strlen(what);
    return (size_t)(t.end - t.at) >= length && strncasecmp(t.at, what, length) == 0;
}

// Takes what is next, and blanks behind it.
static bool take(text *t, const char *what)
{
    bool is = begins(*t, what);
    t->at += is ? strlen(what) : 0;
    skip_blanks(t);
    return is;
}

// {"format": "duet-...": the word that is there; NULL: another member stands first.
static const own_file *find_json(text t)
{
    if (!take(&t, "{")) {
        return NULL;
    }
    if (begins(t, "\"traceEvents\"")) {
        return &own_files[TRACE];
    }
    if (!take(&t, "\"format\"") || !take(&t, ":")) {
        return NULL;
    }
    return begins(t, "\"duet-solution\"")   ? &own_files[SOLUTION]
           : begins(t, "\"duet-instance\"") ? &own_files[INSTANCE]
           : begins(t, "\"duet-bus\"")      ? &own_files[BUS]
                                            : NULL;
}

// Whether a header has a column of that name.
static bool has_column(text header, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = header.at; at < header.end; at++) {
        size_t word = 0;
        while (at + word < header.end && strchr(",;\t|\"\r", at[word]) == NULL) {
            word++;
        }
        if (word == length && strncasecmp(at, name, length) == 0) {
            return true;
        }
        at += word;
    }
    return false;
}

// What the columns of a table say.
static const own_file *find_table(text t)
{
    while (begins(t, "#") && t.at < t.end) {
        const char *line = memchr(t.at, '\n', (size_t)(t.end - t.at));
        t.at = line == NULL ? t.end : line;
        skip_blanks(&t);
    }
    const char *line = memchr(t.at, '\n', (size_t)(t.end - t.at));
    text header = {t.at, line == NULL ? t.end : line};
    bool task = has_column(header, "task") || has_column(header, "id");
    bool where = has_column(header, "processor") || has_column(header, "processors");
    if (task && where && has_column(header, "type") && has_column(header, "start")) {
        return &own_files[SCHEDULE];
    }
    if (has_column(header, "kernel") && has_column(header, "factorisation")) {
        return &own_files[TIMINGS];
    }
    bool judged = has_column(header, "ratio") || has_column(header, "lower_bound");
    return judged && has_column(header, "makespan") ? &own_files[RESULTS] : NULL;
}

static const own_file *find_kind(text t)
{
    static const struct {
        const char *bytes;
        int kind;
    } beginnings[] = {
        {"duet-proof ", PROOF},
        {"%EventDef", TRACE},
        {"# static schedule for StarPU", TRACE},
        {"\\ Assignment", PROGRAM},
        {"* Assignment", PROGRAM},
        {"\x89PNG", DRAWING},
        {"%PDF", DRAWING},
        {"<svg", DRAWING},
    };
    skip_blanks(&t);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (begins(t, beginnings[i].bytes)) {
            return &own_files[beginnings[i].kind];
        }
    }
    if (begins_word(t, "<!doctype html") || begins_word(t, "<html")) {
        return &own_files[PAGE];
    }
    if (begins(t, "<?xml")) {
        const char *close = memchr(t.at, '>', (size_t)(t.end - t.at));
        t.at = close == NULL ? t.end : close + 1;
        skip_blanks(&t);
        return begins(t, "<svg") ? &own_files[DRAWING] : NULL;
    }
    return begins(t, "{") ? find_json(t) : find_table(t);
}

duet_code duet_refuse_own(duet_input *input, unsigned allowed, const char *expected,
                          duet_error *error)
{
    duet_input_fill(input, DUET_INPUT_LINE);
    const char *at = (const char *)input->buffer + input->at;
    const own_file *own = find_kind((text){at, (const char *)input->buffer + input->filled});
    if (own == NULL || (own->kind & allowed) != 0) {
        return DUET_OK;
    }
    if (own->takes == NULL) {
        return duet_error_set_at(error, DUET_E_INPUT, input->name, 1, 1,
                                 "this file is %s; expected %s", own->what, expected);
    }
    char name[DUET_SHELL_WORD];
    return duet_error_set_at(
        error, DUET_E_INPUT, input->name, 1, 1, "this file is %s; expected %s; '%s%s%s' takes it",
        own->what, expected, own->takes,
        duet_input_is_piped(input) ? "FILE" : duet_shell_path(input->name, name), own->behind);
}
