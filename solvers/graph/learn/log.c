// SPDX-License-Identifier: Apache-2.0
// What a proof needs of what was learned; see learn_state.h.
// Method:    each fact with the rule by which it follows, each nogood with the steps from its
//            negation to a contradiction, in the order in which they were found.
// Cost:      that of the explanations.
// Memory:    56 bytes a step, of at most DUET_LEARN_LOGGED steps: beyond that there is no proof.
// Reference: reverse unit propagation with hints: Cruz-Filipe, Heule, Hunt, Kaufmann,
//            Schneider-Kamp, CADE 2017.
#include "core/system/memory.h"
#include "core/system/vec.h"
#include "solvers/graph/learn/learn_state.h"

void duet_learn_log_free(duet_learn *s)
{
    duet_free(s->log.line);
    duet_free(s->log.steps.step);
    duet_free(s->log.literals.literal);
    s->log = (duet_learn_log){.line = NULL};
}

static void add_line(duet_learn *s, const duet_learn_line *added)
{
    duet_learn_log *log = &s->log;
    duet_error ignored = DUET_ERROR_INIT;
    duet_code code = duet_vec_grow(log->line, log->lines, &ignored);
    s->engine.explains =
        s->engine.explains && code == DUET_OK && log->steps.count < DUET_LEARN_LOGGED;
    if (s->engine.explains) {
        log->line[log->lines++] = *added;
    }
}

static void add_literals(duet_learn *s, const duet_learn_list *added)
{
    duet_learn_list *list = &s->log.literals;
    duet_error ignored = DUET_ERROR_INIT;
    for (size_t i = 0; i < added->count && s->engine.explains; i++) {
        s->engine.explains = duet_vec_grow(list->literal, list->count, &ignored) == DUET_OK;
        if (s->engine.explains) {
            list->literal[list->count++] = added->literal[i];
        }
    }
}

static void add_facts(duet_learn *s)
{
    for (size_t i = 0; i < s->engine.facts.count; i++) {
        duet_learn_line line = {.steps_at = s->log.steps.count, .steps = 1, .nogood = -1};
        duet_learn_add_step(&s->engine, &s->log.steps, &s->engine.facts.step[i]);
        add_line(s, &line);
    }
    s->engine.facts.count = 0;
}

void duet_learn_log_nogood(duet_learn *s)
{
    duet_learn_engine *e = &s->engine;
    add_facts(s);
    duet_learn_line line = {.literals_at = s->log.literals.count,
                            .steps_at = s->log.steps.count,
                            .nogood = e->contradiction ? e->nogoods : e->nogoods - 1};
    if (!e->contradiction) {
        for (size_t i = 0; i < e->steps.count; i++) {
            duet_learn_add_step(e, &s->log.steps, &e->steps.step[i]);
        }
        add_literals(s, &e->nogood);
    }
    const duet_learn_step last = {.rule = e->conflict_rule};
    duet_learn_add_step(e, &s->log.steps, &last);
    line.steps = (int32_t)(s->log.steps.count - line.steps_at);
    line.literals = (int32_t)(s->log.literals.count - line.literals_at);
    add_line(s, &line);
    if (!e->explains) {
        duet_learn_log_free(s);
    }
}
