// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/log.h"

#include <inttypes.h>

#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/output.h"

enum { LINE = 128 }; // bytes: a line with a few numbers

void duet_log_start(duet_log *log, const duet_classes *classes, size_t limit)
{
    log->out.length = 0;
    log->out.lost = false;
    log->out.limit = limit;
    log->vectors = 0;
    log->types = classes->types;
    log->classes = classes->count;
}

void duet_log_free(duet_log *log)
{
    duet_proof_writer_free(&log->out);
    duet_free(log->owner);
    *log = (duet_log){.owner = NULL};
}

duet_log_mark duet_log_here(const duet_log *log)
{
    return log == NULL ? (duet_log_mark){0, 0} : (duet_log_mark){log->out.length, log->vectors};
}

void duet_log_rewind(duet_log *log, duet_log_mark mark)
{
    if (log != NULL && !log->out.lost) {
        DUET_ASSERT(mark.vectors <= log->vectors);
        duet_proof_rewind(&log->out, mark.length);
        log->vectors = mark.vectors;
    }
}

// Makes room for so many bytes more. Returns whether there is a log that is not lost.
static bool begin(duet_log *log, size_t more)
{
    return log != NULL && duet_proof_begin(&log->out, more);
}

static void put_type(duet_log *log, size_t type)
{
    if (log->types == 2) {
        duet_proof_put(&log->out, type == 0 ? " cpu" : " gpu");
    } else {
        duet_proof_put_number(&log->out, (int64_t)type);
    }
}

static void put_prices(duet_log *log, const duet_prices *prices)
{
    duet_proof_put(&log->out, "prices");
    for (size_t t = 0; t < log->types; t++) {
        duet_proof_put(&log->out, prices->listed[t]      ? " listed"
                                  : prices->divisible[t] ? " area"
                                                         : " set");
        duet_proof_put_number(&log->out, prices->limit[t]);
    }
    for (size_t c = 0; c < log->classes; c++) {
        for (size_t t = 0; t < log->types; t++) {
            duet_proof_put_number(&log->out, prices->price[t][c]);
        }
    }
    if (prices->rows > 0) {
        duet_proof_put(&log->out, " counts");
        duet_proof_put_number(&log->out, (int64_t)prices->rows);
        for (size_t i = 0; i < prices->rows; i++) {
            duet_proof_put_number(&log->out, prices->row[i]);
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
    if (!begin(log, numbers * DUET_PROOF_NUMBER)) {
        return;
    }
    if (duet_grow(&log->owner, (size_t)log->vectors, &log->owner_room, sizeof *log->owner, NULL) !=
        DUET_OK) {
        log->out.lost = true;
        return;
    }
    log->owner[log->vectors] = prices;
    prices->id = log->vectors++;
    if (prices->weight[0] >= 0) {
        duet_proof_put(&log->out, "area");
        for (size_t t = 0; t < log->types; t++) {
            duet_proof_put_number(&log->out, prices->weight[t]);
        }
    } else {
        put_prices(log, prices);
    }
    duet_proof_put(&log->out, "\n");
}

// Begins the line of a node by prices, which are declared before it.
static bool begin_priced(duet_log *log, const char *word, duet_prices *prices)
{
    if (log != NULL && !log->out.lost && !is_declared(log, prices)) {
        declare(log, prices);
    }
    if (!begin(log, LINE)) {
        return false;
    }
    duet_proof_put(&log->out, word);
    duet_proof_put_number(&log->out, prices->id);
    return true;
}

void duet_log_nowhere(duet_log *log, size_t class)
{
    if (begin(log, LINE)) {
        duet_proof_put(&log->out, "nowhere");
        duet_proof_put_number(&log->out, (int64_t) class);
        duet_proof_put(&log->out, "\n");
    }
}

void duet_log_price(duet_log *log, duet_prices *prices)
{
    if (begin_priced(log, "price", prices)) {
        duet_proof_put(&log->out, "\n");
    }
}

void duet_log_knapsack(duet_log *log, duet_prices *area)
{
    if (begin_priced(log, "knapsack", area)) {
        duet_proof_put(&log->out, "\n");
    }
}

void duet_log_branch(duet_log *log, size_t class, int64_t most)
{
    duet_log_branch_type(log, 0, class, most);
}

void duet_log_branch_type(duet_log *log, size_t type, size_t class, int64_t most)
{
    if (begin(log, LINE)) {
        duet_proof_put(&log->out, "branch");
        DUET_ASSERT(log->types != 2 || type == 0);
        if (log->types != 2) {
            duet_proof_put_number(&log->out, (int64_t)type);
        }
        duet_proof_put_number(&log->out, (int64_t) class);
        duet_proof_put_number(&log->out, most);
        duet_proof_put(&log->out, "\n");
    }
}

void duet_log_list(duet_log *log, duet_prices *prices, size_t type, size_t patterns)
{
    if (begin_priced(log, "list", prices)) {
        put_type(log, type);
        duet_proof_put_number(&log->out, (int64_t)patterns);
        duet_proof_put(&log->out, "\n");
    }
}

void duet_log_count(duet_log *log, size_t type, int64_t tasks, int64_t most, const bool *has)
{
    if (log == NULL || !begin(log, (log->classes + 8) * DUET_PROOF_NUMBER)) {
        return;
    }
    int64_t classes = 0;
    for (size_t c = 0; c < log->classes; c++) {
        classes += has[c] ? 1 : 0;
    }
    duet_proof_put(&log->out, "count");
    put_type(log, type);
    duet_proof_put_number(&log->out, tasks);
    duet_proof_put_number(&log->out, most);
    duet_proof_put_number(&log->out, classes);
    for (size_t c = 0; c < log->classes; c++) {
        if (has[c]) {
            duet_proof_put_number(&log->out, (int64_t)c);
        }
    }
    duet_proof_put(&log->out, "\n");
}

void duet_log_cover(duet_log *log, duet_prices *prices, size_t type, size_t class, size_t patterns)
{
    if (begin_priced(log, "cover", prices)) {
        put_type(log, type);
        duet_proof_put_number(&log->out, (int64_t) class);
        duet_proof_put_number(&log->out, (int64_t)patterns);
        duet_proof_put(&log->out, "\n");
    }
}

duet_code duet_log_write(const duet_log *log, duet_output *output, int64_t bound, duet_error *error)
{
    fprintf(output->stream, "duet-proof 1\nbound %" PRId64 "\nclasses %zu\n", bound, log->classes);
    fwrite(log->out.text, 1, log->out.length, output->stream);
    fputs("end\n", output->stream);
    return duet_output_commit(output, error);
}
