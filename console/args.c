// SPDX-License-Identifier: Apache-2.0
#include "console/args.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "console/plugin.h"
#include "core/number/minmax.h"
#include "core/system/context.h"
#include "core/system/memory.h"

void duet_cli_args_free(duet_cli_args *args)
{
    duet_options_free(args->options);
    duet_options_free(args->reading);
    duet_free(args->files);
    duet_free(args->platform);
    duet_free(args->busy);
    duet_free(args->without);
    args->options = NULL;
    args->reading = NULL;
    args->files = NULL;
    args->platform = NULL;
    args->busy = NULL;
    args->without = NULL;
    duet_memory_end(&args->scope);
}

duet_params duet_cli_params(const duet_cli_args *args)
{
    duet_params params = DUET_PARAMS_INIT;
    params.time_limit = args->seconds;
    params.threads = args->threads;
    params.memory_limit = args->memory;
    params.seed = args->seed;
    params.options = args->options;
    params.registry = duet_cli_plugins();
    params.deadline = args->due.ticks;
    return params;
}

duet_params duet_cli_params_left(const duet_cli_args *args)
{
    static const double nothing = 1e-9; // of a limit: 0 would be none
    duet_params params = duet_cli_params(args);
    if (args->seconds > 0) {
        double left = args->seconds - (double)(duet_clock_ns() - args->began_ns) * 1e-9;
        params.time_limit = duet_max(left, nothing);
    }
    return params;
}

bool duet_cli_usage(duet_cli_args *args, const char *format, ...)
{
    char text[sizeof args->error.message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    duet_error_set(&args->error, DUET_E_USAGE, "%s", text);
    return false;
}

bool duet_cli_whole(duet_cli_args *args, const char *option, const char *text, uint64_t minimum,
                    uint64_t maximum, uint64_t *value)
{
    char *end = NULL;
    errno = 0;
    unsigned long long number = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    if (end == NULL || *end != '\0' || errno != 0 || number < minimum || number > maximum) {
        return duet_cli_usage(args, "%s: expected a whole number from %llu to %llu, got '%s'",
                              option, (unsigned long long)minimum, (unsigned long long)maximum,
                              text);
    }
    *value = number;
    return true;
}

bool duet_cli_take_setting(duet_cli_args *args, const char *text)
{
    if (args->options == NULL && duet_options_create(&args->options, &args->error) != DUET_OK) {
        return false;
    }
    return duet_options_add(args->options, text, &args->error) == DUET_OK;
}
