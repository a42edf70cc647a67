// SPDX-License-Identifier: Apache-2.0
// The page of one command, from the tables of its parser.
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "console/common.h"
#include "console/manual.h"
#include "console/roff.h"
#include "core/memory.h"

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

static bool has_letter(const struct argp_option *option)
{
    return option->key > 0 && option->key < 128 && isgraph(option->key);
}

// An option with its other names, which follow it in the table.
static const struct argp_option *print_option(FILE *stream, const struct argp_option *option)
{
    const struct argp_option *o = option;
    fprintf(stream, ".TP\n");
    do {
        const char *separator = o == option ? "" : ", ";
        if (has_letter(o)) {
            char letter[] = {(char)o->key, '\0'};
            fprintf(stream, "%s", separator);
            print_spelling(stream, "-", letter, " ", option->arg);
            separator = ", ";
        }
        if (o->name != NULL) {
            fprintf(stream, "%s", separator);
            print_spelling(stream, "--", o->name, "=", option->arg);
        }
        o++;
    } while (o->key != 0 && (o->flags & OPTION_ALIAS) != 0);
    fprintf(stream, "\n");
    duet_roff_line(stream, option->doc == NULL ? "" : option->doc);
    return o;
}

static void print_options(FILE *stream, const struct argp *argp)
{
    for (const struct argp_option *o = argp->options; o != NULL && o->key != 0;) {
        o = print_option(stream, o);
    }
    for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++) {
        print_options(stream, c->argp);
    }
}

static bool has_option(const struct argp *argp, const char *name)
{
    for (const struct argp_option *o = argp->options; o != NULL && o->key != 0; o++) {
        if (o->name != NULL && strcmp(o->name, name) == 0) {
            return true;
        }
    }
    for (const struct argp_child *c = argp->children; c != NULL && c->argp != NULL; c++) {
        if (has_option(c->argp, name)) {
            return true;
        }
    }
    return false;
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
            fprintf(stream, "%s", example ? "" : ".EX\n");
            duet_roff_line(stream, line + 2);
            example = true;
        } else if (line[0] != '\0') {
            fprintf(stream, "%s", example ? ".EE\n" : "");
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
    fprintf(stream, "%s", example ? ".EE\n" : "");
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

void duet_cli_manual_command(FILE *stream, const struct argp *argp, const char *name,
                             const char *summary)
{
    char page[64];
    snprintf(page, sizeof page, "duet-%s", name);
    for (char *c = page; *c != '\0'; c++) {
        *c = *c == ' ' ? '-' : *c;
    }
    duet_roff_begin(stream, page, 1, summary);
    print_synopsis(stream, name, argp->args_doc);
    char *doc = duet_copy_string(argp->doc == NULL ? "" : argp->doc, NULL);
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
    print_options(stream, argp);
    if (tail != NULL) {
        print_tail(stream, tail);
    }
    duet_free(doc);
    duet_cli_manual_exits(stream);
    duet_roff_see_also(stream, has_option(argp, "option")
                                   ? "duet(1) duet-algorithms(7) duet-families(7)"
                                   : "duet(1) duet-formats(7)");
}
