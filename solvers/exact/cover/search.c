// SPDX-License-Identifier: Apache-2.0
// The walk over the nodes, the searches within the search, and the two ways in.
#include "core/number/minmax.h"
#include "core/system/try.h"
#include "solvers/exact/cover/cover.h"

#include <stdlib.h>
#include <string.h>

#include "core/system/assert.h"
#include "core/system/counted.h"
#include "core/system/memory.h"
#include "solvers/exact/cover/cover_state.h"
#include "solvers/exact/pack.h"

static duet_code search_from(duet_cover *s, duet_verdict *verdict, duet_error *error);

// A copy for a search within the search, to be freed by the caller. Its arrays are its own. On the
// heap, since such searches nest.
static duet_cover *copy_of(const duet_cover *s, duet_error *error)
{
    duet_cover *copy = duet_alloc(1, sizeof *copy, error);
    if (copy != NULL) {
        *copy = *s;
        copy->live = NULL;
        copy->trail = NULL;
        copy->forced = NULL;
        copy->step = NULL;
        copy->partial = false;
    }
    return copy;
}

// Nothing remains for the types with patterns: the rest is packed on the other one.
static duet_code search_other_type(duet_cover *s, duet_verdict *verdict, duet_error *error)
{
    *verdict = DUET_FOUND;
    if (s->alone || (s->pooled[0] && s->pooled[1])) {
        return DUET_OK;
    }
    bool fits = false;
    size_t type = s->pooled[0] ? 1 : 0;
    duet_code code = duet_pack_type(s->search, type, &fits, error);
    if (code != DUET_OK || fits) {
        return code;
    }
    // The same search with time itself as the price.
    duet_cover *rest = copy_of(s, error);
    DUET_NEED(rest);
    rest->prices = s->time[type];
    rest->pooled[type] = true;
    rest->pooled[1 - type] = false;
    code = search_from(rest, verdict, error);
    duet_free(rest);
    s->stopped = s->stopped || s->search->stats->nodes >= s->node_limit;
    return code;
}

// The residual problem has fewer patterns: they are enumerated anew, within the slack that remains,
// for a share of the nodes.
static duet_code search_with_new_patterns(duet_cover *s, duet_verdict *verdict, duet_error *error)
{
    duet_cover *rest = copy_of(s, error);
    DUET_NEED(rest);
    int64_t nodes = (s->node_limit - s->search->stats->nodes) / DUET_COVER_RENEWAL_SHARE;
    rest->node_limit = s->search->stats->nodes + duet_max(nodes, DUET_COVER_RENEWAL_NODES);
    duet_code code = search_from(rest, verdict, error);
    duet_free(rest);
    return code;
}

// A leaf, if prices or forced time alone refute the residual problem.
static bool is_refuted(duet_cover *s)
{
    if (s->slack < 0) {
        duet_log_price(s->search->log, s->prices);
        return true;
    }
    for (size_t t = 0; t < 2; t++) {
        if (s->time_slack[t] < 0) {
            duet_log_price(s->search->log, s->time[t]);
            return true;
        }
    }
    return false;
}

// The step below a node. Without one the verdict is known; the node is `*ended` then.
static duet_code expand(duet_cover *s, bool *ended, duet_verdict *verdict, duet_error *error)
{
    const duet_cover_left left = s->step[s->steps - 1].left;
    size_t before = s->forced_count;
    duet_cover_count_ways(s, &left);
    int64_t fewest = 0;
    size_t class = duet_cover_choose_class(s, &fewest);
    *ended = class == SIZE_MAX;
    if (*ended) {
        return search_other_type(s, verdict, error);
    }
    duet_code code = DUET_OK;
    if (fewest > 0) {
        code = duet_cover_force(s, error);
    }
    if (code != DUET_OK) {
        return code;
    }
    return s->forced_count > before ? duet_cover_push_node(s, &left, error)
                                    : duet_cover_push_class(s, &left, class, error);
}

// What a node goes over that is not refuted at once: the classes and the patterns of its parent.
static size_t passed(const duet_cover *s, const duet_cover_left *parent)
{
    return s->classes->count + (parent->end[0] - parent->begin[0]) +
           (parent->end[1] - parent->begin[1]);
}

// Looks at the limits now and then.
static void check_limits(duet_cover *s, const duet_cover_left *parent)
{
    enum { node = 200 }; // nanoseconds
    duet_count_work(node);
    s->unchecked += passed(s, parent);
    bool stop = false;
    if (s->unchecked >= DUET_COVER_WORK_BETWEEN_CHECKS) {
        s->unchecked = 0;
        stop = duet_context_stop(s->search->context);
    }
    s->stopped = s->stopped || stop || s->search->stats->nodes >= s->node_limit;
}

// Ends a node whose verdict is known.
static void end_node(duet_cover *s, duet_verdict *verdict)
{
    const duet_cover_step *top = &s->step[s->steps - 1];
    while (s->forced_count > top->forced) {
        size_t forced = s->forced[--s->forced_count];
        if (forced != SIZE_MAX) {
            duet_log_cover(s->search->log, s->prices, 0, forced, 0);
        }
    }
    if (*verdict != DUET_FOUND) {
        duet_cover_return(s, &top->place);
    }
    s->lives = top->lives;
    s->depth--;
    duet_cover_pop(s, *verdict, verdict);
}

// A node: a leaf at once, or what is below it.
static duet_code begin_node(duet_cover *s, duet_verdict *verdict, duet_error *error)
{
    duet_cover_step *top = &s->step[s->steps - 1];
    s->search->stats->nodes++;
    check_limits(s, &top->left);
    if (is_refuted(s)) {
        duet_cover_pop(s, DUET_REFUTED, verdict);
        return DUET_OK;
    }
    if (s->stopped || s->depth >= DUET_COVER_MOST_DEPTH) {
        duet_cover_pop(s, DUET_OPEN, verdict);
        return DUET_OK;
    }
    s->depth++;
    top->begun = 1;
    top->lives = s->lives;
    top->forced = s->forced_count;
    top->place = duet_cover_here(s);
    *verdict = DUET_REFUTED;
    bool ended = true;
    duet_code code = DUET_OK;
    if (s->partial &&
        (s->state->processors[0] < s->until[0] || s->state->processors[1] < s->until[1])) {
        code = search_with_new_patterns(s, verdict, error);
    } else {
        enum { each = 6 }; // nanoseconds
        duet_count_work(each * (int64_t)passed(s, &top->left));
        code = duet_cover_filter(s, top, error);
        *verdict = s->stopped ? DUET_OPEN : *verdict;
        if (code == DUET_OK && !s->stopped) {
            code = expand(s, &ended, verdict, error);
        }
    }
    if (code == DUET_OK && ended) {
        end_node(s, verdict);
    }
    return code;
}

static duet_code step_node(duet_cover *s, duet_verdict *verdict, duet_error *error)
{
    if (s->step[s->steps - 1].begun == 0) {
        return begin_node(s, verdict, error);
    }
    end_node(s, verdict);
    return DUET_OK;
}

// The search itself, from a root whose patterns are live. A step that has just ended leaves
// its verdict to the one above it.
static duet_code walk(duet_cover *s, const duet_cover_left *root, duet_verdict *verdict,
                      duet_error *error)
{
    typedef duet_code stepper(duet_cover *, duet_verdict *, duet_error *);
    static stepper *const steppers[] = {[DUET_COVER_NODE] = step_node,
                                        [DUET_COVER_BRANCH] = duet_cover_step_branch,
                                        [DUET_COVER_CLASS] = duet_cover_step_class};
    duet_code code = duet_cover_push_node(s, root, error);
    while (s->steps > 0 && code == DUET_OK) {
        code = steppers[s->step[s->steps - 1].kind](s, verdict, error);
    }
    return code;
}

// Searches from the state, with arrays of its own.
static duet_code search_from(duet_cover *s, duet_verdict *verdict, duet_error *error)
{
    *verdict = DUET_OPEN;
    s->lives = s->live_room = s->trailed = 0;
    s->forced_count = 0;
    s->steps = 0;
    s->slack = duet_residual_slack(s->classes, s->state, s->prices);
    memset(s->patterns, 0, sizeof s->patterns);
    memset(s->taken, 0, sizeof s->taken);
    duet_code code = DUET_OK;
    for (size_t t = 0; t < 2; t++) {
        s->time_slack[t] = duet_residual_slack(s->classes, s->state, s->time[t]);
        s->ways[t] = duet_alloc(s->classes->count, sizeof *s->ways[t], error);
        code = s->ways[t] == NULL ? DUET_E_MEMORY : code;
    }
    duet_cover_left root = {{0, 0}, {0, 0}};
    bool complete = true;
    DUET_THEN(code, duet_cover_enumerate(s, &root, &complete, error));
    if (code == DUET_OK && complete) {
        for (size_t c = 0; c < s->classes->count; c++) {
            duet_cover_set_available(s, c);
        }
        for (size_t t = 0; t < 2; t++) {
            s->until[t] =
                s->partial && s->pooled[t]
                    ? s->state->processors[t] * DUET_COVER_RENEWAL_LEFT / DUET_COVER_RENEWAL_OF
                    : 0;
        }
        duet_cover_mark place = duet_cover_here(s);
        code = walk(s, &root, verdict, error);
        // The state is the caller's again; the loads of what was found stay.
        place.loads = duet_loads_here(s->search->loads);
        duet_cover_return(s, &place);
        DUET_ASSERT(duet_search_is_sound(s->search));
        DUET_ASSERT(s->slack == duet_residual_slack(s->classes, s->state, s->prices));
        if (s->partial && *verdict == DUET_REFUTED) {
            *verdict = DUET_OPEN;
        }
    }
    for (size_t t = 0; t < 2; t++) {
        duet_patterns_free(&s->patterns[t]);
        duet_free(s->ways[t]);
    }
    duet_free(s->live);
    duet_free(s->trail);
    duet_free(s->forced);
    duet_free(s->step);
    return code;
}

// A search of the whole residual problem; prices, time and types are the caller's to set.
static duet_cover begin(duet_search *search)
{
    search->verdict = DUET_OPEN;
    DUET_ASSERT(duet_search_is_sound(search));
    return (duet_cover){.search = search,
                        .classes = search->classes,
                        .state = search->state,
                        .node_limit = search->limits.nodes,
                        .memory = duet_memory_steady(search->context->memory_limit) /
                                  DUET_COVER_MEMORY_SHARE};
}

duet_code duet_cover_search(duet_search *search, duet_prices *prices, duet_error *error)
{
    duet_prices time[2] = {{.id = -1}, {.id = -1}};
    duet_cover s = begin(search);
    s.prices = prices;
    for (size_t t = 0; t < 2; t++) {
        s.time[t] = &time[t];
        s.pooled[t] = search->pooled[t];
    }
    duet_code code = duet_prices_create_by_time(search->classes, time, error);
    DUET_THEN(code, search_from(&s, &search->verdict, error));
    duet_prices_free(&time[0]);
    duet_prices_free(&time[1]);
    return code;
}

duet_code duet_cover_type(duet_search *search, size_t type, duet_prices time[2], duet_error *error)
{
    duet_cover s = begin(search);
    s.prices = &time[type];
    s.alone = true;
    for (size_t t = 0; t < 2; t++) {
        s.time[t] = &time[t];
        s.pooled[t] = t == type;
    }
    return search_from(&s, &search->verdict, error);
}
