// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/log.h"

#include <inttypes.h>
#include <string.h>

#include "core/number/minmax.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "core/system/output.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "solvers/exact/equal_types.h"

enum { LINE = 128 }; // bytes: a line with a few numbers

void duet_log_start(duet_log *log, const duet_classes *classes, size_t limit)
{
    log->out.length = 0;
    log->alones = 0;
    log->out.lost = false;
    log->out.limit = limit;
    log->vectors = 0;
    log->types = classes->types;
    log->classes = classes->count;
    log->of = classes;
    log->state = NULL;
    log->guess = classes->guess;
    log->within[0] = '\0';
}

void duet_log_start_within(duet_log *log, const duet_classes *classes, int64_t guess, size_t limit)
{
    duet_log_start(log, classes, limit);
    DUET_ASSERT(guess <= classes->guess);
    log->guess = guess;
    if (guess < classes->guess) {
        snprintf(log->within, sizeof log->within, " within %" PRId64, classes->guess);
    }
}

void duet_log_start_like(duet_log *log, const duet_log *other)
{
    *log = *other;
    log->out = (duet_proof_writer){.limit = other->out.limit};
    log->owner = NULL;
    log->vectors = 0;
    log->alone = NULL;
    log->alones = 0;
}

void duet_log_free(duet_log *log)
{
    duet_proof_writer_free(&log->out);
    duet_free(log->owner);
    duet_free(log->alone);
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
        while (log->alones > 0 && log->alone[log->alones - 1].end > mark.length) {
            log->alones--;
        }
    }
}

void duet_log_lose(duet_log *log)
{
    if (log != NULL) {
        log->out.lost = true;
    }
}

// Makes room for `more` bytes more. Returns whether there is a log that is not lost.
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

// Whether a class may run on a type, as far as is known where the prices are declared.
static bool may_run(const duet_log *log, size_t class, size_t type)
{
    return duet_class_fits(log->of, class, type) && log->of->time[type][class] <= log->guess &&
           (log->state == NULL || duet_residual_most(log->state, class, type) > 0);
}

// Whether a processor could run more tasks of a class than the node lets its type have.
static bool is_bounded(const duet_log *log, size_t class, size_t type)
{
    int64_t fit = log->guess / log->of->time[type][class];
    return duet_residual_most(log->state, class, type) < duet_min(fit, log->of->tasks[class]);
}

// Why the limit of a type holds.
static const char *mode_of(const duet_log *log, const duet_prices *prices, size_t type)
{
    bool here = false;
    for (size_t c = 0; c < log->classes && log->state != NULL && !here; c++) {
        here = may_run(log, c, type) && prices->price[type][c] > 0 && is_bounded(log, c, type);
    }
    return prices->listed[type]      ? " listed"
           : prices->divisible[type] ? " area"
           : here                    ? " here"
                                     : " set";
}

static void put_prices(duet_log *log, const duet_prices *prices)
{
    duet_proof_put(&log->out, "prices");
    for (size_t t = 0; t < log->types; t++) {
        duet_proof_put(&log->out, mode_of(log, prices, t));
        duet_proof_put_number(&log->out, prices->limit[t]);
    }
    for (size_t c = 0; c < log->classes; c++) {
        for (size_t t = 0; t < log->types; t++) {
            duet_proof_put_number(&log->out, may_run(log, c, t) ? prices->price[t][c] : 0);
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

// Whether the checker takes the limits: its knapsack runs over them.
static bool are_checkable(const duet_log *log, const duet_prices *prices)
{
    const int64_t most = INT64_C(1) << 26;
    const int64_t most_work = INT64_C(1) << 36;
    bool checkable = true;
    for (size_t t = 0; t < log->types; t++) {
        bool by_set = prices->weight[0] < 0 && !prices->listed[t] && !prices->divisible[t];
        checkable =
            checkable && (!by_set || (prices->limit[t] <= most &&
                                      prices->limit[t] <= most_work / (int64_t)log->classes));
    }
    return checkable;
}

// Gives prices the next number, and a line.
static void declare(duet_log *log, duet_prices *prices)
{
    log->out.lost = log->out.lost || !are_checkable(log, prices);
    size_t numbers = log->types * (log->classes + 2) + prices->rows + 4;
    if (!begin(log, numbers * DUET_PROOF_NUMBER)) {
        return;
    }
    if (duet_vec_grow(log->owner, (size_t)log->vectors, NULL) != DUET_OK) {
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

void duet_log_declare(duet_log *log, duet_prices *prices)
{
    if (log != NULL && !log->out.lost && !is_declared(log, prices)) {
        declare(log, prices);
    }
}

// Begins the line of a node by prices, which are declared before it.
static bool begin_priced(duet_log *log, const char *word, duet_prices *prices)
{
    duet_log_declare(log, prices);
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
    // Of one type there is nothing to choose: area alone refutes.
    if (begin_priced(log, log != NULL && log->types == 1 ? "price" : "knapsack", area)) {
        duet_proof_put(&log->out, "\n");
    }
}

void duet_log_branch(duet_log *log, size_t class, int64_t most)
{
    duet_log_branch_type(log, 0, class, most, false);
}

void duet_log_branch_type(duet_log *log, size_t type, size_t class, int64_t most, bool more_first)
{
    if (begin(log, LINE)) {
        duet_proof_put(&log->out, "branch");
        DUET_ASSERT(log->types != 2 || type == 0);
        if (log->types != 2) {
            duet_proof_put_number(&log->out, (int64_t)type);
        }
        duet_proof_put_number(&log->out, (int64_t) class);
        duet_proof_put_number(&log->out, most);
        duet_proof_put(&log->out, more_first ? " more\n" : "\n");
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

void duet_log_count(duet_log *log, const duet_log_counted *count)
{
    if (log == NULL || !begin(log, (log->classes + 8) * DUET_PROOF_NUMBER)) {
        return;
    }
    int64_t classes = 0;
    for (size_t c = 0; c < log->classes; c++) {
        classes += count->has[c] ? 1 : 0;
    }
    duet_proof_put(&log->out, "count");
    put_type(log, count->type);
    duet_proof_put_number(&log->out, count->tasks);
    duet_proof_put_number(&log->out, count->most);
    duet_proof_put_number(&log->out, classes);
    for (size_t c = 0; c < log->classes; c++) {
        if (count->has[c]) {
            duet_proof_put_number(&log->out, (int64_t)c);
        }
    }
    duet_proof_put(&log->out, count->more_first ? " more\n" : "\n");
}

void duet_log_alone(duet_log *log, size_t type, int64_t guess, const char *text, size_t length)
{
    if (begin(log, LINE + length)) {
        duet_proof_put(&log->out, "alone");
        duet_proof_put_number(&log->out, (int64_t)type);
        duet_proof_put_number(&log->out, guess);
        duet_proof_put(&log->out, "\n");
        size_t from = log->out.length;
        duet_proof_put_text(&log->out, text, length);
        log->out.lost = duet_vec_push(log->alone, log->alones, NULL,
                                      (duet_log_alone_lines){from, from + length}) != DUET_OK;
    }
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

// Whether a line begins with the word and a blank.
static bool begins_with(const char *line, size_t length, const char *word)
{
    size_t letters = strlen(word);
    return letters < length && memcmp(line, word, letters) == 0 && line[letters] == ' ';
}

// One line of a transfer. Prices that it declares get the next number here.
static duet_code take_line(duet_log *log, duet_log_transfer *transfer, const char *line,
                           size_t length)
{
    static const char *const priced[] = {"price", "list", "cover", "knapsack"};
    if (begins_with(line, length, "prices") || begins_with(line, length, "area")) {
        duet_code code = duet_vec_push(transfer->number, transfer->numbered, NULL, log->vectors);
        DUET_THEN(code, duet_vec_grow(log->owner, (size_t)log->vectors, NULL));
        if (code != DUET_OK) {
            return code;
        }
        log->owner[log->vectors++] = NULL;
    }
    size_t done = 0;
    for (size_t i = 0; i < sizeof priced / sizeof priced[0]; i++) {
        size_t word = strlen(priced[i]);
        if (begins_with(line, length, priced[i])) {
            size_t number = 0;
            for (done = word + 1; done < length && line[done] >= '0' && line[done] <= '9'; done++) {
                number = 10 * number + (size_t)(line[done] - '0');
            }
            DUET_ASSERT(number < transfer->numbered);
            duet_proof_put_text(&log->out, line, word);
            duet_proof_put_number(&log->out, transfer->number[number]);
            break;
        }
    }
    duet_proof_put_text(&log->out, line + done, length - done);
    return DUET_OK;
}

void duet_log_take(duet_log *log, duet_log_transfer *transfer, size_t length)
{
    const duet_log *from = transfer->from;
    log->out.lost = log->out.lost || from->out.lost;
    while (!log->out.lost && transfer->length < length) {
        const char *line = from->out.text + transfer->length;
        const duet_log_alone_lines *alone =
            transfer->alones < from->alones ? &from->alone[transfer->alones] : NULL;
        if (alone != NULL && alone->begin == transfer->length) {
            if (begin(log, alone->end - alone->begin)) {
                duet_proof_put_text(&log->out, line, alone->end - alone->begin);
            }
            transfer->length = alone->end;
            transfer->alones++;
            continue;
        }
        const char *end = memchr(line, '\n', length - transfer->length);
        DUET_ASSERT(end != NULL);
        size_t bytes = (size_t)(end - line) + 1;
        if (begin(log, bytes + DUET_PROOF_NUMBER) &&
            take_line(log, transfer, line, bytes) != DUET_OK) {
            log->out.lost = true;
        }
        transfer->length += bytes;
    }
}

enum { HEADERS = 160 + DUET_EQUAL_TYPES_LINE };

static size_t put_headers(const duet_log *log, const duet_log_claim *claim, char text[HEADERS])
{
    int length = snprintf(text, HEADERS, "duet-proof 1\nbound %" PRId64 "\n", claim->bound);
    if (claim->bound > 0) {
        length += snprintf(text + length, HEADERS - (size_t)length, "%sclasses %zu%s\n",
                           claim->types != NULL ? claim->types : "", log->classes, log->within);
    }
    return (size_t)length;
}

duet_code duet_log_text(const duet_log *log, const duet_log_claim *claim, char **text,
                        size_t *length, duet_error *error)
{
    static const char end[] = "end\n";
    *text = duet_alloc_raw(HEADERS + log->out.length + sizeof end, 1, error);
    DUET_NEED(*text);
    *length = put_headers(log, claim, *text);
    if (log->out.length > 0) {
        memcpy(*text + *length, log->out.text, log->out.length);
        *length += log->out.length;
    }
    memcpy(*text + *length, end, sizeof end);
    *length += sizeof end - 1;
    return DUET_OK;
}

duet_code duet_log_write(const duet_log *log, duet_output *output, const duet_log_claim *claim,
                         duet_error *error)
{
    char headers[HEADERS];
    fwrite(headers, 1, put_headers(log, claim, headers), output->stream);
    if (log->out.length > 0) {
        fwrite(log->out.text, 1, log->out.length, output->stream);
    }
    fputs("end\n", output->stream);
    return duet_output_commit(output, error);
}
