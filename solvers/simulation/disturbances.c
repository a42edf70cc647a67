// SPDX-License-Identifier: Apache-2.0
#include "solvers/simulation/disturbances.h"

#include <inttypes.h>
#include <string.h>

#include "core/number/decimal.h"
#include "core/system/memory.h"
#include "core/system/try.h"

// Instants, so that what follows them has a place in 63 bits.
static const int64_t latest = DUET_MAX_WORK / 4;
static const int64_t most_thousandths = 1000000;

static size_t find_type(const duet_instance *instance, const char *name, size_t length)
{
    size_t type = 0;
    while (type < instance->types && (strlen(instance->type_names[type]) != length ||
                                      memcmp(instance->type_names[type], name, length) != 0)) {
        type++;
    }
    return type;
}

// "gpu:0", which ends at `end`. Types may have colons in their names.
static duet_code read_processor(const duet_instance *instance, const char *text, const char *end,
                                duet_disturbance *out, duet_error *error)
{
    const char *colon = end;
    while (colon > text && *colon != ':') {
        colon--;
    }
    duet_decimal index = {0, 0};
    bool whole =
        colon > text && colon + 1 < end &&
        duet_decimal_parse(colon + 1, (size_t)(end - colon - 1), &index) == DUET_DECIMAL_OK &&
        index.places == 0;
    size_t type = whole ? find_type(instance, text, (size_t)(colon - text)) : instance->types;
    if (type == instance->types || index.mantissa >= instance->processors[type]) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%.*s': expected a processor of the platform such as %s:0, counted "
                              "from 0",
                              (int)(end - text), text, instance->type_names[0]);
    }
    out->type = type;
    out->processor = index.mantissa;
    return DUET_OK;
}

// An instant in units of the instance, rounded to a tick.
static duet_code read_instant(const duet_instance *instance, const char *text, size_t length,
                              int64_t *ticks, duet_error *error)
{
    duet_decimal value;
    duet_decimal_tail tail = DUET_DECIMAL_NO_TAIL;
    duet_uint128 off = 0;
    if (duet_decimal_read(text, length, &value, &tail) != DUET_DECIMAL_OK ||
        !duet_decimal_round(value, tail, instance->decimals, ticks, &off) || *ticks > latest) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%.*s': expected an instant from 0, in units of the instance",
                              (int)length, text);
    }
    return DUET_OK;
}

static duet_code read_factor(const char *text, int64_t *thousandths, duet_error *error)
{
    duet_decimal value;
    enum { places = 3 };
    if (duet_decimal_parse(text, strlen(text), &value) != DUET_DECIMAL_OK ||
        !duet_decimal_scale(value, places, thousandths) || *thousandths < 1 ||
        *thousandths > most_thousandths) {
        return duet_error_set(error, DUET_E_USAGE,
                              "'%.40s': expected how many times longer tasks take, 0.001 to 1000",
                              text);
    }
    return DUET_OK;
}

// "gpu:0@T" where `slow` is false, else "gpu:0@T=2".
static duet_code read_one(const duet_instance *instance, const char *text, bool slow,
                          duet_disturbance *out, duet_error *error)
{
    const char *at = strrchr(text, '@');
    const char *equals = at == NULL || !slow ? NULL : strchr(at, '=');
    if (at == NULL || (slow && equals == NULL)) {
        return duet_error_set(error, DUET_E_USAGE, "expected %s, got '%.60s'",
                              slow ? "TYPE:PROCESSOR@TIME=FACTOR such as gpu:0@10=2"
                                   : "TYPE:PROCESSOR@TIME such as gpu:0@10",
                              text);
    }
    *out = (duet_disturbance){.thousandths = 0};
    size_t length = equals == NULL ? strlen(at + 1) : (size_t)(equals - at - 1);
    duet_code code = read_processor(instance, text, at, out, error);
    DUET_THEN(code, read_instant(instance, at + 1, length, &out->at, error));
    return code == DUET_OK && slow ? read_factor(equals + 1, &out->thousandths, error) : code;
}

// Behind all that come no later.
static void insert(duet_disturbance *list, size_t count, duet_disturbance added)
{
    for (; count > 0 && list[count - 1].at > added.at; count--) {
        list[count] = list[count - 1];
    }
    list[count] = added;
}

static duet_code refuse_twice(const duet_instance *instance, const duet_disturbance *list,
                              size_t count, const duet_disturbance *added, duet_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i].thousandths == 0 && list[i].type == added->type &&
            list[i].processor == added->processor) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "processor %s:%" PRId64 " goes twice: expected once",
                                  instance->type_names[added->type], added->processor);
        }
    }
    return DUET_OK;
}

duet_code duet_read_disturbances(const duet_instance *instance, const duet_simulation_desc *desc,
                                 duet_disturbance **out, size_t *count, duet_error *error)
{
    *count = 0;
    *out = duet_alloc(desc->slows + desc->fails, sizeof **out, error);
    DUET_TRY(*out == NULL ? DUET_E_MEMORY : DUET_OK);
    for (size_t i = 0; i < desc->slows + desc->fails; i++) {
        bool slow = i < desc->slows;
        duet_disturbance added = {.thousandths = 0};
        DUET_TRY(read_one(instance, slow ? desc->slow[i] : desc->fail[i - desc->slows], slow,
                          &added, error));
        if (!slow) {
            DUET_TRY(refuse_twice(instance, *out, *count, &added, error));
        }
        insert(*out, (*count)++, added);
    }
    return DUET_OK;
}
