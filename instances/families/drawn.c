// SPDX-License-Identifier: Apache-2.0
#include "instances/families/drawn.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/number/fixed.h"
#include "core/number/minmax.h"

duet_random duet_drawn_stream(const duet_family_request *request, uint64_t choice)
{
    duet_random random;
    duet_random_seed(&random, request->seed ^ (1 + choice) * UINT64_C(0xd1342543de82ef95));
    return random;
}

int64_t duet_drawn_magnitude(duet_random *random, int64_t low, int64_t high)
{
    duet_fixed drawn = duet_fixed_log_uniform(random, duet_fixed_log2(low * DUET_FIXED_ONE),
                                              duet_fixed_log2((high + 1) * DUET_FIXED_ONE));
    int64_t whole = drawn / DUET_FIXED_ONE;
    return whole < low ? low : duet_min(whole, high);
}

int64_t duet_drawn_tasks(const duet_family_request *request, duet_random *random)
{
    int64_t drawn = duet_drawn_magnitude(random, duet_family_integer(request, "n-min"),
                                         duet_family_integer(request, "n-max"));
    return request->n > 0 ? request->n : drawn;
}

int duet_drawn_word(const duet_family_request *request, const char *option, duet_random *random,
                    int count)
{
    int drawn = (int)duet_random_between(random, 0, count - 1);
    int given = duet_option_choice(request->options, request->table, option);
    return given == 0 ? drawn : given - 1;
}

void duet_drawn_add_words(char *name, size_t size, const char *format, ...)
{
    size_t used = strlen(name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name + used, size - used, format, arguments);
    va_end(arguments);
}
