// SPDX-License-Identifier: Apache-2.0
// Types that are priced one after the other or beside each other: each once, and none that has not
// begun when the context stops it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <duet/params.h>

#include "core/system/tasks.h"
#include "lp/configuration/configuration_state.h"

enum { TYPES = 6 };

// The jobs note in the limits how often each type is priced.
static duet_code note(duet_configuration *c, pricing_desk *desk, size_t type, double scale,
                      duet_error *error)
{
    (void)scale;
    (void)error;
    c->trial.limit[type]++;
    desk->unknown = type == TYPES - 1;
    return DUET_OK;
}

// A program with nothing but types: the first has no processors, and the second is divisible.
typedef struct types {
    duet_configuration c;
    duet_residual state;
    duet_classes classes;
    int64_t processors[TYPES];
    bool divisible[TYPES];
    int64_t limit[TYPES];
    duet_desk_job *job;
    duet_cancel *cancel;
    duet_code code;
} types;

static duet_code note_and_cancel(duet_configuration *c, pricing_desk *desk, size_t type,
                                 double scale, duet_error *error)
{
    duet_cancel_request(((types *)c)->cancel);
    return note(c, desk, type, scale, error);
}

static void begin(types *all, duet_desk_job *job)
{
    *all = (types){.divisible = {false, true}, .job = job};
    for (size_t t = 0; t < TYPES; t++) {
        all->processors[t] = t == 0 ? 0 : 1;
    }
    all->state.processors = all->processors;
    all->c = (duet_configuration){.types = TYPES,
                                  .classes = &all->classes,
                                  .state = &all->state,
                                  .divisible = all->divisible,
                                  .trial = {.limit = all->limit}};
}

static void price(void *of)
{
    types *all = of;
    duet_error error = DUET_ERROR_INIT;
    all->code = duet_desks_price(&all->c, all->job, 1, &error);
}

static void each_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++) {
        types all;
        begin(&all, note);
        duet_tasks_lead(threads, price, &all);
        assert_int_equal(all.code, DUET_OK);
        assert_true(all.c.effort.unknown);
        for (size_t t = 0; t < TYPES; t++) {
            assert_int_equal(all.limit[t], t < 2 ? 0 : 1);
        }
    }
}

static void stopped(void **state)
{
    (void)state;
    types all;
    begin(&all, note_and_cancel);
    all.cancel = duet_cancel_create();
    assert_non_null(all.cancel);
    duet_context context;
    duet_context_init(&context, NULL, NULL);
    context.cancel = all.cancel;
    all.c.context = &context;
    price(&all);
    assert_int_equal(all.code, DUET_OK);
    assert_true(all.c.effort.unknown);
    for (size_t t = 0; t < TYPES; t++) {
        assert_int_equal(all.limit[t], t == 2 ? 1 : 0);
    }
    duet_cancel_free(all.cancel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_once), cmocka_unit_test(stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
