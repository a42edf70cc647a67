// SPDX-License-Identifier: Apache-2.0
#include "solvers/exact/types/types_state.h"

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"
#include "solvers/exact/types/divisible.h"

// With many classes and types linear programs are slow, and the volume method bounds as well.
enum { MANY_CLASSES = 300, FEW_TYPES = 5 };

static duet_code create_program(duet_types *s, duet_error *error)
{
    duet_error why = DUET_ERROR_INIT;
    duet_code code = duet_generation_create(&s->classes, s->divisible, &s->program, &why);
    if (code == DUET_E_UNSUPPORTED) {
        return DUET_OK; // this build has no LP solver
    }
    if (code != DUET_OK && error != NULL) {
        *error = why;
    }
    return code;
}

// Numbers of tasks that trees branch on: those of each of few types.
static duet_code list_counts(duet_types *s, duet_error *error)
{
    duet_code code = DUET_OK;
    if (s->program == NULL || s->classes.types > FEW_TYPES) {
        return DUET_OK;
    }
    for (size_t t = 0; t < s->classes.types; t++) {
        if (s->classes.processors[t] > 0 && code == DUET_OK) {
            code = duet_generation_count(s->program, t, 0, 0, error);
        }
    }
    if (code == DUET_OK) {
        s->gain = duet_alloc(duet_generation_counts(s->program), sizeof *s->gain, error);
        code = s->gain == NULL ? DUET_E_MEMORY : DUET_OK;
    }
    return code;
}

duet_code duet_types_create_state(duet_types *s, int64_t guess, duet_error *error)
{
    s->unrefuted = INT64_MAX;
    s->ready = true;
    DUET_TRY(duet_classes_create(s->exact->instance, guess, &s->classes, error));
    DUET_TRY(duet_residual_create(&s->classes, &s->root, error));
    DUET_TRY(duet_residual_create(&s->classes, &s->state, error));
    DUET_TRY(duet_prices_create(&s->classes, &s->prices, error));
    s->divisible = duet_alloc(s->classes.types, sizeof *s->divisible, error);
    s->weight = duet_alloc(s->classes.types, sizeof *s->weight, error);
    DUET_NEED(s->divisible != NULL && s->weight != NULL);
    return duet_classes_weights(&s->classes, s->weight, error);
}

duet_code duet_types_prepare(duet_types *s, duet_error *error)
{
    duet_types_free(s);
    duet_code code = duet_types_create_state(s, s->exact->best->makespan - 1, error);
    if (code == DUET_OK) {
        bool few = s->classes.types <= FEW_TYPES;
        bool slow = s->classes.count > MANY_CLASSES && !few;
        bool wanted = !slow && duet_generation_possible(&s->classes);
        code = duet_types_choose_divisible(s, wanted && few && duet_lp_available(), error);
        code = code == DUET_OK && wanted ? create_program(s, error) : code;
        code = code == DUET_OK ? list_counts(s, error) : code;
    }
    return code;
}

void duet_types_free(duet_types *s)
{
    duet_configuration_free(s->program);
    duet_lp_position_free(&s->basis);
    duet_loads_free(&s->loads);
    duet_types_sets_free(&s->sets);
    duet_proof_writer_free(&s->alone);
    duet_free(s->divisible);
    duet_free(s->gain);
    duet_free(s->weight);
    if (s->ready) {
        duet_prices_free(&s->prices);
        duet_residual_free(&s->state);
        duet_residual_free(&s->root);
        duet_classes_free(&s->classes);
    }
    *s = (duet_types){.exact = s->exact};
}

bool duet_types_has_several(const duet_types *s)
{
    bool several = false;
    for (size_t t = 0; t < s->classes.types; t++) {
        several = several || s->classes.processors[t] > 1;
    }
    return several;
}

bool duet_types_begin(duet_types *s, int64_t guess, duet_log *log)
{
    const duet_classes *classes = &s->classes;
    duet_residual_copy(classes, &s->root, &s->state);
    if (s->program != NULL) {
        duet_generation_resume(s->program, &s->basis, false);
        duet_generation_set_guess(s->program, guess);
        duet_generation_take_none(s->program);
    }
    for (size_t c = 0; c < classes->count; c++) {
        for (size_t t = 0; t < classes->types; t++) {
            if (duet_residual_most(&s->state, c, t) > 0 && classes->time[t][c] > guess) {
                if (duet_residual_least(&s->state, c, t) > 0) {
                    duet_log_nowhere(log, c);
                    return false;
                }
                duet_residual_limit(&s->state, c, t, 0, 0);
            }
        }
    }
    return true;
}

// The prices of the classes within `guess`: each has the least of those of its kinds, which may
// differ in times beyond the guess alone.
static void carry_prices(const duet_types *s, const duet_classes *to, duet_prices *prices)
{
    for (size_t t = 0; t < to->types; t++) {
        prices->limit[t] = s->prices.limit[t];
        prices->divisible[t] = s->prices.divisible[t];
        for (size_t c = 0; c < to->count; c++) {
            prices->price[t][c] = INT64_MAX;
        }
    }
    for (size_t i = 0; i < s->exact->instance->kinds; i++) {
        size_t from = s->classes.of_kind[i];
        size_t into = to->of_kind[i];
        for (size_t t = 0; t < to->types && into != SIZE_MAX && from != SIZE_MAX; t++) {
            int64_t price = duet_class_fits(to, into, t) ? s->prices.price[t][from] : 0;
            int64_t *least = &prices->price[t][into];
            *least = duet_min(price, *least);
        }
    }
}

// The certificate of prices for the classes within `proven`, where it holds there.
static duet_code certify(duet_types *s, int64_t proven, const duet_classes *classes,
                         duet_certificate *certificate, bool *holds, duet_error *error)
{
    duet_prices prices = {.id = -1};
    duet_residual whole = {.left = NULL};
    duet_code code = duet_prices_create(classes, &prices, error);
    DUET_THEN(code, duet_residual_create(classes, &whole, error));
    if (code == DUET_OK) {
        carry_prices(s, classes, &prices);
        *holds = duet_residual_slack(classes, &whole, &prices) < 0;
    }
    if (code == DUET_OK && *holds) {
        code = duet_prices_certificate(classes, &prices, proven + 1, certificate, error);
    }
    duet_residual_free(&whole);
    duet_prices_free(&prices);
    return code;
}

duet_code duet_types_claim(duet_types *s, int64_t proven, duet_error *error)
{
    duet_classes classes;
    bool holds = false;
    duet_certificate certificate = {.proof = DUET_PROOF_NONE};
    if (proven < s->exact->bound.value) {
        return DUET_OK;
    }
    duet_code code = duet_classes_create(s->exact->instance, proven, &classes, error);
    if (code != DUET_OK) {
        return code;
    }
    if (classes.nowhere == SIZE_MAX) {
        code = certify(s, proven, &classes, &certificate, &holds, error);
    }
    duet_classes_free(&classes);
    if (code == DUET_OK && holds) {
        duet_bound_release(&s->exact->bound);
        s->exact->bound =
            (duet_bound){.name = "configuration", .value = proven + 1, .certificate = certificate};
    }
    return code;
}

duet_search duet_types_leveling(duet_types *s)
{
    enum { effort = 1000 }; // pairs that are repartitioned in vain, one after another
    return (duet_search){.classes = &s->classes,
                         .state = &s->state,
                         .context = s->exact->context,
                         .random = &s->exact->random,
                         .limits = {.pack_effort = effort},
                         .loads = &s->loads,
                         .verdict = DUET_OPEN};
}

duet_log *duet_types_start_log(duet_types *s, int64_t guess)
{
    duet_exact *e = s->exact;
    size_t limit = e->proving.wanted ? DUET_EXACT_PROOF_BYTES : DUET_EXACT_LINES_BYTES;
    duet_log_start_within(&e->log, &s->classes, guess, limit);
    return &e->log;
}

void duet_types_take_proof(duet_types *s)
{
    duet_exact *e = s->exact;
    duet_exact_take_log(e);
    e->proof_of = e->bound.value;
}

void duet_types_claim_searched(duet_types *s, int64_t proven, bool logged)
{
    duet_exact *e = s->exact;
    if (proven < e->bound.value) {
        return;
    }
    duet_bound_release(&e->bound);
    e->bound = (duet_bound){.name = "exact", .value = proven + 1};
    e->proof_of = -1;
    if (logged && !e->log.out.lost) {
        duet_types_take_proof(s);
    }
}

// Cuts the numbers of tasks of a class on a type that are not within `low` and `high`: a leaf each.
static void log_cuts(const duet_types *s, size_t class, size_t type, int64_t low, int64_t high,
                     duet_log *log, duet_prices *shown)
{
    bool above = high < duet_residual_most(&s->state, class, type);
    bool below = low > duet_residual_least(&s->state, class, type);
    if (log == NULL || !(above || below)) {
        return;
    }
    duet_log_declare(log, shown);
    if (above) {
        duet_log_branch_type(log, type, class, high, true);
        duet_log_price(log, shown);
    }
    if (below) {
        duet_log_branch_type(log, type, class, low - 1, false);
        duet_log_price(log, shown);
    }
}

bool duet_types_cut(duet_types *s, size_t class, size_t type, const duet_int128 *price,
                    duet_int128 slack, duet_log *log, duet_prices *shown)
{
    int64_t low;
    int64_t high;
    duet_residual_fix_type(&s->state, class, type, price, slack, &low, &high);
    if (low > high) {
        return false;
    }
    log_cuts(s, class, type, low, high, log, shown);
    duet_residual_limit(&s->state, class, type, low, high);
    return true;
}

bool duet_types_fix(duet_types *s, duet_int128 slack, duet_log *log, duet_prices *shown)
{
    const duet_classes *classes = &s->classes;
    for (size_t c = 0; c < classes->count; c++) {
        duet_int128 price[DUET_MAX_TYPES];
        if (duet_residual_settled(&s->state, c)) {
            continue;
        }
        for (size_t t = 0; t < classes->types; t++) {
            price[t] = s->prices.price[t][c] +
                       duet_branching_rows_price(classes, &s->prices,
                                                 duet_generation_rows(s->program), c, t);
        }
        for (size_t t = 0; t < classes->types; t++) {
            bool open = duet_residual_least(&s->state, c, t) < duet_residual_most(&s->state, c, t);
            if (open && !duet_types_cut(s, c, t, price, slack, log, shown)) {
                return false;
            }
        }
    }
    return true;
}
