// SPDX-License-Identifier: Apache-2.0
#include "check/law.h"

#include "core/wide.h"

static duet_uint128 power_of_ten(int exponent)
{
    duet_uint128 power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

// ceil(num / den), of which the guess is close. Whole numbers decide.
static int64_t settle(duet_wide num, duet_wide den, long double guess)
{
    int64_t ticks = guess < 1 ? 0 : guess > 4.6e18L ? DUET_MAX_WORK : (int64_t)guess;
    while (duet_wide_compare(duet_wide_multiply(den, (uint64_t)ticks), num) < 0) {
        ticks++;
    }
    while (ticks > 0 && duet_wide_compare(duet_wide_multiply(den, (uint64_t)ticks - 1), num) >= 0) {
        ticks--;
    }
    return ticks;
}

static long double number(duet_decimal value)
{
    return (long double)value.mantissa / (long double)power_of_ten(value.places);
}

// The law on p processors in ticks, rounded up: (alpha + (1 - alpha)/p) work/speed times the ticks
// of a unit.
static int64_t raise_law(const duet_law *law, duet_decimal speed, int decimals, int64_t p)
{
    duet_uint128 all = power_of_ten(law->alpha.places);
    duet_uint128 alpha = (uint64_t)law->alpha.mantissa;
    duet_uint128 parts = alpha * (uint64_t)p + (all - alpha);
    duet_wide num = duet_wide_multiply(duet_wide_of(parts), (uint64_t)law->work.mantissa);
    num = duet_wide_multiply(num, power_of_ten(speed.places));
    num = duet_wide_multiply(num, power_of_ten(decimals));
    duet_wide den = duet_wide_multiply(duet_wide_of(all), (uint64_t)p);
    den = duet_wide_multiply(den, (uint64_t)speed.mantissa);
    den = duet_wide_multiply(den, power_of_ten(law->work.places));
    long double sequential = number(law->alpha);
    long double share = sequential + (1 - sequential) / (long double)p;
    return settle(num, den,
                  share * number(law->work) / number(speed) * (long double)power_of_ten(decimals));
}

// The least table at or above the law that never increases and whose areas never decrease.
static int64_t table_entry(const duet_law *law, duet_decimal speed, int decimals, int64_t size,
                           duet_check_memo *memo)
{
    bool known = memo->law == law && memo->size == size && memo->speed.mantissa == speed.mantissa &&
                 memo->speed.places == speed.places;
    if (known) {
        return memo->ticks;
    }
    duet_uint128 area = 0; // of the entry before
    int64_t ticks = 0;
    for (int64_t p = 1; p <= size; p++) {
        int64_t at_least = (int64_t)((area + (uint64_t)p - 1) / (uint64_t)p);
        ticks = raise_law(law, speed, decimals, p);
        ticks = at_least > ticks ? at_least : ticks;
        area = (duet_uint128)(uint64_t)ticks * (uint64_t)p;
    }
    *memo = (duet_check_memo){law, speed, size, ticks};
    return ticks;
}

int64_t duet_check_time(const duet_instance *instance, size_t kind, size_t type, int64_t size,
                        duet_check_memo *memo)
{
    const duet_moldable *m = instance->moldable;
    size_t at = kind * instance->types + type;
    uint32_t cell = m->cell[at];
    if (instance->times[at] == DUET_FORBIDDEN || size < 1 || size > instance->processors[type]) {
        return DUET_FORBIDDEN;
    }
    const duet_law *law = duet_moldable_law(instance, kind, type);
    if (law != NULL) {
        return table_entry(law, m->speed[type], instance->decimals, size, memo);
    }
    if (cell == 0) {
        return size == 1 ? instance->times[at] : DUET_FORBIDDEN;
    }
    const duet_moldable_table *table = &m->table[cell - 1];
    return size <= table->length ? m->given_time[table->at + (size_t)(size - 1)] : DUET_FORBIDDEN;
}

static bool is_slower(duet_decimal a, duet_decimal b)
{
    duet_uint128 left = (duet_uint128)(uint64_t)a.mantissa * power_of_ten(b.places);
    duet_uint128 right = (duet_uint128)(uint64_t)b.mantissa * power_of_ten(a.places);
    return left < right;
}

int64_t duet_check_mixed_time(const duet_instance *instance, size_t kind, duet_processor_set set,
                              duet_check_memo *memo)
{
    const duet_moldable *m = instance->moldable;
    const duet_law *law = duet_moldable_law(instance, kind, (size_t)set.range[0].type);
    duet_decimal slowest = m->speed[set.range[0].type];
    int64_t size = 0;
    for (size_t i = 0; i < set.count; i++) {
        const duet_processor_range *range = &set.range[i];
        if (law == NULL || duet_moldable_law(instance, kind, (size_t)range->type) != law) {
            return DUET_FORBIDDEN;
        }
        slowest = is_slower(m->speed[range->type], slowest) ? m->speed[range->type] : slowest;
        size += (int64_t)range->last - range->first + 1;
    }
    return table_entry(law, slowest, instance->decimals, size, memo);
}

bool duet_check_is_at_least_as_fast(const duet_instance *instance, size_t kind, size_t type,
                                    size_t than)
{
    return duet_allowed(instance, kind, type) &&
           !is_slower(instance->moldable->speed[type], instance->moldable->speed[than]);
}

int64_t duet_check_law_time(const duet_instance *instance, size_t kind, size_t type, int64_t size,
                            duet_check_memo *memo)
{
    const duet_law *law = duet_moldable_law(instance, kind, type);
    return law == NULL
               ? 0
               : table_entry(law, instance->moldable->speed[type], instance->decimals, size, memo);
}

// --- redistribution ------------------------------------------------------------------------------

// Ticks for a share of an amount, one part in `parts`, at a rate; 0 where the rate has no limit.
static int64_t raise_share(duet_decimal amount, duet_decimal rate, int64_t parts, int decimals)
{
    if (rate.mantissa == 0) {
        return 0;
    }
    duet_wide num =
        duet_wide_multiply(duet_wide_of((uint64_t)amount.mantissa), power_of_ten(rate.places));
    num = duet_wide_multiply(num, power_of_ten(decimals));
    duet_wide den = duet_wide_multiply(duet_wide_of((uint64_t)rate.mantissa), (uint64_t)parts);
    den = duet_wide_multiply(den, power_of_ten(amount.places));
    return settle(num, den,
                  number(amount) / number(rate) / (long double)parts *
                      (long double)power_of_ten(decimals));
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// Through the links of a set, equal shares.
static int64_t through(const duet_instance *instance, duet_decimal amount, duet_processor_set set)
{
    int64_t size = 0;
    int64_t ticks = 0;
    for (size_t i = 0; i < set.count; i++) {
        size += (int64_t)set.range[i].last - set.range[i].first + 1;
    }
    for (size_t i = 0; i < set.count; i++) {
        duet_decimal bandwidth = instance->moldable->bandwidth[set.range[i].type];
        ticks = later(ticks, raise_share(amount, bandwidth, size, instance->decimals));
    }
    return ticks;
}

int64_t duet_check_move(const duet_instance *instance, int64_t edge, duet_processor_set from,
                        duet_processor_set to)
{
    static const duet_decimal one = {1, 0};
    const duet_moldable *m = instance->moldable;
    if (!m->network || m->amount_of == NULL || m->amount_of[edge] == 0) {
        return 0;
    }
    duet_decimal amount = m->amount[m->amount_of[edge]];
    int64_t ticks = later(through(instance, amount, from), through(instance, amount, to));
    bool inside = true; // one type has all of both sets
    for (size_t i = 0; i < from.count; i++) {
        inside = inside && from.range[i].type == to.range[0].type;
    }
    for (size_t i = 0; i < to.count; i++) {
        inside = inside && to.range[i].type == to.range[0].type;
    }
    if (!inside) {
        ticks = later(ticks, raise_share(amount, m->inter_bandwidth, 1, instance->decimals));
    }
    return ticks + raise_share(inside ? m->read_latency : m->read_inter_latency, one, 1,
                               instance->decimals);
}
