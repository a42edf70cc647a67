// SPDX-License-Identifier: Apache-2.0
// Which separator a header has, and whether the line is a header at all.
#include "instances/formats/csv/csv.h"

#include <string.h>
#include <strings.h>

#include "core/number/decimal.h"

// A word up to a blank that is not in quotes: where it begins (*at) and how long it is. Words are
// separated as in typed-task text.
static size_t next_word(const char *line, size_t length, size_t *at)
{
    while (*at < length && (line[*at] == ' ' || line[*at] == '\t')) {
        ++*at;
    }
    size_t size = 0;
    bool quoted = false;
    while (*at + size < length &&
           (quoted || (line[*at + size] != ' ' && line[*at + size] != '\t'))) {
        quoted = quoted != (line[*at + size] == '"');
        size++;
    }
    return size;
}

static bool is_number(const char *text, size_t length)
{
    duet_decimal value;
    duet_decimal_tail tail;
    return duet_decimal_read(text, length, &value, &tail) != DUET_DECIMAL_SYNTAX;
}

// Typed-task text is "id time ... [pred,pred,...]": all words between the first and the last are
// numbers, or end in a comma, and the second is one, where a header has a name. If the first word
// has commas, as an id hardly has, the third must be a number too, or the next line has others.
static bool begins_with_task(const char *line, size_t length, bool even_commas)
{
    size_t at = 0;
    size_t size = next_word(line, length, &at);
    bool commas = memchr(line + at, ',', size) != NULL;
    size_t words = 0;
    bool numbers = true; // all but the last that has been read
    bool last = true;
    for (at += size; (size = next_word(line, length, &at)) > 0; at += size) {
        numbers = numbers && last;
        last = is_number(line + at, size) || (words > 0 && line[at + size - 1] == ',');
        words++;
    }
    if (words < 2) {
        return words == 1 && last && !(commas && even_commas);
    }
    return numbers && (!commas || words > 2 || last);
}

// "id", "task" or "name" and a comma or semicolon: a header, with this separator whatever follows.
static char after_id(const char *line, size_t length)
{
    static const char *const names[] = {"id", "task", "name"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t at = strlen(names[i]);
        if (length <= at || strncasecmp(line, names[i], at) != 0) {
            continue;
        }
        while (at < length && (line[at] == ' ' || line[at] == '\t')) {
            at++;
        }
        if (at < length && (line[at] == ',' || line[at] == ';' || line[at] == '|')) {
            return line[at];
        }
    }
    return '\0';
}

// Where a line begins behind one that ends at `end`.
static size_t line_behind(const char *text, size_t length, size_t end)
{
    end += end < length && text[end] == '\r';
    return end + (end < length && text[end] == '\n');
}

static const char separators[] = ",;\t|";

// Counts the separators of a line outside of quotes, and finds its end. False: it has what no text
// has.
static bool count_separators(const char *text, size_t length, size_t counts[4], size_t *end)
{
    bool quoted = false;
    size_t at = 0;
    for (; at < length && (quoted || (text[at] != '\n' && text[at] != '\r')); at++) {
        char c = text[at];
        const char *which = c == '\0' || quoted ? NULL : strchr(separators, c);
        quoted = quoted != (c == '"');
        if (!quoted && c >= 0 && c < ' ' && c != '\t') {
            return false;
        }
        if (which != NULL) {
            counts[which - separators]++;
        }
    }
    *end = at;
    return true;
}

char duet_csv_sniff(const char *text, size_t length, size_t *line)
{
    size_t counts[4] = {0, 0, 0, 0};
    size_t below[4] = {0, 0, 0, 0}; // on the next line
    size_t end = 0;
    size_t next_end = 0;
    if (!count_separators(text, length, counts, &end)) {
        return '\0';
    }
    *line = end;
    size_t next = line_behind(text, length, end);
    (void)count_separators(text + next, length - next, below, &next_end);
    size_t best = 0;
    for (size_t i = 1; i < 4; i++) {
        best = counts[i] > counts[best] ? i : best;
    }
    for (size_t i = 0; i < 4; i++) { // names may have commas that are no separators
        bool names = below[best] == 0 && counts[best] > 0 && next_end > 0;
        best = names && counts[i] > 0 && below[i] == counts[i] ? i : best;
    }
    char certain = after_id(text, end);
    if (certain != '\0') {
        return certain;
    }
    bool even_commas = next_end > 0 && below[0] == counts[0];
    return counts[best] == 0 || begins_with_task(text, end, even_commas) ? '\0' : separators[best];
}

bool duet_csv_is_column(const char *text, size_t length)
{
    duet_decimal number;
    duet_decimal_tail tail;
    size_t end = 0;
    while (end < length && strchr("\r\n \t,;|\"#", text[end]) == NULL) {
        end++;
    }
    size_t begin = line_behind(text, length, end);
    size_t second = begin;
    while (second < length && text[second] != '\n' && text[second] != '\r') {
        second++;
    }
    return end > 0 && begin > end &&
           duet_decimal_read(text, end, &number, &tail) == DUET_DECIMAL_SYNTAX &&
           duet_decimal_read(text + begin, second - begin, &number, &tail) == DUET_DECIMAL_OK;
}

void duet_csv_find_separator(duet_csv *csv)
{
    duet_input *input = csv->input;
    duet_input_fill(input, DUET_INPUT_LINE);
    const char *line = (const char *)input->buffer + input->at;
    size_t length = 0;
    char separator = duet_csv_sniff(line, input->filled - input->at, &length);
    if (length == 5 && strncasecmp(line, "sep=", 4) == 0 && strchr(",;\t|", line[4]) != NULL) {
        separator = line[4];
        for (int byte = 0; byte >= 0 && byte != '\n';) {
            byte = duet_input_next(input);
        }
    }
    csv->separator = separator == '\0' ? ',' : separator;
}
