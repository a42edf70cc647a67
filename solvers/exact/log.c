// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/output.h"

void duet_log_start(duet_log *log, const duet_classes *classes, size_t limit)
{
    log->length = 0;
    log->vectors = 0;
    log->lost = false;
    log->limit = limit;
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
        log->length = mark.length;
        log->vectors = mark.vectors;
    }
}

// Room for a short line more.
static bool reserve(duet_log *log, size_t more)
{
    if (log->lost) {
        return false;
    }
    if (log->room - log->length >= more) {
        return true;
    }
    size_t room = 2 * log->room + more;
    char *grown = room > log->limit ? NULL : duet_resize(log->text, room, 1, NULL);
    if (grown == NULL) {
        log->lost = true;
        return false;
    }
    log->text = grown;
    log->room = room;
    return true;
}

static void put_text(duet_log *log, const char *text)
{
    size_t length = strlen(text);
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
    log->text[log->length++] = ' ';
    memcpy(log->text + log->length, digits + at, sizeof digits - at);
    log->length += sizeof digits - at;
}

// A prices line, if these are not in the proof yet (or no longer, after a rewind).
static bool declare(duet_log *log, duet_prices *prices)
{
    enum { number = 24 };
    if (prices->id >= 0 && prices->id < log->vectors && log->owner[prices->id] == prices) {
        return true;
    }
    if (!reserve(log, (2 * log->classes + prices->counts + 8) * number)) {
        return false;
    }
    if (duet_grow(&log->owner, (size_t)log->vectors, &log->owner_room, sizeof *log->owner, NULL) !=
        DUET_OK) {
        log->lost = true;
        return false;
    }
    log->owner[log->vectors] = prices;
    prices->id = log->vectors++;
    if (prices->weight[0] >= 0) {
        put_text(log, "area");
        put_number(log, prices->weight[0]);
        put_number(log, prices->weight[1]);
    } else {
        put_text(log, "prices");
        for (size_t t = 0; t < 2; t++) {
            put_text(log, prices->listed[t] ? " listed" : prices->area[t] ? " area" : " set");
            put_number(log, prices->limit[t]);
        }
        for (size_t c = 0; c < log->classes; c++) {
            put_number(log, prices->price[0][c]);
            put_number(log, prices->price[1][c]);
        }
        if (prices->counts > 0) {
            put_text(log, " counts");
            put_number(log, (int64_t)prices->counts);
            for (size_t i = 0; i < prices->counts; i++) {
                put_number(log, prices->count[i]);
            }
        }
    }
    put_text(log, "\n");
    return true;
}

enum { LINE = 128 };

void duet_log_nowhere(duet_log *log, size_t class)
{
    if (log != NULL && reserve(log, LINE)) {
        put_text(log, "nowhere");
        put_number(log, (int64_t) class);
        put_text(log, "\n");
    }
}

static void leaf(duet_log *log, const char *word, duet_prices *prices)
{
    if (log != NULL && declare(log, prices) && reserve(log, LINE)) {
        put_text(log, word);
        put_number(log, prices->id);
        put_text(log, "\n");
    }
}

void duet_log_price(duet_log *log, duet_prices *prices)
{
    leaf(log, "price", prices);
}

void duet_log_knapsack(duet_log *log, duet_prices *area)
{
    leaf(log, "knapsack", area);
}

void duet_log_branch(duet_log *log, size_t class, int64_t most)
{
    if (log != NULL && reserve(log, LINE)) {
        put_text(log, "branch");
        put_number(log, (int64_t) class);
        put_number(log, most);
        put_text(log, "\n");
    }
}

void duet_log_list(duet_log *log, duet_prices *prices, size_t type, size_t patterns)
{
    if (log != NULL && declare(log, prices) && reserve(log, LINE)) {
        put_text(log, "list");
        put_number(log, prices->id);
        put_text(log, type == 0 ? " cpu" : " gpu");
        put_number(log, (int64_t)patterns);
        put_text(log, "\n");
    }
}

void duet_log_count(duet_log *log, size_t type, int64_t tasks, int64_t most, const bool *has)
{
    enum { number = 24 };
    if (log == NULL || !reserve(log, (log->classes + 8) * number)) {
        return;
    }
    int64_t classes = 0;
    for (size_t c = 0; c < log->classes; c++) {
        classes += has[c] ? 1 : 0;
    }
    put_text(log, type == 0 ? "count cpu" : "count gpu");
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
    if (log != NULL && declare(log, prices) && reserve(log, LINE)) {
        put_text(log, "cover");
        put_number(log, prices->id);
        put_text(log, type == 0 ? " cpu" : " gpu");
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
