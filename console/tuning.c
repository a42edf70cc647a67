// SPDX-License-Identifier: Apache-2.0
// Constants of the searches as arguments, for whoever measures them.
#include "console/tuning.h"

#include <stdio.h>
#include <string.h>

#include "console/print.h"

static const char option[] = "--tuning";

#ifdef DUET_TUNING

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "core/system/tuned.h"

static const duet_tuned_constant *find(const char *name, size_t length)
{
    for (const duet_tuned_constant *c = duet_tuned_constants; c->name != NULL; c++) {
        if (strlen(c->name) == length && memcmp(c->name, name, length) == 0) {
            return c;
        }
    }
    return NULL;
}

// The constants that begin with what was written, or with DUET_ where nothing does.
static void print_near(const char *name, size_t length)
{
    for (const duet_tuned_constant *c = duet_tuned_constants; c->name != NULL; c++) {
        if (strncmp(c->name, name, length) == 0) {
            duet_cli_print(stderr, " %s", c->name);
        }
    }
    fprintf(stderr, "\n");
}

// Code relies on the sign of a constant: what is positive stays so.
static bool set_real(double *variable, const char *value)
{
    char *end = NULL;
    double read = strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(read) || (read > 0) != (*variable > 0)) {
        return false;
    }
    *variable = read;
    return true;
}

static bool read_whole(int64_t today, const char *value, int64_t *read)
{
    char *end = NULL;
    errno = 0;
    *read = strtoll(value, &end, 0);
    return end != value && *end == '\0' && errno == 0 && (*read > 0) == (today > 0);
}

static bool set(const duet_tuned_constant *c, const char *value)
{
    if (c->kind == DUET_TUNED_REAL) {
        return set_real(c->variable, value);
    }
    int64_t read = 0;
    if (c->kind == DUET_TUNED_LONG) {
        int64_t *variable = c->variable;
        bool fits = read_whole(*variable, value, &read);
        *variable = fits ? read : *variable;
        return fits;
    }
    int *variable = c->variable;
    bool fits = read_whole(*variable, value, &read) && read >= INT_MIN && read <= INT_MAX;
    *variable = fits ? (int)read : *variable;
    return fits;
}

static bool tune(const char *text)
{
    const char *equals = strchr(text, '=');
    size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
    const duet_tuned_constant *c = find(text, length);
    if (c == NULL || equals == NULL) {
        duet_cli_print(stderr, "duet: %s '%s': expected NAME=VALUE, NAME one of", option, text);
        print_near(text, length);
        return false;
    }
    if (!set(c, equals + 1)) {
        duet_cli_print(stderr, "duet: %s '%s': expected a %s of the same sign as in its tuning.h\n",
                       option, text, c->kind == DUET_TUNED_REAL ? "number" : "whole number");
        return false;
    }
    return true;
}

#else

static bool tune(const char *text)
{
    duet_cli_print(stderr,
                   "duet: %s '%s': the constants of this build cannot change: expected a "
                   "debug build (cmake --preset debug, or -DDUET_TUNING=ON)\n",
                   option, text);
    return false;
}

#endif

// The value of an option at `i`, as `--tuning VALUE` or `--tuning=VALUE`; NULL where it is another.
static const char *value_at(int argc, char **argv, int i, int *taken)
{
    size_t length = strlen(option);
    if (strncmp(argv[i], option, length) != 0) {
        return NULL;
    }
    *taken = argv[i][length] == '=' ? 1 : 2;
    if (*taken == 1) {
        return argv[i] + length + 1;
    }
    return argv[i][length] != '\0' ? NULL : i + 1 < argc ? argv[i + 1] : "";
}

bool duet_cli_tune(int *argc, char **argv)
{
    int kept = 0;
    int taken = 1;
    bool fine = true;
    for (int i = 0; i < *argc && fine; i += taken) {
        taken = 1;
        const char *value = value_at(*argc, argv, i, &taken);
        if (value == NULL) {
            taken = 1;
            argv[kept++] = argv[i];
        } else {
            fine = tune(value);
        }
    }
    *argc = kept;
    return fine;
}
