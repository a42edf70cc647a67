// SPDX-License-Identifier: Apache-2.0
// The prices that refuted the last guess as a certificate. The classes of that guess are those of
// the volume method, or unions of them where times above the guess made the difference. Prices are
// rounded to as few bits as refute the guess, since the checker's tables are as long as the limits.
#include <math.h>

#include "core/system/memory.h"
#include "core/system/try.h"
#include "lp/volume/volume_state.h"

// The problem at one guess.
typedef struct certificate_search {
    duet_classes classes;
    duet_supply supply;
    duet_prices prices;
    double *average;  // price of a class, of those that it is made of
    int64_t *integer; // the same, scaled
} certificate_search;

static void free_search(certificate_search *s)
{
    duet_free(s->average);
    duet_free(s->integer);
    duet_prices_free(&s->prices);
    duet_supply_free(&s->supply);
    duet_classes_free(&s->classes);
}

static void average_prices(const duet_volume *v, certificate_search *s)
{
    for (size_t i = 0; i < v->instance->kinds; i++) {
        size_t from = v->classes.of_kind[i];
        size_t to = s->classes.of_kind[i];
        if (from != SIZE_MAX && to != SIZE_MAX) {
            double part = (double)duet_count(v->instance, i) / (double)s->classes.tasks[to];
            s->average[to] += part * (double)v->proof[from];
        }
    }
}

static duet_code create_search(const duet_volume *v, int64_t guess, certificate_search *s,
                               duet_error *error)
{
    *s = (certificate_search){.average = NULL};
    DUET_TRY(duet_classes_create(v->instance, guess, &s->classes, error));
    duet_code code = duet_supply_create(&s->classes, &s->supply, error);
    DUET_THEN(code, duet_prices_create(&s->classes, &s->prices, error));
    s->average = duet_alloc(s->classes.count, sizeof *s->average, error);
    s->integer = duet_alloc(s->classes.count, sizeof *s->integer, error);
    if (code == DUET_OK && (s->average == NULL || s->integer == NULL)) {
        code = DUET_E_MEMORY;
    }
    if (code == DUET_OK) {
        average_prices(v, s);
    }
    return code;
}

// Whether the prices at a scale refute the guess.
static duet_code refute(certificate_search *s, double scale, bool *refuted, duet_error *error)
{
    duet_int128 supply;
    for (size_t c = 0; c < s->classes.count; c++) {
        s->integer[c] = (int64_t)(s->average[c] * scale + 0.5);
    }
    duet_code code = duet_supply_solve(&s->supply, s->integer, NULL, &supply, error);
    *refuted = code == DUET_OK && duet_supply_demand(&s->supply, s->integer) > supply;
    return code;
}

static void take_prices(certificate_search *s)
{
    for (size_t t = 0; t < s->classes.types; t++) {
        for (size_t c = 0; c < s->classes.count; c++) {
            bool fits = duet_class_fits(&s->classes, c, t) && s->classes.processors[t] > 0;
            s->prices.price[t][c] = fits ? s->integer[c] : 0;
        }
        s->prices.limit[t] = s->supply.type[t].found.value;
        s->prices.divisible[t] = false;
    }
}

// At one guess, with ever more bits; where the context stops, with nearly all at once.
static duet_code certify_guess(const duet_volume *v, int64_t guess, const duet_context *context,
                               duet_certificate *certificate, bool *refuted, duet_error *error)
{
    enum { first = 7, late = 2 };
    certificate_search s;
    duet_code code = create_search(v, guess, &s, error);
    *refuted = false;
    for (int less = v->bits - first; less >= 0 && code == DUET_OK && !*refuted; less--) {
        less = less > late && duet_context_stop(context) ? late : less;
        code = refute(&s, ldexp(1, -less), refuted, error);
    }
    if (code == DUET_OK && *refuted) {
        take_prices(&s);
        code = duet_prices_certificate(&s.classes, &s.prices, guess + 1, certificate, error);
    }
    free_search(&s);
    return code;
}

duet_code duet_volume_certify(duet_volume *v, const duet_context *context, duet_bound *bound,
                              duet_error *error)
{
    *bound = (duet_bound){.name = "configuration", .value = v->lower};
    duet_code code = DUET_OK;
    bool refuted = !v->proven;
    for (int64_t guess = v->bound - 1; !refuted && guess >= v->lower && code == DUET_OK;
         guess -= 1 + (v->bound - 1 - guess)) {
        code = certify_guess(v, guess, context, &bound->certificate, &refuted, error);
        bound->value = refuted ? guess + 1 : bound->value;
    }
    duet_fraction_format((duet_fraction){(duet_uint128)bound->value, 1}, bound->exact);
    return code;
}
