// SPDX-License-Identifier: Apache-2.0
// Reads what a search that learns has found out: facts, and nogoods with the steps by which their
// negations contradict each other. Includes no solver header: this is what an outsider trusts. What
// the lines say: docs/formats.md.
#include "check/proof/graph/graph.h"

#include <inttypes.h>

#include "core/system/memory.h"
#include "core/system/vec.h"

enum { STEP = 32 }; // units of work of a step, besides those that its rule spends

// The first failure stands in `text`, which reads nothing after it.
typedef struct reading {
    duet_proof_text *text;
    duet_proof_graph_state *state;
    duet_learned learned;
    int64_t *tasks; // of a rule
    duet_error why;
} reading;

static bool is_ok(const reading *r)
{
    return duet_proof_text_ok(r->text);
}

static void place(reading *r, duet_code code)
{
    duet_proof_text_judge(r->text, r->state->watch, code, &r->why);
}

static int64_t read_task(reading *r)
{
    return duet_proof_text_below(r->text, "the number of a task", r->state->tasks);
}

static int64_t read_edge(reading *r)
{
    int64_t edges = r->state->graph == NULL ? 0 : r->state->graph->edges;
    return duet_proof_text_below(r->text, "the number of an edge", edges);
}

static int64_t read_type_number(reading *r)
{
    int64_t types = (int64_t)r->state->instance->types;
    return duet_proof_text_below(r->text, "the number of a type", types);
}

// A type and the number of a processor within it.
static void read_processor(reading *r, int64_t *type, int64_t *processor)
{
    *type = read_type_number(r);
    const int64_t *first = r->learned.first + *type;
    *processor = duet_proof_text_below(r->text, "the number of a processor", first[1] - first[0]);
}

// --- literals ------------------------------------------------------------------------------------

// Places of facts are asked for only if nothing has failed.
static duet_learned_literal read_fact(reading *r, duet_learned_kind kind, bool negated)
{
    duet_learned_literal literal = {.kind = kind, .negated = negated};
    int64_t type;
    int64_t processor;
    if (kind == DUET_LEARNED_SAME) {
        int64_t edge = read_edge(r);
        literal.at = is_ok(r) ? (int64_t)duet_learned_same(&r->learned, edge) : 0;
        return literal;
    }
    int64_t task = read_task(r);
    if (kind == DUET_LEARNED_AT) {
        read_processor(r, &type, &processor);
        literal.at = is_ok(r) ? (int64_t)duet_learned_at(&r->learned, task, type, processor) : 0;
        return literal;
    }
    int64_t other = read_task(r);
    if (is_ok(r) && task == other) {
        duet_proof_text_fail(r->text, "the order of task %" PRId64 " and itself", task);
    }
    literal.at = is_ok(r) ? (int64_t)duet_learned_order(&r->learned, task, other) : 0;
    return literal;
}

static duet_learned_literal read_literal(reading *r)
{
    static const char *const claims[DUET_TASK_CLAIMS] = {"on",          "off",    "start-by",
                                                         "start-after", "end-by", "end-after"};
    static const char *const facts[] = {"order", "not-order", "at", "not-at", "same", "not-same"};
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_word(r->text, word, "a literal");
    for (int i = 0; i < DUET_TASK_CLAIMS; i++) {
        if (duet_proof_same_word(word, claims[i])) {
            duet_learned_literal literal = {.kind = DUET_LEARNED_TASK};
            literal.what.claim = (duet_task_claim)i;
            literal.what.task = read_task(r);
            literal.what.value = i <= DUET_TASK_OFF
                                     ? read_type_number(r)
                                     : duet_proof_text_number(r->text, "a time in ticks");
            return literal;
        }
    }
    for (int i = 0; i < (int)(sizeof facts / sizeof *facts); i++) {
        if (duet_proof_same_word(word, facts[i])) {
            return read_fact(r, (duet_learned_kind)(DUET_LEARNED_ORDER + i / 2), i % 2 != 0);
        }
    }
    duet_proof_text_fail(r->text, "expected a literal, found '%s'", word);
    return (duet_learned_literal){.kind = DUET_LEARNED_TASK};
}

// --- rules ---------------------------------------------------------------------------------------

static void read_tasks(reading *r, duet_learned_rule *rule)
{
    int64_t count = duet_proof_text_number(r->text, "the number of tasks");
    for (int64_t i = 0; i < count && is_ok(r); i++) {
        place(r, duet_vec_reserve(r->tasks, rule->count + 1, &r->why));
        int64_t task = read_task(r);
        if (is_ok(r)) {
            r->tasks[rule->count++] = task;
        }
    }
    rule->tasks = r->tasks;
}

static void read_interval(reading *r, duet_learned_rule *rule)
{
    rule->from = duet_proof_text_number(r->text, "the start of an interval");
    rule->to = duet_proof_text_number(r->text, "the end of an interval");
}

static void read_arguments(reading *r, duet_learned_rule *rule)
{
    switch (rule->kind) {
    case DUET_RULE_TASK:
    case DUET_RULE_TWIN:
        rule->task = read_task(r);
        break;
    case DUET_RULE_EDGE:
    case DUET_RULE_SAME:
        rule->task = read_edge(r);
        break;
    case DUET_RULE_ORDER:
        rule->task = read_task(r);
        rule->other = read_task(r);
        break;
    case DUET_RULE_FORBIDDEN:
        rule->type = read_type_number(r);
        read_tasks(r, rule);
        break;
    case DUET_RULE_SHARE:
        rule->task = read_task(r);
        rule->other = read_task(r);
        read_processor(r, &rule->type, &rule->processor);
        break;
    case DUET_RULE_NUMBER:
        rule->task = read_task(r);
        read_processor(r, &rule->type, &rule->processor);
        break;
    case DUET_RULE_OVERLOAD:
        read_interval(r, rule);
        for (size_t t = 0; t < r->state->instance->types; t++) {
            rule->prices.price[t] = duet_proof_text_number(r->text, "a price per type");
        }
        break;
    case DUET_RULE_LOAD:
        read_interval(r, rule);
        read_processor(r, &rule->type, &rule->processor);
        break;
    default:
        rule->task =
            duet_proof_text_below(r->text, "the number of a nogood", (int64_t)r->learned.nogoods);
    }
}

// A rule with what it is about. Its places exist if nothing has failed.
static duet_learned_rule read_rule(reading *r)
{
    static const char *const names[DUET_RULE_KINDS] = {"task",      "edge",  "order", "twin",
                                                       "forbidden", "share", "same",  "number",
                                                       "overload",  "load",  "nogood"};
    duet_learned_rule rule = {.kind = DUET_RULE_TASK};
    char word[DUET_PROOF_MAX_WORD];
    duet_proof_text_word(r->text, word, "a rule");
    for (int i = 0; i < DUET_RULE_KINDS; i++) {
        if (duet_proof_same_word(word, names[i])) {
            rule.kind = (duet_learned_rule_kind)i;
            read_arguments(r, &rule);
            return rule;
        }
    }
    duet_proof_text_fail(r->text, "expected a rule, found '%s'", word);
    return rule;
}

// --- lines ---------------------------------------------------------------------------------------

static void judge(reading *r, const duet_learned_rule *rule)
{
    (void)duet_watch_spend(r->state->watch, STEP);
    if (is_ok(r) && !duet_learned_refutes(&r->learned, rule) && !r->state->watch->stopped) {
        duet_proof_text_fail(r->text, "a step that does not follow");
    }
    place(r, DUET_OK);
}

// A rule and a literal that follows by it: its negation would contradict the rule.
static void read_step(reading *r)
{
    duet_learned_rule rule = read_rule(r);
    duet_learned_literal literal = read_literal(r);
    duet_learned_literal negation = duet_learned_not(literal);
    size_t mark = 0;
    if (!is_ok(r) || r->state->closed) {
        return;
    }
    place(r, duet_learned_mark(&r->learned, &mark, &r->why));
    if (is_ok(r)) {
        place(r, duet_learned_take(&r->learned, &negation, &r->why));
        judge(r, &rule);
        duet_learned_take_back(&r->learned, mark);
    }
    if (is_ok(r)) {
        place(r, duet_learned_take(&r->learned, &literal, &r->why));
    }
}

static void keep_literal(reading *r, duet_learned_literal literal)
{
    duet_learned *learned = &r->learned;
    place(r, duet_vec_push(learned->literal, learned->literals, &r->why, literal));
}

// "k L ...  n RULE L ... RULE": one of the literals holds. Otherwise the steps hold one after the
// other, and the last rule is contradicted.
static void read_nogood(reading *r)
{
    duet_learned *learned = &r->learned;
    size_t mark = 0;
    size_t begin = learned->literals;
    int64_t literals = duet_proof_text_number(r->text, "the number of literals");
    for (int64_t i = 0; i < literals && is_ok(r); i++) {
        keep_literal(r, read_literal(r));
    }
    place(r, duet_vec_grow(learned->nogood, learned->nogoods + 1, &r->why));
    if (is_ok(r)) {
        place(r, duet_learned_mark(learned, &mark, &r->why));
    }
    if (!is_ok(r)) {
        return;
    }
    for (size_t i = begin; i < learned->literals && is_ok(r); i++) {
        duet_learned_literal negation = duet_learned_not(learned->literal[i]);
        place(r, duet_learned_take(learned, &negation, &r->why));
    }
    int64_t steps = duet_proof_text_number(r->text, "the number of steps");
    for (int64_t i = 0; i < steps && is_ok(r); i++) {
        read_step(r);
    }
    duet_learned_rule rule = read_rule(r);
    judge(r, &rule);
    duet_learned_take_back(learned, mark);
    if (is_ok(r)) {
        learned->nogood[++learned->nogoods] = learned->literals;
        if (literals == 0) {
            r->state->closed = true;
        } else if (literals == 1) {
            place(r, duet_learned_take(learned, &learned->literal[begin], &r->why));
        }
    }
    duet_proof_text_finish(r->text);
}

// "n j1 ... jn": all tasks in the order by which processors are numbered, or none: their own.
static void read_ranks(reading *r)
{
    int64_t tasks = r->state->tasks;
    int64_t count = duet_proof_text_number(r->text, "the number of tasks");
    if (is_ok(r) && count != 0 && count != tasks) {
        duet_proof_text_fail(r->text, "%" PRId64 " tasks: expected none or all", count);
    }
    for (int64_t j = 0; j < tasks && is_ok(r); j++) {
        r->learned.rank[j] = count == 0 ? j : -1;
    }
    for (int64_t i = 0; i < count && is_ok(r); i++) {
        int64_t task = read_task(r);
        if (is_ok(r) && r->learned.rank[task] >= 0) {
            duet_proof_text_fail(r->text, "task %" PRId64 " twice: expected each once", task);
        } else if (is_ok(r)) {
            r->learned.rank[task] = i;
        }
    }
    duet_proof_text_finish(r->text);
}

static void check_memory(reading *r)
{
    const duet_learned *learned = &r->learned;
    size_t most = r->state->watch->context->memory_limit / 4; // growing takes the old room, too
    if (is_ok(r) &&
        (duet_vec_bytes(learned->literal) > most || duet_vec_bytes(learned->change) > most ||
         duet_vec_bytes(learned->nogood) > most)) {
        duet_proof_text_place(
            r->text, duet_error_set(&r->why, DUET_E_LIMIT, "nogoods take more than the memory"),
            &r->why);
    }
}

int64_t duet_learned_read(duet_proof_text *text, duet_proof_graph_state *state)
{
    reading r = {.text = text, .state = state, .why = DUET_ERROR_INIT};
    char word[DUET_PROOF_MAX_WORD];
    int64_t lines = 0;
    bool done = false;
    place(&r, duet_learned_init(&r.learned, state, &r.why));
    read_ranks(&r);
    while (is_ok(&r) && !done) {
        duet_proof_text_item(text, word, "'fact', 'nogood' or 'end'");
        lines++;
        if (duet_proof_same_word(word, "fact")) {
            read_step(&r);
            duet_proof_text_finish(text);
        } else if (duet_proof_same_word(word, "nogood")) {
            read_nogood(&r);
        } else if (duet_proof_same_word(word, "end")) {
            duet_proof_text_finish(text);
            done = true;
        } else if (is_ok(&r)) {
            duet_proof_text_fail(text, "expected 'fact', 'nogood' or 'end', found '%s'", word);
        }
        check_memory(&r);
        place(&r, DUET_OK);
    }
    if (is_ok(&r) && !state->closed) {
        duet_proof_text_fail(text, "'end' before the state is refuted: expected more lines");
    }
    duet_learned_free(&r.learned);
    duet_free(r.tasks);
    return lines;
}
