// SPDX-License-Identifier: Apache-2.0
// Aligned text tables for people.
#include "console/table.h"

#include <stdint.h>
#include <string.h>

#include "console/print.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/utf8.h"

void duet_cli_table_init(duet_cli_table *table, const char *align)
{
    *table = (duet_cli_table){align, NULL, 0, 0, false};
}

void duet_cli_table_free(duet_cli_table *table)
{
    for (size_t i = 0; i < table->used; i++) {
        duet_free(table->cells[i]);
    }
    duet_free(table->cells);
    duet_cli_table_init(table, table->align);
}

void duet_cli_table_add(duet_cli_table *table, const char *text)
{
    if (table->failed) {
        return;
    }
    if (table->used == table->capacity) {
        size_t capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
        char **cells = duet_resize(table->cells, capacity, sizeof *cells, NULL);
        if (cells == NULL) {
            table->failed = true;
            return;
        }
        table->cells = cells;
        table->capacity = capacity;
    }
    char *copy = duet_copy_string(text, NULL);
    if (copy == NULL) {
        table->failed = true;
        return;
    }
    table->cells[table->used++] = copy;
}

static void print_cell(const char *text, size_t width, bool right, bool last, FILE *stream)
{
    size_t own = duet_cli_width(text);
    int pad = (int)(width > own ? width - own : 0);
    if (right) {
        fprintf(stream, "%*s", pad, "");
    }
    duet_cli_print(stream, "%s", text);
    if (last) {
        fputc('\n', stream);
    } else {
        fprintf(stream, "%*s", right ? 2 : pad + 2, "");
    }
}

void duet_cli_table_print(const duet_cli_table *table, int indent, FILE *stream)
{
    size_t columns = strlen(table->align);
    size_t width[DUET_CLI_MAX_COLUMNS] = {0};
    if (table->failed || columns == 0 || columns > DUET_CLI_MAX_COLUMNS) {
        return;
    }
    for (size_t i = 0; i < table->used; i++) {
        size_t own = duet_cli_width(table->cells[i]);
        width[i % columns] = duet_max(own, width[i % columns]);
    }
    for (size_t i = 0; i < table->used; i++) {
        size_t column = i % columns;
        if (column == 0) {
            fprintf(stream, "%*s", indent, "");
        }
        // The cells behind the last one with text are left out: no spaces at the end of a line.
        bool last = true;
        for (size_t j = i + 1; j % columns != 0 && j < table->used; j++) {
            last = last && table->cells[j][0] == '\0';
        }
        print_cell(table->cells[i], width[column], table->align[column] == 'r', last, stream);
        if (last) {
            i += columns - 1 - column;
        }
    }
}

const char *const duet_cli_format_names[] = {"text", "csv", "markdown", "latex", NULL};

static void put_csv(const char *text, FILE *stream)
{
    duet_cli_csv_field(text, stream);
}

// A pipe would end the cell.
static const char *markdown_of(char c)
{
    return c == '|' ? "\\|" : NULL;
}

static const char *latex_of(char c)
{
    static const char *const words[] = {['%'] = "\\%",
                                        ['$'] = "\\$",
                                        ['#'] = "\\#",
                                        ['&'] = "\\&",
                                        ['_'] = "\\_",
                                        ['{'] = "\\{",
                                        ['}'] = "\\}",
                                        ['~'] = "\\textasciitilde{}",
                                        ['^'] = "\\textasciicircum{}",
                                        ['\\'] = "\\textbackslash{}"};
    return (unsigned char)c < sizeof words / sizeof *words ? words[(unsigned char)c] : NULL;
}

// A text as people are shown it, with the characters that mean something to the format in its words
// for them.
static void put_in(const char *text, const char *(*word_of)(char c), FILE *stream)
{
    while (*text != '\0') {
        char shown[DUET_SHOWN];
        text += duet_utf8_show((const unsigned char *)text, SIZE_MAX, shown);
        for (const char *c = shown; *c != '\0'; c++) {
            const char *word = word_of(*c);
            fputs(word != NULL ? word : (char[2]){*c, '\0'}, stream);
        }
    }
}

static void put_markdown(const char *text, FILE *stream)
{
    put_in(text, markdown_of, stream);
}

static void put_latex(const char *text, FILE *stream)
{
    put_in(text, latex_of, stream);
}

// What stands around rows and cells of a format.
typedef struct frame {
    void (*put)(const char *text, FILE *stream);
    const char *row;
    const char *between;
    const char *end;
} frame;

static void print_rows(const duet_cli_table *table, const frame *around, size_t from, size_t to,
                       FILE *stream)
{
    size_t columns = strlen(table->align);
    for (size_t i = from * columns; i < to * columns && i < table->used; i++) {
        fputs(i % columns == 0 ? around->row : around->between, stream);
        around->put(table->cells[i], stream);
        fputs((i + 1) % columns == 0 ? around->end : "", stream);
    }
}

void duet_cli_table_print_as(const duet_cli_table *table, duet_cli_format format, FILE *stream)
{
    static const frame frames[] = {[DUET_CLI_CSV] = {put_csv, "", ",", "\n"},
                                   [DUET_CLI_MARKDOWN] = {put_markdown, "| ", " | ", " |\n"},
                                   [DUET_CLI_LATEX] = {put_latex, "", " & ", " \\\\\n"}};
    size_t columns = strlen(table->align);
    if (format == DUET_CLI_TEXT_TABLE || table->failed || columns == 0) {
        duet_cli_table_print(table, 2, stream);
        return;
    }
    const frame *around = &frames[format];
    if (format == DUET_CLI_LATEX) {
        fprintf(stream, "\\begin{tabular}{%s}\n\\hline\n", table->align);
    }
    print_rows(table, around, 0, 1, stream);
    if (format == DUET_CLI_LATEX) {
        fputs("\\hline\n", stream);
    }
    for (size_t i = 0; format == DUET_CLI_MARKDOWN && i < columns; i++) {
        fprintf(stream, "|%s%s", table->align[i] == 'r' ? "---:" : "---",
                i + 1 < columns ? "" : "|\n");
    }
    print_rows(table, around, 1, table->used / columns, stream);
    if (format == DUET_CLI_LATEX) {
        fputs("\\hline\n\\end{tabular}\n", stream);
    }
}
