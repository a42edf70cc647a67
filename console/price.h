// SPDX-License-Identifier: Apache-2.0
// Prices of processors per hour, as users give them: --price cpu=0.04,gpu=2.5. The price of a
// platform is the sum over its processors; that of a run is the same for as long as it takes.
#ifndef DUET_CONSOLE_PRICE_H
#define DUET_CONSOLE_PRICE_H

#include <duet/error.h>
#include <duet/instance.h>

// Exact: units of 10^-decimals.
typedef struct duet_cli_price {
    bool given;
    int decimals;
    int64_t each[DUET_MAX_TYPES];
} duet_cli_price;

// The type whose name is the first `length` letters of a text; the number of types: there is none.
size_t duet_cli_find_type(const duet_instance *instance, const char *text, size_t length);

// The price of a processor of every type of an instance, which `text` names each once; NULL: there
// is none. DUET_E_USAGE.
duet_code duet_cli_read_price(const char *text, const duet_instance *instance,
                              duet_cli_price *price, duet_error *error);

// The price of a platform per hour as a number, of counts by type, into `buffer`; returns it. ""
// where there are no prices.
enum { DUET_CLI_PRICE = 40 };
char *duet_cli_price_text(const duet_cli_price *price, size_t types, const int64_t *counts,
                          char buffer[DUET_CLI_PRICE]);
// The price of `ticks` ticks on it, rounded to cents or four digits. "" also where the length of
// the instance's unit is not known.
char *duet_cli_run_price_text(const duet_cli_price *price, const duet_instance *instance,
                              const int64_t *counts, int64_t ticks, char buffer[DUET_CLI_PRICE]);

#endif
