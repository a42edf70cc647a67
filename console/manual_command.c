// SPDX-License-Identifier: Apache-2.0
// The page of one command, from its tables of options.
#include <stdbool.h>
#include <string.h>

#include "console/exit_code.h"
#include "console/manual.h"
#include "console/print.h"
#include "core/system/memory.h"

// One spelling: "-a ALGORITHM" or "--algorithm=ALGORITHM".
static void print_spelling(FILE *stream, const char *dashes, const char *name, const char *between,
                           const char *value)
{
    char option[64];
    snprintf(option, sizeof option, "%s%s", dashes, name);
    duet_roff_bold(stream, option);
    if (value != NULL) {
        duet_roff_text(stream, between);
        duet_roff_italic(stream, value);
    }
}

// An option with all its names.
static void print_option(FILE *stream, const duet_cli_option *option)
{
    char help[DUET_CLI_HELP];
    fprintf(stream, ".TP\n");
    if (option->letter != 0) {
        char letter[] = {(char)option->letter, '\0'};
        print_spelling(stream, "-", letter, " ", option->argument);
        fprintf(stream, ", ");
    }
    print_spelling(stream, "--", option->name, "=", option->argument);
    if (option->alias != NULL) {
        fprintf(stream, ", ");
        print_spelling(stream, "--", option->alias, "=", option->argument);
    }
    fprintf(stream, "\n");
    duet_roff_line(stream, duet_cli_option_help(option, help));
}

// Returns whether the command takes -O.
static bool print_options(FILE *stream, const duet_cli_syntax *syntax)
{
    bool has_settings = false;
    const duet_cli_option *o = duet_cli_option_at(syntax, 0);
    for (size_t i = 0; o != NULL; o = duet_cli_option_at(syntax, ++i)) {
        print_option(stream, o);
        has_settings = has_settings || strcmp(o->name, "option") == 0;
    }
    return has_settings;
}

// The text behind the options: "Examples:", indented lines of them, then paragraphs. `text` is cut
// up in place.
static void print_tail(FILE *stream, char *text)
{
    bool example = false;
    bool notes = false;
    for (char *line = text; line != NULL;) {
        char *next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        if (strcmp(line, "Examples:") == 0) {
            duet_roff_section(stream, "EXAMPLES");
        } else if (strncmp(line, "  ", 2) == 0) {
            duet_cli_put_own(stream, example ? "" : ".EX\n");
            duet_roff_line(stream, line + 2);
            example = true;
        } else if (line[0] != '\0') {
            duet_cli_put_own(stream, example ? ".EE\n" : "");
            if (notes) {
                duet_roff_paragraph(stream, line);
            } else {
                duet_roff_section(stream, "NOTES");
                duet_roff_line(stream, line);
            }
            example = false;
            notes = true;
        }
        line = next;
    }
    duet_cli_put_own(stream, example ? ".EE\n" : "");
}

static void print_synopsis(FILE *stream, const char *name, const char *arguments)
{
    duet_roff_section(stream, "SYNOPSIS");
    duet_roff_bold(stream, "duet ");
    duet_roff_bold(stream, name);
    fprintf(stream, " [\\fIOPTION\\fR...]");
    if (arguments != NULL && arguments[0] != '\0') {
        fprintf(stream, " ");
        duet_roff_italic(stream, arguments);
    }
    fprintf(stream, "\n");
}

void duet_cli_manual_exits(FILE *stream)
{
    duet_roff_section(stream, "EXIT STATUS");
    for (const duet_cli_exit *e = duet_cli_exits; e->meaning != NULL; e++) {
        fprintf(stream, ".TP 5\n.B %d\n", e->code);
        duet_roff_line(stream, e->meaning);
    }
}

void duet_cli_manual_command(FILE *stream, const duet_cli_syntax *syntax, const char *summary)
{
    char page[64];
    snprintf(page, sizeof page, "duet-%s", syntax->name);
    for (char *c = page; *c != '\0'; c++) {
        *c = *c == ' ' ? '-' : *c;
    }
    duet_roff_begin(stream, page, 1, summary);
    print_synopsis(stream, syntax->name, syntax->arguments);
    char *doc = duet_copy_string(syntax->text, NULL);
    if (doc == NULL) {
        return;
    }
    char *tail = strchr(doc, '\v');
    if (tail != NULL) {
        *tail++ = '\0';
    }
    duet_roff_section(stream, "DESCRIPTION");
    duet_roff_line(stream, doc);
    duet_roff_section(stream, "OPTIONS");
    bool has_settings = print_options(stream, syntax);
    if (tail != NULL) {
        print_tail(stream, tail);
    }
    duet_free(doc);
    duet_cli_manual_exits(stream);
    duet_roff_see_also(stream, has_settings ? "duet(1) duet-algorithms(7) duet-families(7)"
                                            : "duet(1) duet-formats(7)");
}
