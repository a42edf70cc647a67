// SPDX-License-Identifier: Apache-2.0
// The proof as lines: docs/formats.md says what they hold.
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "core/system/vec.h"
#include "lp/graph/chains/chains_state.h"

// The first failure stays.
typedef struct writer {
    char *text;
    size_t length;
    duet_code code;
    duet_error *error;
} writer;

static void write_words(writer *w, const char *format, ...) DUET_PRINTF(2, 3);

static void write_words(writer *w, const char *format, ...)
{
    char words[96];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (w->code == DUET_OK && length > 0) {
        w->code = duet_vec_reserve(w->text, w->length + (size_t)length, w->error);
    }
    if (w->code == DUET_OK && length > 0) {
        memcpy(w->text + w->length, words, (size_t)length);
        w->length += (size_t)length;
    }
}

static void write_tasks(writer *w, const int32_t *task, size_t count)
{
    write_words(w, " %zu ", count);
    for (size_t i = 0; i < count; i++) {
        write_words(w, " %" PRId32, task[i]);
    }
    write_words(w, "\n");
}

static bool proves(const duet_chains_node *node, int64_t value)
{
    return node->proven >= value;
}

// Numbers the rows that some case needs, in `number`, which is 0 for the others.
static void number_rows(const duet_chains *c, int64_t value, size_t *number)
{
    for (size_t i = 0; i < c->nodes; i++) {
        const duet_chains_node *node = &c->node[i];
        for (size_t r = 0; r < node->prices && proves(node, value); r++) {
            number[node->price[r].row] = 1;
        }
    }
    size_t next = 0;
    for (size_t r = 0; r < c->rows; r++) {
        number[r] = number[r] != 0 ? ++next : 0;
    }
}

static void write_rows(const duet_chains *c, const size_t *number, writer *w)
{
    for (size_t r = 0; r < c->rows; r++) {
        const duet_chains_row *row = &c->row[r];
        if (number[r] == 0) {
            continue;
        }
        write_words(w, "%s %" PRId32 " %" PRId32, row->weights < 0 ? "path" : "work", row->from,
                    row->to);
        if (row->weights < 0) {
            write_tasks(w, c->listed + row->first, row->count);
            continue;
        }
        for (size_t t = 0; t < c->instance->types; t++) {
            write_words(w, "%s %" PRId64, t == 0 ? " " : "", c->weight[row->weights][t]);
        }
        write_words(w, "\n");
    }
    for (size_t s = 0; s < c->sets; s++) {
        write_words(w, "set");
        write_tasks(w, c->listed + c->set[s].first, c->set[s].count);
    }
}

static void write_price(const duet_chains_node *node, const size_t *number, writer *w)
{
    write_words(w, "price %zu", node->prices);
    for (size_t r = 0; r < node->prices; r++) {
        write_words(w, "  %zu %" PRId64, number[node->price[r].row] - 1, node->price[r].price);
    }
    for (size_t d = node->depth; d-- > 0;) {
        write_words(w, "  %" PRId64, node->counts[d]);
    }
    write_words(w, "\n");
}

// Nodes in preorder, none below one that proves the value by itself.
static void write_tree(const duet_chains *c, int64_t value, const size_t *number, writer *w)
{
    int32_t *waiting = NULL;
    size_t count = 0;
    w->code = duet_vec_push(waiting, count, w->error, 0);
    while (count > 0 && w->code == DUET_OK) {
        const duet_chains_node *node = &c->node[waiting[--count]];
        if (proves(node, value)) {
            write_price(node, number, w);
            continue;
        }
        const duet_chains_node *first = &c->node[node->child[0]];
        if (first->is_count) {
            write_words(w, "count %" PRId32 " %" PRId32 "\n", first->what, first->most);
        } else {
            write_words(w, "on %" PRId32 "\n", first->what);
        }
        for (int side = 1; side >= 0 && w->code == DUET_OK; side--) {
            w->code = duet_vec_push(waiting, count, w->error, node->child[side]);
        }
    }
    duet_free(waiting);
}

duet_code duet_chains_prove(const duet_chains *c, int64_t value, const duet_proof_lines **out,
                            duet_error *error)
{
    writer w = {.error = error};
    size_t *number = duet_alloc(c->rows + 1, sizeof *number, error);
    DUET_NEED(number);
    number_rows(c, value, number);
    write_words(&w, "duet-proof 1\nbound %" PRId64 "\ngraph %" PRId64 " %" PRId64 "\n", value,
                c->tasks, c->network.edges);
    write_words(&w, "chains %zu", c->type);
    write_tasks(&w, c->spine, (size_t)c->spines);
    write_rows(c, number, &w);
    if (w.code == DUET_OK) {
        write_tree(c, value, number, &w);
    }
    write_words(&w, "end\nend\n");
    duet_code code = w.code;
    DUET_THEN(code, duet_proof_lines_create(w.text, w.length, out, error));
    duet_free(w.text);
    duet_free(number);
    return code;
}
