// SPDX-License-Identifier: Apache-2.0
#include "starpu/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const char *name, const char *fallback)
{
    const char *text = getenv(name);
    return text == NULL || text[0] == '\0' ? fallback : text;
}

static bool flag_of(const char *name, bool fallback)
{
    return strcmp(text_of(name, fallback ? "1" : "0"), "0") != 0;
}

static double number_of(const char *name, double fallback, double least)
{
    const char *text = text_of(name, NULL);
    if (text == NULL) {
        return fallback;
    }
    char *end;
    double value = strtod(text, &end);
    if (*end != '\0' || !(value >= least)) {
        fprintf(stderr, "duet: %s=%s: expected a number of at least %g, so it is %g\n", name, text,
                least, fallback);
        return fallback;
    }
    return value;
}

duet_starpu_settings duet_starpu_read_settings(void)
{
    const char *order = text_of("DUET_ORDER", "strict");
    if (strcmp(order, "strict") != 0 && strcmp(order, "ready") != 0) {
        fprintf(stderr, "duet: DUET_ORDER=%s: expected strict or ready, so it is strict\n", order);
    }
    unsigned end = flag_of("DUET_SILENT", false) ? 0 : DUET_STARPU_SAYS_END;
    unsigned plans = flag_of("DUET_VERBOSE", false) ? DUET_STARPU_SAYS_PLANS : 0;
    return (duet_starpu_settings){.base = text_of("DUET_BASE", "dmdas"),
                                  .algorithms =
                                      text_of("DUET_ALGORITHMS", "hoft,heft-min,peft,graph-search"),
                                  .seconds = number_of("DUET_TIME", 0.8, 0),
                                  .depart = number_of("DUET_DEPART", 0.25, 0),
                                  .batch = (long)number_of("DUET_BATCH", 1000, 1),
                                  .strict = strcmp(order, "ready") != 0,
                                  .prefetch = flag_of("DUET_PREFETCH", true),
                                  .relocate = flag_of("DUET_RELOCATE", true),
                                  .says = end | plans};
}
