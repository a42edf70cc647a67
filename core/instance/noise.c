// SPDX-License-Identifier: Apache-2.0
#include "core/instance/noise.h"

#include <inttypes.h>
#include <string.h>

#include "core/instance/groups.h"
#include "core/number/decimal.h"
#include "core/number/fixed.h"
#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "core/system/try.h"

enum { DECIMALS = 9 };
enum { TASK = 16, DRAW = 256 }; // units of work of a task, and of one of its factors
static const int64_t billion = 1000000000;
// Sizes up to 3, factors of kinds up to a million.
static const int64_t most_size = 3000000000;
static const int64_t least_gamma = 1000000; // below, its shape has no place in a duet_fixed
static const int64_t most_factor = INT64_C(1000000) * 1000000000;
// A drawn factor has to leave room for others in 128 bits.
static const int64_t most_product = INT64_C(1) << 60;

// --- reading -------------------------------------------------------------------------------------

// A decimal in billionths.
static bool read_billionths(const char *text, size_t length, int64_t most, int64_t *value)
{
    duet_decimal decimal;
    return duet_decimal_parse(text, length, &decimal) == DUET_DECIMAL_OK &&
           duet_decimal_scale(decimal, DECIMALS, value) && *value <= most;
}

static bool is_kind(const duet_instance *instance, size_t kind, const char *name, size_t length)
{
    const char *id = duet_instance_kind_id(instance, kind);
    return strncmp(id, name, length) == 0 && id[length] == '\0';
}

// Gives all kinds of that name, or of that group, a factor; returns how many there are.
static size_t set_factor(const duet_instance *instance, const char *name, size_t length, bool group,
                         int64_t value, int64_t *factor)
{
    size_t found = 0;
    for (size_t kind = 0; kind < instance->kinds; kind++) {
        if (group ? duet_group_has(instance, kind, name, length)
                  : is_kind(instance, kind, name, length)) {
            factor[kind] = value;
            found++;
        }
    }
    return found;
}

// Where an item of a list ends: at a comma that is not within double quotes.
static const char *item_end(const char *text)
{
    bool quoted = false;
    while (*text != '\0' && (quoted || *text != ',')) {
        quoted ^= *text == '"';
        text++;
    }
    return text;
}

// A name as it stands or, where commas are in it, in double quotes, of which two within stand for
// one. Returns its length; `room` has at least `length` bytes.
static size_t take_quotes(const char *text, size_t length, char *room)
{
    bool quoted = length > 1 && text[0] == '"' && text[length - 1] == '"';
    size_t used = 0;
    for (size_t i = quoted; i < length - quoted; i++) {
        room[used++] = text[i];
        i += quoted && text[i] == '"' && text[i + 1] == '"';
    }
    return used;
}

// "potrf=1.3", the part of a list that ends at `end`.
static duet_code read_factor(const duet_instance *instance, const char *text, const char *end,
                             bool group, int64_t *factor, duet_error *error)
{
    const char *what = group ? "group" : "kind";
    const char *equals = end;
    while (equals > text && *equals != '=') {
        equals--;
    }
    int64_t value = 0;
    int length = (int)(end - text);
    if (equals == text || equals == end ||
        !read_billionths(equals + 1, (size_t)(end - equals - 1), most_factor, &value) ||
        value == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "noise '%s': expected NAME=FACTOR with a factor above 0, at most a "
                              "million, got '%.*s'",
                              what, length, text);
    }
    char *name = duet_alloc_raw((size_t)(equals - text), 1, error);
    DUET_NEED(name);
    size_t bytes = take_quotes(text, (size_t)(equals - text), name);
    size_t found = set_factor(instance, name, bytes, group, value, factor);
    found = found > 0 ? found
                      : set_factor(instance, text, (size_t)(equals - text), group, value, factor);
    bool other = found == 0 && !group && set_factor(instance, name, bytes, true, value, factor) > 0;
    duet_free(name);
    if (found == 0) {
        return duet_error_set(error, DUET_E_USAGE,
                              "noise '%s': the instance has no %s '%.*s'; %s'duet show FILE' "
                              "lists its kinds",
                              what, what, (int)(equals - text), text,
                              other ? "expected group: for all ids that begin so; " : "");
    }
    return DUET_OK;
}

static duet_code read_factors(const duet_instance *instance, const char *text, duet_noise *noise,
                              duet_error *error)
{
    noise->factor = duet_alloc_raw(instance->kinds, sizeof *noise->factor, error);
    DUET_NEED(noise->factor);
    for (size_t i = 0; i < instance->kinds; i++) {
        noise->factor[i] = billion;
    }
    duet_code code = DUET_OK;
    const char *end = text;
    while (code == DUET_OK) {
        end = item_end(text);
        code =
            read_factor(instance, text, end, noise->form == DUET_NOISE_GROUP, noise->factor, error);
        if (*end == '\0') {
            break;
        }
        text = end + 1;
    }
    return code;
}

static duet_code read_size(const char *text, duet_noise *noise, duet_error *error)
{
    int64_t most = noise->form == DUET_NOISE_UNIFORM ? billion : most_size;
    bool known = read_billionths(text, strlen(text), most, &noise->size);
    if (known && noise->form == DUET_NOISE_GAMMA && noise->size > 0 && noise->size < least_gamma) {
        known = false;
    }
    if (known) {
        return DUET_OK;
    }
    static const char *const expected[] = {"0 to 3", "0, or 0.001 to 3", "0 to 1"};
    return duet_error_set(error, DUET_E_USAGE,
                          "a size of noise: expected a number of %s, got '%.40s'",
                          expected[noise->form], text);
}

duet_code duet_noises_add(duet_noises *noises, const duet_instance *instance, const char *text,
                          duet_error *error)
{
    static const char *const names[] = {"lognormal", "gamma", "uniform", "kind", "group"};
    if (strcmp(text, "none") == 0) {
        return DUET_OK;
    }
    size_t length = strcspn(text, ":");
    size_t form = 0;
    while (form < sizeof names / sizeof *names &&
           (strlen(names[form]) != length || memcmp(names[form], text, length) != 0)) {
        form++;
    }
    if (form == sizeof names / sizeof *names || text[length] == '\0') {
        return duet_error_set(error, DUET_E_USAGE,
                              "noise: expected none, lognormal:S, gamma:S, uniform:A, "
                              "kind:KIND=FACTOR,... or group:NAME=FACTOR,..., as in lognormal:0.2, "
                              "got '%.60s'",
                              text);
    }
    if (noises->count == DUET_MOST_NOISES) {
        return duet_error_set(error, DUET_E_USAGE, "noise: expected at most %d of them",
                              DUET_MOST_NOISES);
    }
    duet_noise *noise = &noises->noise[noises->count++];
    *noise = (duet_noise){.form = (duet_noise_form)form};
    bool given = noise->form == DUET_NOISE_KIND || noise->form == DUET_NOISE_GROUP;
    return given ? read_factors(instance, text + length + 1, noise, error)
                 : read_size(text + length + 1, noise, error);
}

void duet_noises_free(duet_noises *noises)
{
    for (size_t i = 0; i < noises->count; i++) {
        duet_free(noises->noise[i].factor);
    }
    *noises = (duet_noises){.count = 0};
}

// --- factors -------------------------------------------------------------------------------------

static duet_fixed in_fixed(int64_t billionths)
{
    return (duet_fixed)(((duet_int128)billionths << 32) / billion);
}

static int64_t in_billionths(duet_fixed factor)
{
    return (int64_t)(((duet_int128)factor * billion + (DUET_FIXED_ONE >> 1)) >> 32);
}

static duet_fixed draw_lognormal(duet_fixed s, duet_random *random)
{
    duet_fixed z = duet_fixed_polar_normal(random);
    return duet_fixed_exp(duet_fixed_times(s, z) - duet_fixed_times(s, s) / 2);
}

// Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26(3), 2000: the
// shape is at least 1.
static duet_fixed draw_shape(duet_fixed shape, duet_random *random)
{
    duet_fixed d = shape - DUET_FIXED_ONE / 3;
    duet_fixed root = 3 * duet_fixed_sqrt(d);
    for (;;) {
        duet_fixed x = duet_fixed_polar_normal(random);
        duet_fixed base = DUET_FIXED_ONE + duet_fixed_over(x, root);
        if (base <= 0) {
            continue;
        }
        duet_fixed cube = duet_fixed_times(duet_fixed_times(base, base), base);
        duet_fixed u = duet_fixed_uniform(random, 1, DUET_FIXED_ONE);
        duet_fixed most = duet_fixed_times(x, x) / 2;
        if (cube > 0) {
            most += duet_fixed_times(d, DUET_FIXED_ONE - cube + duet_fixed_log(cube));
        }
        if (cube > 0 && duet_fixed_log(u) < most) {
            return duet_fixed_times(d, cube);
        }
    }
}

// Mean 1 and standard deviation s: shape 1 / s^2. A shape below 1 is that above it times a power of
// a uniform number.
static duet_fixed draw_gamma(duet_fixed s, duet_random *random)
{
    duet_fixed square = duet_fixed_times(s, s);
    duet_fixed shape = duet_fixed_over(DUET_FIXED_ONE, square);
    if (shape >= DUET_FIXED_ONE) {
        return duet_fixed_over(draw_shape(shape, random), shape);
    }
    duet_fixed drawn = duet_fixed_over(draw_shape(shape + DUET_FIXED_ONE, random), shape);
    duet_fixed u = duet_fixed_uniform(random, 1, DUET_FIXED_ONE);
    return duet_fixed_times(drawn, duet_fixed_exp2(duet_fixed_times(duet_fixed_log2(u), square)));
}

// Every noise of every task draws its own numbers, whatever the others draw.
static void seed_task(duet_random *random, uint64_t seed, uint64_t run, uint64_t task, size_t noise)
{
    const uint64_t words[] = {run, task, noise};
    duet_random_seed(random, seed);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        duet_random_seed(random, duet_random_next(random) ^ words[i]);
    }
}

static int64_t draw(const duet_noise *noise, size_t kind, duet_random *random)
{
    duet_fixed s = in_fixed(noise->size);
    if (noise->form == DUET_NOISE_KIND || noise->form == DUET_NOISE_GROUP) {
        return noise->factor[kind];
    }
    if (noise->size == 0) {
        return billion;
    }
    switch (noise->form) {
    case DUET_NOISE_LOGNORMAL:
        return in_billionths(draw_lognormal(s, random));
    case DUET_NOISE_GAMMA:
        return in_billionths(draw_gamma(s, random));
    default:
        return in_billionths(duet_fixed_uniform(random, DUET_FIXED_ONE - s, DUET_FIXED_ONE + s));
    }
}

// The product of all factors of a task, in billionths; rounded, but for a single one.
static int64_t factor_of(const duet_noises *noises, size_t kind, uint64_t seed, uint64_t run,
                         int64_t task)
{
    duet_int128 product = billion;
    for (size_t i = 0; i < noises->count; i++) {
        duet_random random;
        seed_task(&random, seed, run, (uint64_t)task, i);
        product = (product * draw(&noises->noise[i], kind, &random) + billion / 2) / billion;
        product = duet_min(product, most_product);
    }
    return (int64_t)product;
}

// --- times ---------------------------------------------------------------------------------------

// At most DUET_MAX_WORK + 1.
static int64_t real_time(int64_t planned, int64_t factor)
{
    if (planned == 0) {
        return 0;
    }
    duet_int128 time = ((duet_int128)planned * factor + billion / 2) / billion;
    time = duet_max(time, 1);
    return time > DUET_MAX_WORK ? DUET_MAX_WORK + 1 : (int64_t)time;
}

// Sets a task's times and returns the longest of them.
static int64_t set_task(const duet_instance *instance, size_t kind, int64_t factor, int64_t *real)
{
    int64_t longest = 0;
    for (size_t t = 0; t < instance->types; t++) {
        int64_t planned = duet_time(instance, kind, t);
        real[t] = planned == DUET_FORBIDDEN ? planned : real_time(planned, factor);
        longest = planned != DUET_FORBIDDEN && real[t] > longest ? real[t] : longest;
    }
    return longest;
}

duet_code duet_noises_apply(const duet_noises *noises, const duet_instance *instance, uint64_t seed,
                            uint64_t run, int64_t most, int64_t *real, duet_watch *watch,
                            duet_error *error)
{
    duet_int128 sum = 0;
    for (size_t i = 0; i < instance->kinds; i++) {
        for (int64_t j = instance->first[i]; j < instance->first[i + 1]; j++) {
            if (duet_watch_spend(watch, TASK + DRAW * (int64_t)noises->count)) {
                return duet_watch_code(watch, error);
            }
            int64_t factor = factor_of(noises, i, seed, run, j);
            sum += set_task(instance, i, factor, real + (size_t)j * instance->types);
        }
    }
    if (sum > most) {
        return duet_error_set(error, DUET_E_LIMIT,
                              "run %" PRIu64 ": the real times exceed %" PRId64
                              " ticks in sum; expected less noise, or times with fewer digits",
                              run, most);
    }
    return DUET_OK;
}
