// SPDX-License-Identifier: Apache-2.0
#include "console/price.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/unit.h"
#include "core/number/decimal.h"
#include "core/number/minmax.h"
#include "core/system/try.h"

size_t duet_cli_find_type(const duet_instance *instance, const char *text, size_t length)
{
    size_t types = duet_instance_types(instance);
    for (size_t t = 0; t < types; t++) {
        const char *name = duet_instance_type_name(instance, t);
        if (strlen(name) == length && strncmp(name, text, length) == 0) {
            return t;
        }
    }
    return types;
}

static duet_code read_each(const char *text, const duet_instance *instance,
                           duet_decimal value[DUET_MAX_TYPES], bool given[DUET_MAX_TYPES],
                           duet_error *error)
{
    size_t types = duet_instance_types(instance);
    for (const char *at = text; *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, "=,");
        size_t type = duet_cli_find_type(instance, at, length);
        const char *number = at + length + (at[length] == '=');
        size_t digits = strcspn(number, ",");
        if (type == types || at[length] != '=' || given[type] ||
            duet_decimal_parse(number, digits, &value[type]) != DUET_DECIMAL_OK) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--price: expected each type once with its price per hour, "
                                  "TYPE=PRICE,..., got '%.60s'",
                                  at);
        }
        given[type] = true;
        at = number + digits;
    }
    for (size_t t = 0; t < types; t++) {
        if (!given[t]) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--price: expected the price of type %.60s, too",
                                  duet_instance_type_name(instance, t));
        }
    }
    return DUET_OK;
}

duet_code duet_cli_read_price(const char *text, const duet_instance *instance,
                              duet_cli_price *price, duet_error *error)
{
    duet_decimal value[DUET_MAX_TYPES];
    bool given[DUET_MAX_TYPES] = {false};
    *price = (duet_cli_price){.given = text != NULL};
    if (text == NULL) {
        return DUET_OK;
    }
    DUET_TRY(read_each(text, instance, value, given, error));
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        price->decimals = duet_max(value[t].places, price->decimals);
    }
    for (size_t t = 0; t < duet_instance_types(instance); t++) {
        static const int64_t most = INT64_C(1) << 31; // with the most processors below 2^62
        if (!duet_decimal_scale(value[t], price->decimals, &price->each[t]) ||
            price->each[t] >= most) {
            return duet_error_set(error, DUET_E_USAGE,
                                  "--price: the prices differ too much: expected fewer digits");
        }
    }
    return DUET_OK;
}

static int64_t sum_of(const duet_cli_price *price, size_t types, const int64_t *counts)
{
    duet_int128 sum = 0;
    for (size_t t = 0; t < types; t++) {
        sum += (duet_int128)counts[t] * price->each[t];
    }
    return sum < INT64_MAX ? (int64_t)sum : INT64_MAX;
}

char *duet_cli_price_text(const duet_cli_price *price, size_t types, const int64_t *counts,
                          char buffer[DUET_CLI_PRICE])
{
    buffer[0] = '\0';
    if (price->given) {
        duet_decimal_format(sum_of(price, types, counts), price->decimals, buffer);
    }
    return buffer;
}

char *duet_cli_run_price_text(const duet_cli_price *price, const duet_instance *instance,
                              const int64_t *counts, int64_t ticks, char buffer[DUET_CLI_PRICE])
{
    static const double hour = 3600;
    duet_unit unit;
    buffer[0] = '\0';
    if (price->given && duet_unit_find(duet_instance_time_unit(instance), &unit)) {
        double seconds = (double)ticks * pow(10, -duet_instance_decimals(instance)) * unit.factor *
                         pow(10, unit.exponent - 6);
        double cost = (double)sum_of(price, duet_instance_types(instance), counts) *
                      pow(10, -price->decimals) * seconds / hour;
        snprintf(buffer, DUET_CLI_PRICE, cost >= 1 ? "%.2f" : "%.4g", cost);
    }
    return buffer;
}
