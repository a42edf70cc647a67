// SPDX-License-Identifier: Apache-2.0
// The parser that a command's tables of options make.
//
// argp's own messages and help option are turned off: they take two lines and exit by themselves,
// where the command promises one line in its own form.
#include "console/options.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/complete.h"
#include "console/exact_names.h"
#include "console/exit_code.h"
#include "console/manual.h"
#include "console/print.h"
#include "core/instance/unit.h"
#include "core/options.h"
#include "core/system/assert.h"
#include "core/system/context.h"
#include "core/system/memory.h"
#include "core/system/path.h"

// Room for the options of one command, and the key of the first; a letter is a key of its own.
enum { MOST_OPTIONS = 48, FIRST_KEY = 256 };

// What argp is given: the rows as its own options, in their order.
typedef struct parser {
    const duet_cli_syntax *syntax;
    void *input;
    struct argp argp;
    struct argp_option options[MOST_OPTIONS + 1];
    char help[MOST_OPTIONS][DUET_CLI_HELP];
    bool given[MOST_OPTIONS]; // whether the command line has named a file for the option
} parser;

static void add_option(parser *made, size_t *count, const duet_cli_option *option, int key)
{
    DUET_ASSERT(*count + 2 <= MOST_OPTIONS);
    made->options[*count] = (struct argp_option){option->name,
                                                 key,
                                                 option->argument,
                                                 0,
                                                 duet_cli_option_help(option, made->help[*count]),
                                                 0};
    ++*count;
    if (option->alias != NULL) {
        made->options[(*count)++] =
            (struct argp_option){option->alias, key, NULL, OPTION_ALIAS, NULL, 0};
    }
}

// The option of a key; *index receives its index.
static const duet_cli_option *find_key(const duet_cli_syntax *syntax, int key, size_t *index)
{
    *index = key >= FIRST_KEY ? (size_t)(key - FIRST_KEY) : 0;
    const duet_cli_option *o = duet_cli_option_at(syntax, *index);
    while (key < FIRST_KEY && o != NULL && o->letter != key) {
        o = duet_cli_option_at(syntax, ++*index);
    }
    return o;
}

// An option that names a file names one: of two, the first would be forgotten.
static bool is_first_file(parser *made, const duet_cli_option *option, size_t index,
                          const char *text)
{
    if (option->value.type != DUET_CLI_TYPE_PATH) {
        return true;
    }
    bool before = made->given[index];
    made->given[index] = true;
    return !before || duet_cli_usage(made->input, "--%s: expected one file, got '%s' as another",
                                     option->name, text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    parser *made = state->input;
    duet_cli_args *args = made->input;
    if (key == ARGP_KEY_ERROR) {
        args->stopped = state->next;
    } else if (key != ARGP_KEY_FINI && state->next > 0) {
        args->next = state->next;
    }
    if (key == ARGP_KEY_ARG) {
        if (args->file_count == made->syntax->most_arguments) {
            duet_cli_usage(args, "unexpected argument '%s'", text);
            return EINVAL;
        }
        args->files[args->file_count++] = text;
        return 0;
    }
    size_t index = 0;
    const duet_cli_option *option = key > 0 ? find_key(made->syntax, key, &index) : NULL;
    if (option == NULL) {
        return ARGP_ERR_UNKNOWN;
    }
    return is_first_file(made, option, index, text) &&
                   duet_cli_take_value(made->input, option, text)
               ? 0
               : EINVAL;
}

static void make_parser(const duet_cli_syntax *syntax, void *input, parser *made)
{
    *made = (parser){.syntax = syntax, .input = input};
    size_t count = 0;
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        add_option(made, &count, o, o->letter != 0 ? o->letter : FIRST_KEY + (int)i);
    }
    made->argp =
        (struct argp){made->options, parse, syntax->arguments, syntax->text, NULL, NULL, NULL};
}

static void take_presets(const duet_cli_syntax *syntax, void *input)
{
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        bool taken = o->preset == NULL || duet_cli_take_value(input, o, o->preset);
        DUET_ASSERT(taken);
        (void)taken;
    }
}

// Answers what the manual and the completion ask of a command. True: that is all.
static bool answer(const duet_cli_syntax *syntax, int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], DUET_CLI_MAN_PAGE) == 0) {
        duet_cli_manual_command(stdout, syntax, argv[2]);
        return true;
    }
    if (argc > 2 && strcmp(argv[1], DUET_CLI_COMPLETE) == 0) {
        duet_cli_complete_command(syntax, argc - 2, argv + 2);
        return true;
    }
    return false;
}

// A paragraph in lines of at most 79 columns; one that is indented is an example, to be pasted: it
// stays as it is.
static void print_paragraph(const char *text, size_t length)
{
    enum { width = 79 };
    size_t column = 0;
    for (size_t at = 0; at < length && text[0] != ' ';) {
        size_t word = strcspn(text + at, " \n");
        bool fits = column == 0 || column + 1 + word <= width;
        duet_cli_put_own(stdout, column == 0 ? "" : fits ? " " : "\n");
        duet_cli_print(stdout, "%.*s", (int)word, text + at);
        column = fits && column > 0 ? column + 1 + word : word;
        at += word + 1;
    }
    if (text[0] == ' ') {
        duet_cli_print(stdout, "%.*s", (int)length, text);
    }
    putchar('\n');
}

// What follows the options, by ourselves: argp would break the examples.
static void print_tail(const char *text)
{
    putchar('\n');
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        print_paragraph(text, length);
        text += length + (text[length] == '\n');
    }
}

// Without what argp leaves where a text ends at its margin: blanks at ends of lines, and lines of
// nothing else.
static void print_without_blanks(const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        size_t kept = length;
        while (kept > 0 && text[kept - 1] == ' ') {
            kept--;
        }
        if (kept > 0 || length == 0) {
            duet_cli_print(stdout, "%.*s\n", (int)kept, text);
        }
        text += length + (text[length] == '\n');
    }
}

// The part that argp writes.
static void print_head(parser *made, char *command)
{
    enum { room = 1 << 16 };
    const unsigned flags = ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK;
    char *text = duet_alloc(room, 1, NULL);
    FILE *memory = text == NULL ? NULL : fmemopen(text, room - 1, "w");
    argp_help(&made->argp, memory == NULL ? stdout : memory, flags, command);
    if (memory != NULL) {
        fclose(memory);
        print_without_blanks(text);
    }
    duet_free(text);
}

static void print_help(parser *made)
{
    char command[64];
    snprintf(command, sizeof command, "duet %s", made->syntax->name);
    const char *tail = strchr(made->syntax->text, '\v');
    char *head = duet_copy_string(made->syntax->text, NULL);
    if (head != NULL && tail != NULL) {
        head[tail - made->syntax->text] = '\0';
    }
    made->argp.doc = head;
    // Without its note that arguments of long options go with the short ones, too.
    setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
    print_head(made, command);
    made->argp.doc = made->syntax->text;
    duet_free(head);
    if (tail != NULL) {
        print_tail(tail + 1);
    }
}

static bool has_table(const duet_cli_syntax *syntax, const duet_cli_option *table)
{
    size_t t = 0;
    while (syntax->tables[t] != NULL && syntax->tables[t] != table) {
        t++;
    }
    return syntax->tables[t] != NULL;
}

// From here on the command's memory counts, all of it: what it reads, computes and writes. A study
// sets limits of its own for each run.
static bool limit_memory(const duet_cli_syntax *syntax, duet_cli_args *args)
{
    bool limited =
        has_table(syntax, duet_cli_limits_options) || has_table(syntax, duet_cli_bounds_options);
    return !limited || duet_memory_begin(&args->scope, args->memory, &args->error) == DUET_OK;
}

// Of what -O says, the reader's options become `reading`. What is left is the algorithm's, if the
// command runs any.
static bool split_settings(const duet_cli_syntax *syntax, duet_cli_args *args)
{
    if (!has_table(syntax, duet_cli_reading_options)) {
        return true;
    }
    const duet_option_spec *table = duet_reading_options();
    duet_code code = DUET_OK;
    if (has_table(syntax, duet_cli_setting_options)) {
        code = duet_options_check(args->options, table, syntax->name, &args->error);
    }
    return code == DUET_OK &&
           duet_options_take(args->options, table, &args->reading, &args->error) == DUET_OK;
}

// Any word may stand beside times; one that was meant as a unit is said before any work.
static void note_unit(const duet_cli_args *args)
{
    duet_unit known;
    if (args->read.unit != NULL && !args->quiet && !duet_unit_find(args->read.unit, &known)) {
        duet_cli_print(stderr,
                       "duet: note: --unit: '%s' only stands beside the times, since its length is "
                       "unknown; known are " DUET_UNIT_NAMES "\n",
                       args->read.unit);
    }
}

// The form of a schedule for StarPU means nothing where none is written.
static void note_form(const duet_cli_syntax *syntax, const duet_cli_args *args)
{
    const char *trace = NULL;
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        if (strcmp(o->name, "trace") == 0 && o->value.type == DUET_CLI_TYPE_PATH) {
            trace = *(const char *const *)((const char *)args + o->value.at);
        }
    }
    bool written = trace != NULL && duet_path_ends(trace, ".rec");
    if (duet_option_given(args->reading, "sched") && !written && !args->quiet) {
        fputs("duet: note: -O sched= is not used: no --trace F.rec is written\n", stderr);
    }
}

// The same with the room that the parser takes. False: stop with *code.
static bool parse_with(parser *made, int argc, char **argv, int *code)
{
    duet_cli_args *args = made->input;
    args->error = (duet_error)DUET_ERROR_INIT;
    args->began_ns = duet_clock_ns();
    args->next = 1;
    args->stopped = 1;
    args->files = duet_alloc((size_t)argc, sizeof *args->files, &args->error);
    if (args->files == NULL) {
        *code = duet_cli_fail(&args->error);
        return false;
    }
    take_presets(made->syntax, made->input);
    error_t failed =
        argp_parse(&made->argp, argc, argv,
                   ARGP_NO_ERRS | ARGP_NO_HELP | ARGP_NO_EXIT | ARGP_IN_ORDER, NULL, made);
    if (args->help) {
        print_help(made);
        *code = DUET_CLI_OK;
        return false;
    }
    if (failed == 0 && limit_memory(made->syntax, args) && split_settings(made->syntax, args)) {
        note_unit(args);
        note_form(made->syntax, args);
        duet_cli_want_names_note(!args->quiet);
        return true;
    }
    if (args->error.code == DUET_OK) {
        duet_cli_describe_fault(made->syntax, argc, argv, args->next, args->stopped, &args->error);
    }
    *code = duet_cli_fail(&args->error);
    return false;
}

bool duet_cli_parse(const duet_cli_syntax *syntax, int argc, char **argv, void *input, int *code)
{
    if (answer(syntax, argc, argv)) {
        *code = DUET_CLI_OK;
        return false;
    }
    parser made;
    make_parser(syntax, input, &made);
    bool parsed = parse_with(&made, argc, argv, code);
    if (!parsed) {
        duet_cli_args_free(input);
    }
    return parsed;
}
