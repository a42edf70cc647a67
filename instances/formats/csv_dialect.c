// SPDX-License-Identifier: Apache-2.0
// Which separator a header has, and whether the line is a header at all.
#include "instances/formats/csv_dialect.h"

#include <string.h>

#include "core/decimal.h"

// A word up to a blank: where it begins (*at) and how long it is. Words are separated as in
// typed-task text.
static size_t next_word(const char *line, size_t length, size_t *at)
{
    while (*at < length && (line[*at] == ' ' || line[*at] == '\t')) {
        ++*at;
    }
    size_t size = 0;
    while (*at + size < length && line[*at + size] != ' ' && line[*at + size] != '\t') {
        size++;
    }
    return size;
}

// Typed-task text is "id time ...": its second word is a number. A header has a name there.
static bool begins_with_task(const char *line, size_t length)
{
    size_t at = 0;
    at += next_word(line, length, &at);
    size_t size = next_word(line, length, &at);
    duet_decimal value;
    duet_decimal_tail tail;
    duet_decimal_fault fault = duet_decimal_read(line + at, size, &value, &tail);
    return fault != DUET_DECIMAL_SYNTAX;
}

char duet_csv_sniff(const char *line, size_t length)
{
    static const char separators[] = ",;\t";
    size_t counts[3] = {0, 0, 0};
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        const char *which = line[i] == '\0' ? NULL : strchr(separators, line[i]);
        quoted = quoted != (line[i] == '"');
        if ((unsigned char)line[i] < 0x20 && line[i] != '\t') {
            return 0;
        }
        if (which != NULL && !quoted) {
            counts[which - separators]++;
        }
    }
    size_t best = 0;
    for (size_t i = 1; i < 3; i++) {
        best = counts[i] > counts[best] ? i : best;
    }
    return counts[best] == 0 || begins_with_task(line, length) ? '\0' : separators[best];
}
