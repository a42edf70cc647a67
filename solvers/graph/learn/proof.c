// SPDX-License-Identifier: Apache-2.0
// The lines of a proof that no schedule is shorter; docs/formats.md says what they mean.
// Method:    from the last nogood back those are kept that others follow from, with all facts.
// Cost:      O(steps).
// Memory:    the text, at most DUET_LEARN_PROOF_BYTES.
#include <inttypes.h>
#include <stdio.h>

#include "core/number/minmax.h"
#include "core/solution/prices.h"
#include "core/system/assert.h"
#include "core/system/memory.h"
#include "solvers/graph/learn/learn_state.h"
#include "solvers/graph/propagate/twins.h"
#include "solvers/proof_text.h"

// The proof under way.
typedef struct writing {
    const duet_learn *of;
    duet_proof_writer text;
    int64_t *number; // Per nogood: its number in the proof; -1: it is left away.
} writing;

static void put_word(writing *w, const char *word)
{
    duet_proof_put(&w->text, " ");
    duet_proof_put(&w->text, word);
}

static void put_processor(writing *w, int32_t processor)
{
    int32_t type = 0;
    while (processor >= w->of->begin[type + 1]) {
        type++;
    }
    duet_proof_put_number(&w->text, type);
    duet_proof_put_number(&w->text, processor - w->of->begin[type]);
}

// --- literals ------------------------------------------------------------------------------------

// A bound of a start or an end.
static void put_time(writing *w, const duet_learn_meaning *meaning, duet_learn_literal a)
{
    bool start = meaning->subject == DUET_LEARN_SAYS_START;
    bool least = a.side % 2 == 0;
    int64_t value = least ? a.value - 1 : -a.value;
    put_word(w, start ? (least ? "start-after" : "start-by") : (least ? "end-after" : "end-by"));
    duet_proof_put_number(&w->text, meaning->a);
    duet_proof_put_number(&w->text, duet_max(value, 0));
}

static void put_statement(writing *w, const duet_learn_meaning *meaning, bool holds)
{
    switch (meaning->subject) {
    case DUET_LEARN_SAYS_ON:
        put_word(w, holds ? "on" : "off");
        break;
    case DUET_LEARN_SAYS_AT:
        put_word(w, holds ? "at" : "not-at");
        break;
    case DUET_LEARN_SAYS_ORDER:
        put_word(w, holds ? "order" : "not-order");
        break;
    default:
        put_word(w, holds ? "same" : "not-same");
    }
    duet_proof_put_number(&w->text, meaning->a);
    if (meaning->subject == DUET_LEARN_SAYS_AT) {
        put_processor(w, meaning->b);
    } else if (meaning->subject != DUET_LEARN_SAYS_SAME) {
        duet_proof_put_number(&w->text, meaning->b);
    }
}

static void put_literal(writing *w, duet_learn_literal a)
{
    const duet_learn_meaning *meaning = &w->of->meaning[a.side / 2];
    if (meaning->subject == DUET_LEARN_SAYS_START || meaning->subject == DUET_LEARN_SAYS_END) {
        put_time(w, meaning, a);
    } else {
        put_statement(w, meaning, a.side % 2 == 0);
    }
}

// --- rules ---------------------------------------------------------------------------------------

static void put_overload(writing *w, const duet_learn_rule *rule)
{
    const duet_learn_row *row = &w->of->row[rule->a];
    put_word(w, row->processor < 0 ? "overload" : "load");
    duet_proof_put_number(&w->text, rule->from);
    duet_proof_put_number(&w->text, rule->to);
    for (size_t t = 0; t < w->of->types && row->processor < 0; t++) {
        duet_proof_put_number(&w->text, row->price[t]);
    }
    if (row->processor >= 0) {
        put_processor(w, row->processor);
    }
}

static void put_tasks(writing *w, const duet_learn_rule *rule)
{
    put_word(w, "forbidden");
    duet_proof_put_number(&w->text, rule->a);
    duet_proof_put_number(&w->text, rule->to);
    for (int64_t i = 0; i < rule->to; i++) {
        duet_proof_put_number(&w->text, w->of->crowd[rule->from + i]);
    }
}

static void put_rule(writing *w, const duet_learn_rule *rule)
{
    static const char *const names[] = {
        [DUET_LEARN_BY_NONE] = "task",     [DUET_LEARN_BY_TASK] = "task",
        [DUET_LEARN_BY_EDGE] = "edge",     [DUET_LEARN_BY_ORDER] = "order",
        [DUET_LEARN_BY_TWIN] = "twin",     [DUET_LEARN_BY_FORBIDDEN] = "forbidden",
        [DUET_LEARN_BY_SHARE] = "share",   [DUET_LEARN_BY_SAME] = "same",
        [DUET_LEARN_BY_NUMBER] = "number", [DUET_LEARN_BY_OVERLOAD] = "overload",
        [DUET_LEARN_BY_NOGOOD] = "nogood"};
    switch (rule->kind) {
    case DUET_LEARN_BY_OVERLOAD:
        put_overload(w, rule);
        return;
    case DUET_LEARN_BY_FORBIDDEN:
        put_tasks(w, rule);
        return;
    default:
        put_word(w, names[rule->kind]);
    }
    bool nogood = rule->kind == DUET_LEARN_BY_NOGOOD;
    duet_proof_put_number(&w->text, nogood ? w->number[rule->from] : rule->a);
    if (rule->kind == DUET_LEARN_BY_ORDER || rule->kind == DUET_LEARN_BY_SHARE) {
        duet_proof_put_number(&w->text, rule->b);
    }
    if (rule->kind == DUET_LEARN_BY_SHARE || rule->kind == DUET_LEARN_BY_NUMBER) {
        put_processor(w, rule->kind == DUET_LEARN_BY_SHARE ? rule->c : rule->b);
    }
}

// --- lines ---------------------------------------------------------------------------------------

// Numbers the nogoods that the last one follows from.
static void choose_nogoods(writing *w)
{
    const duet_learn_log *log = &w->of->log;
    for (size_t i = log->lines; i-- > 0;) {
        const duet_learn_line *line = &log->line[i];
        bool kept = line->nogood < 0 || line->literals <= 1 || w->number[line->nogood] > 0;
        if (line->nogood >= 0) {
            w->number[line->nogood] = kept ? 1 : -1;
        }
        for (int32_t k = 0; k < line->steps && kept; k++) {
            const duet_learn_rule *rule = &log->steps.step[line->steps_at + (size_t)k].rule;
            if (rule->kind == DUET_LEARN_BY_NOGOOD) {
                w->number[rule->from] = 1;
            }
        }
    }
    int64_t next = 0;
    for (size_t i = 0; i < log->lines; i++) {
        int64_t nogood = log->line[i].nogood;
        if (nogood >= 0 && w->number[nogood] > 0) {
            w->number[nogood] = next++;
        }
    }
}

// Bytes that a line may take: a rule of many tasks has most of them.
static size_t room_of(const writing *w, const duet_learn_line *line)
{
    enum { WORDS = 32, NUMBERS = 6 };
    size_t each = WORDS + DUET_PROOF_NUMBER * (NUMBERS + w->of->types);
    size_t room = each * (size_t)(line->literals + 2 * line->steps + 1);
    for (int32_t k = 0; k < line->steps; k++) {
        const duet_learn_rule *rule = &w->of->log.steps.step[line->steps_at + (size_t)k].rule;
        room += rule->kind == DUET_LEARN_BY_FORBIDDEN ? DUET_PROOF_NUMBER * (size_t)rule->to : 0;
    }
    return room;
}

static void put_line(writing *w, const duet_learn_line *line)
{
    const duet_learn_log *log = &w->of->log;
    const duet_learn_step *step = log->steps.step + line->steps_at;
    if ((line->nogood >= 0 && w->number[line->nogood] < 0) ||
        !duet_proof_begin(&w->text, room_of(w, line))) {
        return;
    }
    if (line->nogood < 0) {
        duet_proof_put(&w->text, "fact");
        put_rule(w, &step->rule);
        put_literal(w, step->literal);
        duet_proof_put(&w->text, "\n");
        return;
    }
    duet_proof_put(&w->text, "nogood");
    duet_proof_put_number(&w->text, line->literals);
    for (int32_t i = 0; i < line->literals; i++) {
        put_literal(w, log->literals.literal[line->literals_at + (size_t)i]);
    }
    duet_proof_put_number(&w->text, line->steps - 1);
    for (int32_t k = 0; k < line->steps; k++) {
        put_rule(w, &step[k].rule);
        if (k + 1 < line->steps) {
            put_literal(w, step[k].literal);
        }
    }
    duet_proof_put(&w->text, "\n");
}

static void put_beginning(writing *w, int64_t bound)
{
    const duet_learn *s = w->of;
    const duet_proof_graph_claim claim = {bound, s->tasks, s->network.edges, false};
    char headers[DUET_PROOF_HEADERS];
    size_t length = duet_proof_graph_headers(&claim, headers);
    if (!duet_proof_begin(&w->text,
                          DUET_PROOF_HEADERS + (size_t)4 * DUET_PROOF_NUMBER * (size_t)s->tasks)) {
        return;
    }
    duet_proof_put_text(&w->text, headers, length);
    duet_put_twins(s->twin, s->tasks, &w->text);
    duet_proof_put(&w->text, "learn");
    duet_proof_put_number(&w->text, s->placed != 0 ? s->tasks : 0);
    for (int32_t i = 0; i < s->tasks && s->placed != 0; i++) {
        duet_proof_put_number(&w->text, s->order[i]);
    }
    duet_proof_put(&w->text, "\n");
}

bool duet_learn_has_proof(const duet_learn *learn)
{
    return learn->proven && learn->engine.explains && learn->log.lines > 0;
}

duet_code duet_learn_certify(const duet_learn *learn, const char *name, size_t most,
                             duet_bound *out, duet_error *error)
{
    DUET_ASSERT(duet_learn_has_proof(learn));
    writing w = {.of = learn, .text = {.limit = most}};
    int64_t bound = learn->best.makespan;
    w.number = duet_alloc((size_t)learn->engine.nogoods + 1, sizeof *w.number, error);
    if (w.number == NULL) {
        return DUET_E_MEMORY;
    }
    choose_nogoods(&w);
    put_beginning(&w, bound);
    for (size_t i = 0; i < learn->log.lines; i++) {
        put_line(&w, &learn->log.line[i]);
    }
    if (duet_proof_begin(&w.text, DUET_PROOF_NUMBER)) {
        duet_proof_put(&w.text, "end\nend\n");
    }
    *out = (duet_bound){.name = name, .value = bound};
    duet_code code = DUET_OK;
    if (w.text.lost) {
        code = duet_error_set(error, DUET_E_LIMIT, "a proof of more than %zu bytes", most);
    } else {
        out->certificate = (duet_certificate){.proof = DUET_PROOF_LINES, .lambda = bound};
        code = duet_proof_lines_create(w.text.text, w.text.length, &out->certificate.lines, error);
    }
    duet_proof_writer_free(&w.text);
    duet_free(w.number);
    return code;
}
