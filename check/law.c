// SPDX-License-Identifier: Apache-2.0
#include "check/law.h"

#include "core/number/minmax.h"
#include "core/number/wide.h"

static duet_uint128 power_of_ten(int exponent)
{
    duet_uint128 power = 1;
    for (int i = 0; i < exponent; i++) {
        power *= 10;
    }
    return power;
}

enum { ENTRY = 256 }; // units of work of an entry of a law's table

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

// --- laws ----------------------------------------------------------------------------------------

static bool fits(duet_wide value, duet_uint128 limit)
{
    return duet_wide_compare(value, duet_wide_of(limit)) < 0;
}

// On p processors the law takes (alpha p + all - alpha) scale / (p unit) ticks.
duet_check_law duet_check_law_on(const duet_law *law, duet_decimal speed, int decimals)
{
    duet_check_law made = {.all = power_of_ten(law->alpha.places),
                           .alpha = (uint64_t)law->alpha.mantissa,
                           .sequential = number(law->alpha)};
    made.scale =
        duet_wide_multiply(duet_wide_of((uint64_t)law->work.mantissa), power_of_ten(speed.places));
    made.scale = duet_wide_multiply(made.scale, power_of_ten(decimals));
    made.unit = duet_wide_multiply(duet_wide_of(made.all), (uint64_t)speed.mantissa);
    made.unit = duet_wide_multiply(made.unit, power_of_ten(law->work.places));
    made.ticks = number(law->work) / number(speed) * (long double)power_of_ten(decimals);

    duet_wide rest;
    duet_wide shared = duet_wide_multiply(made.scale, made.all - made.alpha);
    made.shared = duet_wide_divide(shared, made.unit, &rest); // rounded down, below 2^62

    // What is above and below the line fits into 128 bits on up to 2^31 processors.
    static const duet_uint128 limit = (duet_uint128)1 << 95;
    made.narrow = fits(duet_wide_multiply(made.scale, made.all), limit) && fits(made.unit, limit);
    made.narrow_scale = (duet_uint128)made.scale.limb[1] << 64 | made.scale.limb[0];
    made.narrow_unit = (duet_uint128)made.unit.limb[1] << 64 | made.unit.limb[0];
    return made;
}

// Rounded up.
int64_t duet_check_law_ticks(const duet_check_law *law, int64_t p)
{
    duet_uint128 parts = law->alpha * (uint64_t)p + (law->all - law->alpha);
    if (law->narrow) {
        duet_uint128 num = parts * law->narrow_scale;
        duet_uint128 den = law->narrow_unit * (uint64_t)p;
        return (int64_t)((num + den - 1) / den);
    }
    long double share = law->sequential + (1 - law->sequential) / (long double)p;
    return settle(duet_wide_multiply(law->scale, parts), duet_wide_multiply(law->unit, (uint64_t)p),
                  share * law->ticks);
}

// The table is the least one at or above the law that never increases and whose areas never
// decrease.
int64_t duet_check_law_next(const duet_check_law *law, int64_t p, int64_t before)
{
    duet_uint128 area = (duet_uint128)(uint64_t)before * (uint64_t)(p - 1);
    int64_t at_least = (int64_t)((area + (uint64_t)p - 1) / (uint64_t)p);
    int64_t ticks = duet_check_law_ticks(law, p);
    return duet_max(at_least, ticks);
}

// Once an entry is at most its size p, none is smaller: (p t)/(p + 1) rounded up is t. Once it is
// the law's own, rounded up, and the law falls by at most a tick per processor from there on, the
// next is the law's as well, while it is above its size: an entry t > p may fall by a tick.
bool duet_check_law_is_plain(const duet_check_law *law, int64_t p, int64_t ticks)
{
    return ticks <= p || (law->shared < (duet_uint128)(uint64_t)p * (uint64_t)(p + 1) &&
                          ticks == duet_check_law_ticks(law, p));
}

int64_t duet_check_law_below(const duet_check_law *law, int64_t p, int64_t ticks, int64_t last)
{
    int64_t high = p; // the first power of two beyond p, in steps, that is short enough
    int64_t low = p;
    for (int64_t stride = 1; high < last; stride *= 2) {
        high = stride < last - low ? low + stride : last;
        if (duet_check_law_ticks(law, high) < ticks) {
            break;
        }
        low = high;
    }
    if (low == last) {
        return last + 1;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        bool below = duet_check_law_ticks(law, middle) < ticks;
        high = below ? middle : high;
        low = below ? low : middle;
    }
    return high;
}

// The entry of a size that is beyond p, from where on the table is plain.
static int64_t plain_entry(const duet_check_law *law, int64_t p, int64_t ticks, int64_t size)
{
    if (ticks <= p) {
        return ticks;
    }
    int64_t own = duet_check_law_ticks(law, size);
    if (own >= size) {
        return own;
    }
    int64_t low = p; // the law is above its size; at `size` it is not
    int64_t high = size;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        bool above = duet_check_law_ticks(law, middle) > middle;
        low = above ? middle : low;
        high = above ? high : middle;
    }
    return duet_check_law_ticks(law, high);
}

static int64_t table_entry(const duet_law *law, duet_decimal speed, int decimals, int64_t size,
                           duet_check_memo *memo)
{
    bool known = memo->law == law && memo->size == size && memo->speed.mantissa == speed.mantissa &&
                 memo->speed.places == speed.places;
    if (known) {
        return memo->ticks;
    }
    duet_check_law on = duet_check_law_on(law, speed, decimals);
    int64_t p = 1;
    int64_t ticks = duet_check_law_next(&on, 1, 0);
    while (p < size && !duet_check_law_is_plain(&on, p, ticks) &&
           !duet_watch_spend(memo->watch, ENTRY)) {
        p++;
        ticks = duet_check_law_next(&on, p, ticks);
    }
    ticks = p < size ? plain_entry(&on, p, ticks, size) : ticks;
    *memo = (duet_check_memo){law, speed, size, ticks, memo->watch};
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
    return size <= table->length ? m->given_time[table->given_at + (size_t)(size - 1)]
                                 : DUET_FORBIDDEN;
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

// With mixed sets: whether a kind may run on a type, which has processors, and the type is no
// slower than another one.
static bool is_at_least_as_fast(const duet_instance *instance, size_t kind, size_t type,
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
        ticks = duet_max(ticks, raise_share(amount, bandwidth, size, instance->decimals));
    }
    return ticks;
}

int64_t duet_check_move(const duet_instance *instance, int64_t edge, duet_processor_set from,
                        duet_processor_set to)
{
    static const duet_decimal one = {1, 0};
    const duet_moldable *m = instance->moldable;
    if (m->cost_of != NULL) { // by types, which have all of each set
        size_t table = m->cost_of[edge];
        return m->cost[(table * m->types + (size_t)from.range[0].type) * m->types +
                       (size_t)to.range[0].type];
    }
    if (!m->network || m->amount_of == NULL || m->amount_of[edge] == 0) {
        return 0;
    }
    duet_decimal amount = m->amount[m->amount_of[edge]];
    int64_t ticks = duet_max(through(instance, amount, from), through(instance, amount, to));
    bool inside = true; // one type has all of both sets
    for (size_t i = 0; i < from.count; i++) {
        inside = inside && from.range[i].type == to.range[0].type;
    }
    for (size_t i = 0; i < to.count; i++) {
        inside = inside && to.range[i].type == to.range[0].type;
    }
    if (!inside) {
        ticks = duet_max(ticks, raise_share(amount, m->inter_bandwidth, 1, instance->decimals));
    }
    return ticks + raise_share(inside ? m->read_latency : m->read_inter_latency, one, 1,
                               instance->decimals);
}

int64_t duet_check_best_mix(const duet_instance *instance, size_t kind, duet_watch *watch)
{
    duet_check_memo memo = {.watch = watch};
    int64_t best = DUET_FORBIDDEN;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t size = 0;
        if (!duet_allowed(instance, kind, t)) {
            continue;
        }
        for (size_t u = 0; u < instance->types; u++) {
            size += is_at_least_as_fast(instance, kind, u, t) ? instance->processors[u] : 0;
        }
        int64_t time = duet_check_law_time(instance, kind, t, size, &memo);
        best = duet_min(time, best);
    }
    return best;
}
