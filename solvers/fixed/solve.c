// SPDX-License-Identifier: Apache-2.0
// Planning the rest of an instance of which something is given.
//
// Method:    a row solves the rest. Where that does not say all that is given, the order of its
//            schedule is carried out in the whole, on the processors and types of the schedule,
//            and where tasks end first with their data where they are. Where the row searches, the
//            order is changed there, or all schedules are tried. The caller's schedule is kept
//            where it is as short.
// Guarantee: none is claimed but the bound: what the row proves of the rest, with the origin on
//            top, and the end of what is given.
// Cost:      that of the row, and the time that is left.
// Memory:    that of the row, and O(tasks + processors).
// Reference: ours.
#include <stdio.h>

#include <duet/check.h>

#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "heuristics/heuristics.h"
#include "solvers/features.h"
#include "solvers/fixed/fixed.h"
#include "solvers/hint.h"
#include "solvers/solvers.h"

// What auto does without a limit of time: rounds of changes, and nodes of branch and bound.
enum { USUAL_ROUNDS = 20, USUAL_NODES = 1000000 };

typedef struct fixing {
    const duet_instance *whole;
    const duet_algorithm *row;
    const duet_context *context;
    const duet_rest *rest;
    duet_plain_solve *plain;
    duet_solution *solution; // of the whole
    bool found;              // it has a schedule
    duet_error *error;
} fixing;

// --- between the whole and the rest --------------------------------------------------------------

// The caller's schedule as one of the rest, which it is one of.
static duet_code hint_of_rest(const fixing *f, const duet_solution *from, duet_solution **out)
{
    const duet_rest *rest = f->rest;
    bool sets = f->whole->moldable != NULL;
    duet_processor_range *range = NULL;
    size_t at = 0;
    DUET_TRY(duet_solution_create_blank(rest->tasks, out, f->error));
    duet_code code = sets ? duet_solution_hold_sets(*out, f->error)
                          : duet_solution_hold_placements(*out, f->error);
    for (int64_t i = 0; i < rest->tasks && code == DUET_OK; i++) {
        duet_placement placed = duet_solution_place(from, rest->task[i], &at);
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(from, rest->task[i], &one);
        code = duet_vec_reserve(range, set.count, f->error);
        for (size_t r = 0; r < set.count && code == DUET_OK; r++) {
            size_t type = (size_t)set.range[r].type;
            int64_t first = set.range[r].first;
            int64_t last = set.range[r].last;
            first -= duet_lost_below(f->whole, type, first);
            last -= duet_lost_below(f->whole, type, last);
            range[r] = (duet_processor_range){(int32_t)type, (int32_t)first, (int32_t)last};
        }
        int64_t start = placed.start - rest->origin;
        if (code == DUET_OK && sets) {
            code = duet_solution_place_set(*out, i, start, (duet_processor_set){range, set.count},
                                           f->error);
        } else if (code == DUET_OK) {
            (*out)->placement[i] = (duet_placement){start, range[0].first, range[0].type};
        }
    }
    duet_free(range);
    return code;
}

// A range of processors of the rest as ranges of the whole: those that are lost lie between.
static duet_code add_ranges(const fixing *f, duet_processor_range range,
                            duet_processor_range **list, size_t *count)
{
    for (int64_t n = range.first; n <= range.last; n++) {
        int32_t own = (int32_t)duet_kept_processor(f->whole, (size_t)range.type, n);
        duet_processor_range *last = *count == 0 ? NULL : &(*list)[*count - 1];
        if (last != NULL && last->type == range.type && last->last + 1 == own) {
            last->last = own;
        } else {
            const duet_processor_range one = {range.type, own, own};
            DUET_TRY(duet_vec_push(*list, *count, f->error, one));
        }
    }
    return DUET_OK;
}

static duet_code place_rest(const fixing *f, const duet_solution *from, duet_solution *to)
{
    const duet_rest *rest = f->rest;
    duet_processor_range *range = NULL;
    duet_code code = DUET_OK;
    size_t at = 0;
    for (int64_t i = 0; i < rest->tasks && code == DUET_OK; i++) {
        duet_placement placed = duet_solution_place(from, i, &at);
        int64_t start = placed.start + rest->origin;
        if (f->whole->moldable == NULL) {
            int64_t own = duet_kept_processor(f->whole, (size_t)placed.type, placed.processor);
            to->placement[rest->task[i]] = (duet_placement){start, (int32_t)own, placed.type};
            continue;
        }
        duet_processor_range one;
        duet_processor_set set = duet_solution_set(from, i, &one);
        size_t count = 0;
        for (size_t r = 0; r < set.count && code == DUET_OK; r++) {
            code = add_ranges(f, set.range[r], &range, &count);
        }
        DUET_THEN(code, duet_solution_place_set(to, rest->task[i], start,
                                                (duet_processor_set){range, count}, f->error));
    }
    duet_free(range);
    return code;
}

static duet_code place_given(const fixing *f, duet_solution *to)
{
    const duet_instance *whole = f->whole;
    for (size_t i = 0; i < whole->kinds; i++) {
        const duet_pin *pin = duet_pin_of(whole, i);
        if (!duet_is_given(pin)) {
            continue;
        }
        duet_processor_set set = duet_pin_set(whole, pin);
        if (whole->moldable != NULL) {
            DUET_TRY(duet_solution_place_set(to, whole->first[i], pin->start, set, f->error));
        } else {
            to->placement[whole->first[i]] =
                (duet_placement){pin->start, set.range[0].first, set.range[0].type};
        }
    }
    return DUET_OK;
}

// The schedule of the rest with what is given; runs that were given up as well.
static duet_code widen(const fixing *f, const duet_solution *from, duet_solution *to)
{
    DUET_TRY(f->whole->moldable != NULL ? duet_solution_hold_sets(to, f->error)
                                        : duet_solution_hold_placements(to, f->error));
    DUET_TRY(place_given(f, to));
    DUET_TRY(from == NULL ? DUET_OK : place_rest(f, from, to));
    for (size_t a = 0; from != NULL && a < from->aborted_count; a++) {
        duet_aborted run = from->aborted[a];
        run.task = f->rest->task[run.task];
        run.start += f->rest->origin;
        run.end += f->rest->origin;
        run.processor = (int32_t)duet_kept_processor(f->whole, (size_t)run.type, run.processor);
        DUET_TRY(duet_solution_add_aborted(to, run, f->error));
    }
    to->makespan = duet_solution_measure(to, f->whole);
    return DUET_OK;
}

// What was found out about the rest, as far as it holds for the whole.
static void take_claims(const fixing *f, const duet_solution *from)
{
    duet_solution *to = f->solution;
    to->seconds = from->seconds;
    to->interrupted = from->interrupted;
    to->ending = from->ending;
    to->output_failed = from->output_failed;
    snprintf(to->note, sizeof to->note, "%s", from->note);
    snprintf(to->algorithm, sizeof to->algorithm, "%s", from->algorithm);
    snprintf(to->found_by, sizeof to->found_by, "%s", from->found_by);
    for (size_t i = 0; i < from->counters; i++) {
        duet_solution_count(to, from->counter[i].name, from->counter[i].value);
    }
    if (from->bound_name[0] != '\0') {
        snprintf(to->bound_name, sizeof to->bound_name, "%s", from->bound_name);
        to->lower_bound = from->lower_bound + f->rest->origin;
        to->certificate = from->certificate;
        duet_certificate_retain(&to->certificate);
        if (to->certificate.proof == DUET_PROOF_LONGEST) {
            to->certificate.task = f->rest->task[to->certificate.task];
        }
    }
}

// What is given may itself end last. A proof that is written is about the rest: no more is claimed
// then.
static void bound_by_given(const fixing *f)
{
    duet_solution *to = f->solution;
    if (f->rest->tasks > 0 && duet_option_given(f->context->options, "proof") &&
        !to->output_failed) {
        return;
    }
    if (f->rest->end > to->lower_bound || f->rest->tasks == 0) {
        duet_certificate_release(&to->certificate);
        to->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
        to->lower_bound = f->rest->end;
        snprintf(to->bound_name, sizeof to->bound_name, "given");
    }
}

// A proof is about the rest: without a task there is none.
static void refuse_proof(const fixing *f)
{
    if (duet_option_given(f->context->options, "proof")) {
        snprintf(f->solution->note, sizeof f->solution->note,
                 "no proof was written: all tasks are given, and nothing is left to prove");
        f->solution->output_failed = true;
    }
}

// --- the whole -----------------------------------------------------------------------------------

static bool is_exact(const fixing *f)
{
    return f->row->entry.name == duet_algorithm_exact.entry.name;
}

static bool is_auto(const fixing *f)
{
    return f->row->entry.name == duet_algorithm_auto.entry.name;
}

// Without a limit of time auto ends with exact, where that handles the instance, but not with all
// of its nodes: these may be without end.
static bool ends_by_exact(const fixing *f)
{
    return is_auto(f) &&
           duet_handles(&duet_algorithm_exact.entry, duet_demand_of(f->rest->instance));
}

static bool is_open(const fixing *f)
{
    const duet_solution *s = f->solution;
    return !f->found || s->makespan > duet_context_target(f->context, s->lower_bound);
}

// Looks for better orders: by branch and bound, by changes, and by branch and bound again where
// the row goes on to the end or nothing was found. *proven: there are none.
static duet_code search_orders(fixing *f, const duet_fixed_model *model, duet_carry *carry,
                               bool *proven)
{
    bool timed = f->context->deadline_ns != INT64_MAX;
    bool exact = is_exact(f);
    bool usual = !timed && ends_by_exact(f);
    bool searches = f->row->pace.searches || exact;
    duet_context part = duet_context_part(f->context, timed ? 4 : 1);
    duet_code code = DUET_OK;
    if (searches && is_open(f) && timed) {
        code = duet_fixed_branch(model, carry, &part, INT64_MAX, f->solution, &f->found, proven,
                                 f->error);
    }
    part = duet_context_part(f->context, timed && exact ? 2 : 1);
    if (code == DUET_OK && searches && !*proven && f->found && is_open(f)) {
        int64_t target = duet_context_target(f->context, f->solution->lower_bound);
        int64_t rounds = timed ? 0 : exact ? 1 : USUAL_ROUNDS;
        code = duet_fixed_search(model, carry, &part, rounds, target, f->solution, f->error);
    }
    if (code == DUET_OK && !*proven && is_open(f) && (exact || usual || !f->found)) {
        int64_t most = usual && f->found ? USUAL_NODES : INT64_MAX;
        code = duet_fixed_branch(model, carry, f->context, most, f->solution, &f->found, proven,
                                 f->error);
    }
    return code;
}

static duet_code refuse(const fixing *f, bool proven)
{
    char named[300] = "";
    size_t count = 0;
    if (!proven) {
        return duet_error_set(f->error, DUET_E_LIMIT,
                              "no schedule was found that keeps what is fixed; 'exact' tries all "
                              "of few tasks, with more time");
    }
    DUET_TRY(duet_fixed_conflict(f->whole, f->context, named, sizeof named, &count, f->error));
    if (count == 0) {
        return duet_error_set(f->error, DUET_E_INFEASIBLE,
                              "no schedule keeps what is fixed: the tasks before do not end in "
                              "time, or their processors are not free");
    }
    return duet_error_set(f->error, DUET_E_INFEASIBLE, "no schedule keeps what is fixed of %s%s",
                          named,
                          count == 1 ? ": the tasks before do not end in time, or no processor is "
                                       "free then"
                                     : " together");
}

static duet_code carry_out(fixing *f, duet_carry *carry, const duet_solution *planned)
{
    duet_code code = DUET_OK;
    for (int way = DUET_CARRY_PLACES; way <= DUET_CARRY_ENDS; way++) {
        DUET_THEN(code, duet_fixed_carry_on(carry, planned, (duet_carry_way)way, f->solution,
                                            &f->found, f->error));
    }
    return code;
}

// The orders of rules that take no time: that of a row that searches is good where data of given
// tasks are at hand as the rest has it, and may be none where they are not.
static duet_code carry_out_rules(fixing *f, duet_carry *carry)
{
    static const duet_algorithm *const rules[] = {&duet_algorithm_heft, &duet_algorithm_eft};
    duet_context plainly = {.start_ns = f->context->start_ns,
                            .deadline_ns = f->context->deadline_ns,
                            .threads = 1,
                            .seed = f->context->seed,
                            .cancel = f->context->cancel,
                            .memory_limit = f->context->memory_limit};
    duet_code code = DUET_OK;
    for (size_t i = 0; i < sizeof rules / sizeof *rules && code == DUET_OK; i++) {
        duet_solution *planned = NULL;
        duet_solution *wide = NULL;
        if (!duet_handles(&rules[i]->entry, duet_demand_of(f->rest->instance))) {
            continue;
        }
        duet_error why = DUET_ERROR_INIT;
        code = f->plain(f->rest->instance, rules[i], &plainly, &planned, &why);
        if (code == DUET_E_LIMIT || code == DUET_E_CANCELLED) { // there is a schedule already
            code = DUET_OK;
            break;
        }
        if (code != DUET_OK) {
            duet_error_set(f->error, code, "%s", why.message);
        }
        DUET_THEN(code, duet_solution_create_blank(duet_tasks(f->whole), &wide, f->error));
        DUET_THEN(code, widen(f, planned, wide));
        DUET_THEN(code, carry_out(f, carry, wide));
        duet_solution_free(wide);
        duet_solution_free(planned);
    }
    return code;
}

// All schedules were tried. A proof that is asked for is about the rest: no more is claimed then.
static void claim_all(const fixing *f)
{
    duet_solution *s = f->solution;
    if (!duet_option_given(f->context->options, "proof")) {
        s->lower_bound = s->makespan;
        snprintf(s->bound_name, sizeof s->bound_name, "exact");
        duet_certificate_release(&s->certificate);
        s->certificate = (duet_certificate){.proof = DUET_PROOF_NONE};
    } else if (s->lower_bound < s->makespan && s->note[0] == '\0') {
        snprintf(s->note, sizeof s->note,
                 "no schedule is shorter, but proofs are about what is left without what is "
                 "fixed, and no more is claimed beside one");
    }
}

// Orders that are carried out; then, of a row that searches, better ones.
static duet_code carry_on(fixing *f, const duet_solution *planned)
{
    duet_fixed_model model;
    duet_carry carry = {.kept = NULL};
    int64_t before = f->found ? f->solution->makespan : DUET_FORBIDDEN;
    bool proven = false;
    bool searches = f->row->pace.searches || is_exact(f);
    duet_code code = duet_fixed_model_create(f->whole, f->rest, &model, f->error);
    carry.m = &model;
    DUET_THEN(code, duet_carry_create(&model, &carry, f->error));
    DUET_THEN(code, carry_out(f, &carry, planned));
    if (code == DUET_OK && searches) {
        code = carry_out_rules(f, &carry);
    }
    DUET_THEN(code, search_orders(f, &model, &carry, &proven));
    if (code == DUET_OK && proven && f->found) {
        claim_all(f);
    }
    if (f->found && f->solution->makespan < before) {
        // A row's own search goes by its name; auto has that of exact.
        bool of_exact = searches && is_auto(f);
        snprintf(f->solution->found_by, sizeof f->solution->found_by, "%s",
                 of_exact ? duet_algorithm_exact.entry.name : "");
    }
    f->solution->interrupted =
        code == DUET_OK && searches && !proven && is_open(f) && duet_context_stop(f->context);
    duet_carry_free(&carry);
    duet_fixed_model_free(&model);
    return code == DUET_OK && !f->found ? refuse(f, proven) : code;
}

typedef struct shifted {
    const duet_context *context;
    int64_t origin;
} shifted;

// Progress of the rest is told in ticks of the whole.
static void report(void *user, const duet_progress *progress)
{
    const shifted *s = user;
    duet_progress own = *progress;
    own.lower_bound += s->origin;
    own.best += own.best == DUET_FORBIDDEN ? 0 : s->origin;
    s->context->progress(s->context->user, &own);
}

static duet_code solve_rest(fixing *f)
{
    const duet_rest *rest = f->rest;
    const duet_solution *given = f->context->start_from;
    shifted user = {f->context, rest->origin};
    duet_context inner = *f->context;
    duet_solution *hint = NULL;
    duet_solution *planned = NULL;
    duet_code code = DUET_OK;
    if (!rest->exact && inner.deadline_ns != INT64_MAX) {
        inner = duet_context_part(f->context, 3);
    }
    inner.start_from = NULL;
    inner.due = f->context->due > rest->origin ? f->context->due - rest->origin : 0;
    if (inner.progress != NULL) {
        inner.progress = report;
        inner.user = &user;
    }
    if (given != NULL) {
        code = hint_of_rest(f, given, &hint);
        inner.start_from = hint;
    }
    DUET_THEN(code, f->plain(rest->instance, f->row, &inner, &planned, f->error));
    if (code == DUET_OK) {
        take_claims(f, planned);
        bound_by_given(f);
        if (rest->exact) {
            code = widen(f, planned, f->solution);
            f->found = code == DUET_OK;
        } else {
            duet_solution *wide = NULL;
            code = duet_solution_create_blank(duet_tasks(f->whole), &wide, f->error);
            DUET_THEN(code, widen(f, planned, wide));
            DUET_THEN(code, given == NULL ? DUET_OK
                                          : duet_hint_copy(given, f->whole, f->solution, f->error));
            if (code == DUET_OK && given != NULL) {
                f->found = true;
                f->solution->makespan = duet_solution_measure(f->solution, f->whole);
                snprintf(f->solution->found_by, sizeof f->solution->found_by, "start-from");
            }
            DUET_THEN(code, carry_on(f, wide));
            duet_solution_free(wide);
        }
    }
    duet_solution_free(hint);
    duet_solution_free(planned);
    return code;
}

// The caller's schedule is one of the whole.
static duet_code check_given(const duet_instance *whole, const duet_solution *given,
                             duet_error *error)
{
    duet_error fault = DUET_ERROR_INIT;
    duet_solution *copy = NULL;
    if (given->tasks != duet_tasks(whole) || given->finer != 0 || given->aborted_count > 0) {
        return duet_error_set(error, DUET_E_INPUT,
                              "the schedule to start from: expected one of this instance, in whole "
                              "ticks and without aborted runs");
    }
    duet_code code = duet_solution_create_blank(given->tasks, &copy, error);
    DUET_THEN(code, duet_hint_copy(given, whole, copy, error));
    if (code == DUET_OK) {
        duet_solution_finish(copy, whole);
        code = duet_check_solution(whole, copy, NULL, NULL, &fault);
        if (code != DUET_OK) {
            duet_error_set(error, code, "the schedule to start from: %s", fault.message);
        }
    }
    duet_solution_free(copy);
    return code;
}

duet_code duet_fixed_solve(const duet_instance *instance, const duet_algorithm *row,
                           const duet_context *context, duet_plain_solve *plain,
                           duet_solution **out, duet_error *error)
{
    duet_rest rest = {.instance = NULL};
    fixing f = {.whole = instance,
                .row = row,
                .context = context,
                .rest = &rest,
                .plain = plain,
                .error = error};
    *out = NULL;
    duet_code code =
        context->start_from == NULL ? DUET_OK : check_given(instance, context->start_from, error);
    DUET_THEN(code, duet_rest_create(instance, &rest, error));
    DUET_THEN(code, duet_solution_create_blank(duet_tasks(instance), &f.solution, error));
    if (code == DUET_OK && rest.tasks == 0) {
        snprintf(f.solution->algorithm, sizeof f.solution->algorithm, "%s", row->entry.name);
        code = widen(&f, NULL, f.solution);
        bound_by_given(&f);
        refuse_proof(&f);
    } else if (code == DUET_OK) {
        code = solve_rest(&f);
    }
    duet_rest_free(&rest);
    if (code != DUET_OK) {
        duet_solution_free(f.solution);
        return code;
    }
    duet_solution_finish(f.solution, instance);
    *out = f.solution;
    return DUET_OK;
}
