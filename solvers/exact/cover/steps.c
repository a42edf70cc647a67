// SPDX-License-Identifier: Apache-2.0
// The steps below a node: covering a class by one pattern after another, and branching on which
// type has to.
#include "core/system/vec.h"
#include "solvers/exact/cover/cover_state.h"

// A step below the one on top.
static duet_code push(duet_cover *s, duet_cover_kind kind, size_t class, size_t type,
                      const duet_cover_left *left, duet_error *error)
{
    const duet_cover_left own = *left; // growing moves the steps
    duet_code code = duet_vec_grow(s->step, s->steps, error);
    if (code == DUET_OK) {
        duet_cover_step *top = &s->step[s->steps++];
        top->kind = kind;
        top->begun = 0;
        top->class = class;
        top->type = type;
        top->left = own;
    }
    return code;
}

duet_code duet_cover_push_node(duet_cover *s, const duet_cover_left *left, duet_error *error)
{
    return push(s, DUET_COVER_NODE, 0, 0, left, error);
}

// Ends the step on top.
void duet_cover_pop(duet_cover *s, duet_verdict with, duet_verdict *verdict)
{
    s->steps--;
    *verdict = with;
}

static bool has_class(const duet_patterns *patterns, size_t pattern, size_t bit)
{
    return (patterns->mask[pattern * patterns->words + bit / 64] >> (bit % 64) & 1U) != 0;
}

// Writes down how many patterns there are to go through.
static void begin_class(duet_cover *s, duet_cover_step *top)
{
    const duet_patterns *patterns = &s->patterns[top->type];
    size_t bit = patterns->first_bit[top->class];
    bool any = patterns->first_bit[top->class + 1] > bit && s->state->processors[top->type] > 0;
    size_t count = 0;
    top->slack = duet_cover_most_reduced_cost(s);
    for (size_t i = top->left.begin[top->type]; any && i < top->left.end[top->type]; i++) {
        size_t at = s->live[i];
        if (patterns->reduced_cost[at] > top->slack) {
            break;
        }
        count += has_class(patterns, at, bit);
    }
    duet_log_cover(s->search->log, s->prices, top->type, top->class, count);
    top->verdict = DUET_REFUTED;
    top->next = count > 0 ? top->left.begin[top->type] : top->left.end[top->type];
}

// The next pattern with the class among those left; SIZE_MAX: there is none.
static size_t next_pattern(const duet_cover *s, duet_cover_step *top)
{
    const duet_patterns *patterns = &s->patterns[top->type];
    size_t bit = patterns->first_bit[top->class];
    while (top->next < top->left.end[top->type] && !s->stopped) {
        size_t at = s->live[top->next++];
        if (patterns->reduced_cost[at] > top->slack) {
            break;
        }
        if (has_class(patterns, at, bit)) {
            return at;
        }
    }
    return SIZE_MAX;
}

duet_code duet_cover_step_class(duet_cover *s, duet_verdict *verdict, duet_error *error)
{
    duet_cover_step *top = &s->step[s->steps - 1];
    if (top->begun == 0) {
        begin_class(s, top);
    } else {
        top->verdict = duet_verdict_join(top->verdict, *verdict);
        if (top->verdict != DUET_FOUND) {
            duet_cover_return(s, &top->place);
        }
    }
    size_t at = top->verdict == DUET_FOUND ? SIZE_MAX : next_pattern(s, top);
    if (at == SIZE_MAX) {
        bool open = s->stopped && top->verdict == DUET_REFUTED;
        duet_cover_pop(s, open ? DUET_OPEN : top->verdict, verdict);
        return DUET_OK;
    }
    top->begun = 1;
    top->place = duet_cover_here(s);
    duet_code code = duet_cover_apply(s, top->type, at, error);
    return code == DUET_OK ? duet_cover_push_node(s, &top->left, error) : code;
}

// What is below a node that covers a class: a step for it, or two after a branch.
duet_code duet_cover_push_class(duet_cover *s, const duet_cover_left *left, size_t class,
                                duet_error *error)
{
    const duet_residual *state = s->state;
    if (state->low[0][class] > 0 && s->pooled[0]) {
        return push(s, DUET_COVER_CLASS, class, 0, left, error);
    }
    if (state->left[class] - state->high[0][class] > 0 && s->pooled[1]) {
        return push(s, DUET_COVER_CLASS, class, 1, left, error);
    }
    return push(s, DUET_COVER_BRANCH, class, 0, left, error);
}

// The child in which no CPU gets one where CPUs have patterns, else that in which some GPU does.
static duet_code begin_first_child(duet_cover *s, duet_cover_step *top, duet_error *error)
{
    size_t class = top->class;
    int64_t low = s->state->low[0][class];
    top->place = duet_cover_here(s);
    top->tasks = s->state->left[class];
    top->high = s->state->high[0][class];
    duet_log_branch(s->search->log, class, s->pooled[0] ? 0 : top->tasks - 1);
    duet_code code =
        duet_cover_change(s, class, top->tasks, low, s->pooled[0] ? 0 : top->tasks - 1, error);
    if (code != DUET_OK) {
        return code;
    }
    return s->pooled[0] ? duet_cover_push_node(s, &top->left, error)
                        : push(s, DUET_COVER_CLASS, class, 1, &top->left, error);
}

static duet_code begin_second_child(duet_cover *s, duet_cover_step *top, duet_error *error)
{
    size_t class = top->class;
    duet_cover_return(s, &top->place);
    duet_code code =
        duet_cover_change(s, class, top->tasks, s->pooled[0] ? 1 : top->tasks, top->high, error);
    if (code != DUET_OK) {
        return code;
    }
    return s->pooled[0] ? push(s, DUET_COVER_CLASS, class, 0, &top->left, error)
                        : duet_cover_push_node(s, &top->left, error);
}

// Either no CPU gets one, or some CPU does; on the GPUs, some GPU does, or none.
duet_code duet_cover_step_branch(duet_cover *s, duet_verdict *verdict, duet_error *error)
{
    duet_cover_step *top = &s->step[s->steps - 1];
    top->begun++;
    if (top->begun == 1) {
        return begin_first_child(s, top, error);
    }
    if (top->begun == 2 && *verdict != DUET_FOUND) {
        top->verdict = *verdict;
        return begin_second_child(s, top, error);
    }
    if (*verdict != DUET_FOUND) {
        duet_cover_return(s, &top->place);
    }
    duet_cover_pop(s,
                   *verdict == DUET_FOUND ? DUET_FOUND : duet_verdict_join(top->verdict, *verdict),
                   verdict);
    return DUET_OK;
}
