// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/assert.h"
#include "core/memory.h"
#include "core/output.h"

enum {
    LINE = 128,  // bytes: a line with a few numbers
    NUMBER = 24, // a number, and the blank before it
};

void duet_log_start(duet_log *log, const duet_classes *classes, size_t limit)
{
    log->length = 0;
    log->vectors = 0;
    log->lost = false;
    log->limit = limit;
    log->types = classes->types;
    log->classes = classes->count;
}

void duet_log_free(duet_log *log)
{
    duet_free(log->text);
    duet_free(log->owner);
    *log = (duet_log){.text = NULL};
}

duet_log_mark duet_log_here(const duet_log *log)
{
    return log == NULL ? (duet_log_mark){0, 0} : (duet_log_mark){log->length, log->vectors};
}

void duet_log_rewind(duet_log *log, duet_log_mark mark)
{
    if (log != NULL && !log->lost) {
        DUET_ASSERT(mark.length <= log->length && mark.vectors <= log->vectors);
        log->length = mark.length;
        log->vectors = mark.vectors;
    }
}

// Makes room for so many bytes more. Returns whether there is a log that is not lost.
static bool begin(duet_log *log, size_t more)
{
    if (log == NULL || log->lost) {
        return false;
    }
    if (log->room - log->length >= more) {
        return true;
    }
    size_t room = 2 * log->room + more;
    char *grown = room > log->limit ? NULL : duet_resize(log->text, room, 1, NULL);
    log->lost = grown == NULL;
    if (grown != NULL) {
        log->text = grown;
        log->room = room;
    }
    return grown != NULL;
}

static void put_text(duet_log *log, const char *text)
{
    size_t length = strlen(text);
    DUET_ASSERT(log->room - log->length >= length);
    memcpy(log->text + log->length, text, length);
    log->length += length;
}

static void put_number(duet_log *log, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    DUET_ASSERT(log->room - log->length > sizeof digits - at);
    log->text[log->length++] = ' ';
    memcpy(log->text + log->length, digits + at, sizeof digits - at);
    log->length += sizeof digits - at;
}

static void put_type(duet_log *log, size_t type)
{
    if (log->types == 2) {
        put_text(log, type == 0 ? " cpu" : " gpu");
    } else {
        put_number(log, (int64_t)type);
    }
}

static void put_prices(duet_log *log, const duet_prices *prices)
{
    put_text(log, "prices");
    for (size_t t = 0; t < log->types; t++) {
        put_text(log, prices->listed[t] ? " listed" : prices->divisible[t] ? " area" : " set");
        put_number(log, prices->limit[t]);
    }
    for (size_t c = 0; c < log->classes; c++) {
        for (size_t t = 0; t < log->types; t++) {
            put_number(log, prices->price[t][c]);
        }
    }
    if (prices->rows > 0) {
        put_text(log, " counts");
        put_number(log, (int64_t)prices->rows);
        for (size_t i = 0; i < prices->rows; i++) {
            put_number(log, prices->row[i]);
        }
    }
}

// Whether prices are in the proof, and were not taken back by a rewind.
static bool is_declared(const duet_log *log, const duet_prices *prices)
{
    return prices->id >= 0 && prices->id < log->vectors && log->owner[prices->id] == prices;
}

// Gives prices the next number, and a line.
static void declare(duet_log *log, duet_prices *prices)
{
    size_t numbers = log->types * (log->classes + 2) + prices->rows + 4;
    if (!begin(log, numbers * NUMBER)) {
        return;
    }
    if (duet_grow(&log->owner, (size_t)log->vectors, &log->owner_room, sizeof *log->owner, NULL) !=
        DUET_OK) {
        log->lost = true;
        return;
    }
    log->owner[log->vectors] = prices;
    prices->id = log->vectors++;
    if (prices->weight[0] >= 0) {
        put_text(log, "area");
        for (size_t t = 0; t < log->types; t++) {
            put_number(log, prices->weight[t]);
        }
    } else {
        put_prices(log, prices);
    }
    put_text(log, "\n");
}

// Begins the line of a node by prices, which are declared before it.
static bool begin_priced(duet_log *log, const char *word, duet_prices *prices)
{
    if (log != NULL && !log->lost && !is_declared(log, prices)) {
        declare(log, prices);
    }
    if (!begin(log, LINE)) {
        return false;
    }
    put_text(log, word);
    put_number(log, prices->id);
    return true;
}

void duet_log_nowhere(duet_log *log, size_t class)
{
    if (begin(log, LINE)) {
        put_text(log, "nowhere");
        put_number(log, (int64_t) class);
        put_text(log, "\n");
    }
}

void duet_log_price(duet_log *log, duet_prices *prices)
{
    if (begin_priced(log, "price", prices)) {
        put_text(log, "\n");
    }
}

void duet_log_knapsack(duet_log *log, duet_prices *area)
{
    if (begin_priced(log, "knapsack", area)) {
        put_text(log, "\n");
    }
}

void duet_log_branch(duet_log *log, size_t class, int64_t most)
{
    duet_log_branch_type(log, 0, class, most);
}

void duet_log_branch_type(duet_log *log, size_t type, size_t class, int64_t most)
{
    if (begin(log, LINE)) {
        put_text(log, "branch");
        DUET_ASSERT(log->types != 2 || type == 0);
        if (log->types != 2) {
            put_number(log, (int64_t)type);
        }
        put_number(log, (int64_t) class);
        put_number(log, most);
        put_text(log, "\n");
    }
}

void duet_log_list(duet_log *log, duet_prices *prices, size_t type, size_t patterns)
{
    if (begin_priced(log, "list", prices)) {
        put_type(log, type);
        put_number(log, (int64_t)patterns);
        put_text(log, "\n");
    }
}

void duet_log_count(duet_log *log, size_t type, int64_t tasks, int64_t most, const bool *has)
{
    if (log == NULL || !begin(log, (log->classes + 8) * NUMBER)) {
        return;
    }
    int64_t classes = 0;
    for (size_t c = 0; c < log->classes; c++) {
        classes += has[c] ? 1 : 0;
    }
    put_text(log, "count");
    put_type(log, type);
    put_number(log, tasks);
    put_number(log, most);
    put_number(log, classes);
    for (size_t c = 0; c < log->classes; c++) {
        if (has[c]) {
            put_number(log, (int64_t)c);
        }
    }
    put_text(log, "\n");
}

void duet_log_cover(duet_log *log, duet_prices *prices, size_t type, size_t class, size_t patterns)
{
    if (begin_priced(log, "cover", prices)) {
        put_type(log, type);
        put_number(log, (int64_t) class);
        put_number(log, (int64_t)patterns);
        put_text(log, "\n");
    }
}

duet_code duet_log_write(const duet_log *log, duet_output *output, int64_t bound, duet_error *error)
{
    fprintf(output->stream, "duet-proof 1\nbound %" PRId64 "\nclasses %zu\n", bound, log->classes);
    fwrite(log->text, 1, log->length, output->stream);
    fputs("end\n", output->stream);
    return duet_output_commit(output, error);
}
