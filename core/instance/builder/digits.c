// SPDX-License-Identifier: Apache-2.0
// Times of an instance that is being built, rounded to a number of significant digits, halves up.
#include <stdio.h>

#include "core/instance/builder/moldable.h"
#include "core/system/try.h"

// How many times there are, and how many of them are no longer what was read.
typedef struct kept {
    int digits;
    size_t times;
    size_t changed;
} kept;

static int digits_of(int64_t value)
{
    int digits = 1;
    while (value >= 10) {
        value /= 10;
        digits++;
    }
    return digits;
}

// The nearest number of that many significant digits, halves up. False where it is beyond 2^62.
static bool keep(duet_decimal *value, duet_decimal_tail *tail, kept *k)
{
    int64_t scale = 1;
    int dropped = 0;
    k->times++;
    for (int digits = digits_of(value->mantissa); digits - dropped > k->digits; dropped++) {
        scale *= 10;
    }
    int64_t rest = value->mantissa % scale;
    bool up = dropped > 0 ? rest >= scale / 2 : *tail == DUET_DECIMAL_HALF_OR_MORE;
    bool changed = rest > 0 || *tail != DUET_DECIMAL_NO_TAIL;
    if (!changed) {
        return true;
    }
    if (dropped == 0 && digits_of(value->mantissa) < k->digits) {
        return true; // of more digits than can be read: what is finer is rounded to a tick
    }
    duet_int128 whole = value->mantissa / scale + up;
    int places = value->places - dropped;
    for (; places < 0; places++) {
        whole *= 10;
    }
    for (; places > 0 && whole % 10 == 0; places--) {
        whole /= 10;
    }
    *value = (duet_decimal){(int64_t)whole, places};
    *tail = DUET_DECIMAL_NO_TAIL;
    k->changed++;
    return whole <= DUET_MAX_WORK;
}

static bool keep_read(duet_read_time *time, kept *k)
{
    return time->forbidden || keep(&time->value, &time->tail, k);
}

// Times as they are packed: mantissas, and places with tails.
static bool keep_packed(int64_t *mantissa, uint8_t *places, size_t count, kept *k)
{
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        duet_decimal value = {mantissa[i], places[i] % DUET_BUILDER_PLACES};
        duet_decimal_tail tail = (duet_decimal_tail)(places[i] / DUET_BUILDER_PLACES);
        if (mantissa[i] != DUET_FORBIDDEN) {
            good = keep(&value, &tail, k);
            mantissa[i] = value.mantissa;
            places[i] = duet_builder_pack_places(value.places, tail);
        }
    }
    return good;
}

// Costs that are times, and how long data take.
static bool keep_costs(duet_builder *builder, kept *k)
{
    bool good = true;
    for (size_t c = 0; c < builder->costs && good; c++) {
        const duet_builder_cost *cost = &builder->cost[c];
        for (size_t i = 0; i < cost->count && cost->form != DUET_COST_DATA && good; i++) {
            good = keep_read(&builder->value[cost->first + i], k);
        }
    }
    for (size_t i = 0; i < builder->latency_count && good; i++) {
        good = keep_read(&builder->transfer[i], k);
    }
    return good;
}

// Releases, and until when processors are busy.
static bool keep_available(duet_builder *builder, kept *k)
{
    bool good = true;
    for (size_t i = 0; i < builder->released && good; i++) {
        good = keep_read(&builder->release[i], k);
    }
    for (size_t i = 0; i < builder->busy_count && good; i++) {
        good = keep_read(&builder->busy[i].until, k);
    }
    return good;
}

// What a file claims is about the times that it has.
static duet_code note(duet_builder *builder, const kept *k, duet_error *error)
{
    char notice[200];
    snprintf(notice, sizeof notice,
             "%zu of %zu times %s rounded to %d significant digit%s, by at most 5e-%d of each",
             k->changed, k->times, k->changed == 1 ? "is" : "are", k->digits,
             k->digits == 1 ? "" : "s", k->digits);
    DUET_TRY(duet_builder_add_notice(builder, notice, error));
    return duet_builder_drop_claim(builder, error);
}

void duet_builder_leave_room(duet_builder *builder, int room)
{
    builder->room = room;
}

void duet_builder_keep_digits(duet_builder *builder, int digits)
{
    builder->digits = digits;
}

duet_code duet_builder_round_digits(duet_builder *builder, duet_error *error)
{
    kept k = {.digits = builder->digits};
    if (k.digits == 0) {
        return DUET_OK;
    }
    duet_builder_moldable *made = builder->moldable;
    bool good =
        keep_packed(builder->mantissa, builder->places, builder->kinds * builder->times_per_kind,
                    &k) &&
        keep_costs(builder, &k) && keep_available(builder, &k) &&
        (made == NULL || keep_packed(made->m->given_time, made->places, made->m->given_times, &k));
    if (!good) {
        return duet_error_set_at(error, DUET_E_INPUT, builder->file, 0, 0,
                                 "a time of %d significant digit%s is more than 2^62: expected a "
                                 "larger unit",
                                 k.digits, k.digits == 1 ? "" : "s");
    }
    return k.changed > 0 ? note(builder, &k, error) : DUET_OK;
}
