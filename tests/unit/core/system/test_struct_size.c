// SPDX-License-Identifier: Apache-2.0
// Programs built against older or newer headers: structs that begin with their size, and the layout
// that a release has promised.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <duet/duet.h>

#include "core/system/struct_size.h"

// What version 0.1 knew, and what its headers may have become.
typedef struct old_struct {
    size_t struct_size;
    int first;
} old_struct;

typedef struct new_struct {
    size_t struct_size;
    int first;
    int second;
    int64_t third;
} new_struct;

static void test_take(void **state)
{
    (void)state;
    const old_struct old = {sizeof old, 5};
    new_struct copy = {sizeof copy, 1, 2, 3};
    size_t oldest = DUET_SIZE_UNTIL(old_struct, first);
    assert_int_equal(duet_struct_take(&copy, sizeof copy, oldest, &old, "s", NULL), DUET_OK);
    assert_int_equal(copy.first, 5);
    assert_int_equal(copy.third, 3); // the default of what the older program does not know
    new_struct newer = {sizeof newer, 7, 0, 0};
    old_struct known = {sizeof known, 1};
    assert_int_equal(duet_struct_take(&known, sizeof known, oldest, &newer, "s", NULL), DUET_OK);
    assert_int_equal(known.first, 7);
    newer.third = 1;
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(duet_struct_take(&known, sizeof known, oldest, &newer, "s", &error),
                     DUET_E_UNSUPPORTED);
    newer.struct_size = oldest - 1;
    duet_error_clear(&error);
    assert_int_equal(duet_struct_take(&known, sizeof known, oldest, &newer, "s", &error),
                     DUET_E_USAGE);
    assert_non_null(strstr(error.message, "sizeof(s)"));
}

// A struct of ours with room behind it for members that nobody knows yet.
#define LONGER(type)                                                                               \
    union {                                                                                        \
        type known;                                                                                \
        unsigned char bytes[sizeof(type) + 24];                                                    \
    }

// Every public call that takes such a struct: refused without its size, taken with more that says
// nothing, refused with more that does. The sizes are written into `size`.
#define CHECK_CALL(longer, size, call, release)                                                    \
    do {                                                                                           \
        static const size_t wrong[] = {0, 1, sizeof(size_t)};                                      \
        for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {                                \
            *(size) = wrong[w];                                                                    \
            assert_int_equal(call, DUET_E_USAGE);                                                  \
        }                                                                                          \
        *(size) = sizeof(longer);                                                                  \
        assert_int_equal(call, DUET_OK);                                                           \
        release;                                                                                   \
        (longer).bytes[sizeof(longer).bytes - 1] = 1;                                              \
        assert_int_equal(call, DUET_E_UNSUPPORTED);                                                \
        (longer).bytes[sizeof(longer).bytes - 1] = 0;                                              \
        *(size) = sizeof(longer).known;                                                            \
    } while (0)

static duet_code run_nothing(void *user, const duet_instance *instance, duet_work *work,
                             duet_error *error)
{
    (void)user;
    (void)instance;
    (void)work;
    return duet_error_set(error, DUET_E_INTERNAL, "never called");
}

static void test_calls(void **state)
{
    (void)state;
    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}};
    static const int64_t times[] = {4, 9, 3, 3, 5, 1};
    duet_instance *instance = NULL;
    LONGER(duet_instance_desc) desc;
    memset(&desc, 0, sizeof desc);
    desc.known = (duet_instance_desc){.types = 2, .platform = platform, .kinds = 3, .times = times};
    memset(desc.bytes + sizeof desc.known, 0, 24);
    CHECK_CALL(desc, &desc.known.struct_size, duet_instance_create(&desc.known, &instance, NULL),
               duet_instance_free(instance));
    assert_int_equal(duet_instance_create(&desc.known, &instance, NULL), DUET_OK);

    LONGER(duet_params) params;
    memset(&params, 0, sizeof params);
    duet_solution *solution = NULL;
    duet_bound *bound = NULL;
    CHECK_CALL(params, &params.known.struct_size,
               duet_solve(instance, "dual-4-3", &params.known, &solution, NULL),
               duet_solution_free(solution));
    CHECK_CALL(params, &params.known.struct_size,
               duet_compute_bound(instance, "area", &params.known, &bound, NULL),
               duet_bound_free(bound));
    params.known.time_limit = NAN;
    assert_int_equal(duet_compute_bound(instance, "area", &params.known, &bound, NULL),
                     DUET_E_USAGE);

    params.known.time_limit = 0;
    assert_int_equal(duet_compute_bound(instance, "area", &params.known, &bound, NULL), DUET_OK);
    CHECK_CALL(params, &params.known.struct_size,
               duet_certificate_check(duet_bound_certificate(bound), instance, &params.known, NULL),
               (void)0);

    LONGER(duet_certificate_desc) proof;
    memset(&proof, 0, sizeof proof);
    proof.known.struct_size = sizeof proof.known;
    duet_certificate_describe(duet_bound_certificate(bound), &proof.known);
    duet_certificate *copy = NULL;
    CHECK_CALL(proof, &proof.known.struct_size, duet_certificate_create(&proof.known, &copy, NULL),
               duet_certificate_free(copy));
    duet_bound_free(bound);

    LONGER(duet_generate_params) wanted;
    memset(&wanted, 0, sizeof wanted);
    duet_instance *drawn = NULL;
    CHECK_CALL(wanted, &wanted.known.struct_size,
               duet_generate("unif2", &wanted.known, &drawn, NULL), duet_instance_free(drawn));

    LONGER(duet_gantt_options) looks;
    char folder[] = "/tmp/duet-sizes-XXXXXX";
    char picture[64];
    assert_non_null(mkdtemp(folder));
    snprintf(picture, sizeof picture, "%s/a.svg", folder);
    memset(&looks, 0, sizeof looks);
    assert_int_equal(duet_solve(instance, "heft", &params.known, &solution, NULL), DUET_OK);
    CHECK_CALL(looks, &looks.known.struct_size,
               duet_write_gantt(picture, instance, solution, &looks.known, NULL),
               assert_int_equal(unlink(picture), 0));
    duet_solution_free(solution);
    assert_int_equal(rmdir(folder), 0);

    duet_registry *registry = NULL;
    LONGER(duet_custom) custom;
    memset(&custom, 0, sizeof custom);
    custom.known.name = "mine";
    custom.known.run = run_nothing;
    assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK);
    CHECK_CALL(custom, &custom.known.struct_size, duet_registry_add(registry, &custom.known, NULL),
               duet_registry_free(registry);
               assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK));
    duet_registry_free(registry);
    duet_instance_free(instance);
}

// duet_custom as it was before it had `handles`.
typedef struct old_custom {
    size_t struct_size;
    const char *name;
    const char *summary;
    const char *reference;
    unsigned needs;
    const duet_option_spec *options;
    duet_work_function *run;
    void *user;
} old_custom;

static duet_code run_first(void *user, const duet_instance *instance, duet_work *work,
                           duet_error *error)
{
    (void)user;
    int64_t at = 0;
    duet_code code = DUET_OK;
    for (int64_t task = 0; task < duet_instance_tasks(instance) && code == DUET_OK; task++) {
        code = duet_work_place(work, task, 0, 0, at, error);
        at += duet_instance_time(instance, (size_t)task, 0);
    }
    return code;
}

// A program built against the headers before `handles`: what lies behind its struct is not read,
// and its algorithms run where they ran.
static void test_old_custom(void **state)
{
    (void)state;
    struct {
        old_custom known;
        unsigned char behind[64];
    } given;
    memset(&given, 0xFF, sizeof given);
    given.known = (old_custom){.struct_size = sizeof given.known, .name = "any", .run = run_first};
    duet_custom seen;
    duet_registry *registry = NULL;
    assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK);
    assert_true(sizeof given >= sizeof seen);
    memcpy(&seen, &given, sizeof seen); // as the library is handed it
    assert_int_equal(duet_registry_add(registry, &seen, NULL), DUET_OK);
    seen.name = "two";
    seen.needs = DUET_NEEDS_TWO_TYPES;
    assert_int_equal(duet_registry_add(registry, &seen, NULL), DUET_OK);

    // One built against these headers that says nothing: as before, too.
    duet_custom custom = {.struct_size = sizeof custom, .name = "new-any", .run = run_first};
    assert_int_equal(duet_registry_add(registry, &custom, NULL), DUET_OK);
    custom.name = "new-two";
    custom.needs = DUET_NEEDS_TWO_TYPES;
    assert_int_equal(duet_registry_add(registry, &custom, NULL), DUET_OK);
    // What cannot be, and what a later library may know.
    custom.name = "both";
    custom.handles = DUET_FEATURE_ANY_TYPES;
    assert_int_equal(duet_registry_add(registry, &custom, NULL), DUET_E_USAGE);
    custom.name = "unknown";
    custom.handles = 1U << 30;
    assert_int_equal(duet_registry_add(registry, &custom, NULL), DUET_E_UNSUPPORTED);

    static const duet_type platform[] = {{"cpu", 2}, {"gpu", 1}, {"npu", 1}};
    static const int64_t times[] = {4, 9, 3, 3, 5, 1};
    duet_params params = DUET_PARAMS_INIT;
    params.registry = registry;
    for (size_t types = 1; types <= 3; types++) {
        static const char *const names[] = {"any", "new-any", "two", "new-two"};
        const duet_instance_desc desc = {.struct_size = sizeof desc,
                                         .types = types,
                                         .platform = platform,
                                         .kinds = 2,
                                         .times = times};
        duet_instance *instance = NULL;
        assert_int_equal(duet_instance_create(&desc, &instance, NULL), DUET_OK);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            duet_solution *solution = NULL;
            duet_code expected = i < 2 || types == 2 ? DUET_OK : DUET_E_UNSUPPORTED;
            assert_int_equal(duet_solve(instance, names[i], &params, &solution, NULL), expected);
            duet_solution_free(solution);
        }
        duet_instance_free(instance);
    }
    duet_registry_free(registry);
}

#if SIZE_MAX == UINT64_MAX
// Version 0.1 on 64-bit machines. A line here may be added, never changed, as long as the soname
// stays: what is new goes behind (docs/embedding.md).
#define PROMISE(type, member, offset)                                                              \
    _Static_assert(offsetof(type, member) == (offset), "moved: " #type "." #member)
PROMISE(duet_instance_desc, types, 32);
PROMISE(duet_instance_desc, times, 72);
PROMISE(duet_instance_desc, claim, 80);
PROMISE(duet_params, time_limit, 8);
PROMISE(duet_params, options, 40);
PROMISE(duet_params, registry, 72);
PROMISE(duet_custom, needs, 32);
PROMISE(duet_custom, user, 56);
PROMISE(duet_custom, handles, 64);
_Static_assert(sizeof(old_custom) == 64, "another size: old_custom");
PROMISE(duet_allocator, user, 32);
PROMISE(duet_progress, seconds, 24);
PROMISE(duet_claim, refuted, 48);
PROMISE(duet_entry, options, 40);
PROMISE(duet_entry, handles, 48);
PROMISE(duet_certificate_desc, types, 32);
PROMISE(duet_certificate_desc, parts, 64);
PROMISE(duet_certificate_desc, mode, 104);
PROMISE(duet_certificate_desc, length, 192);
PROMISE(duet_generate_params, options, 40);
#define PROMISED_SIZE(type, size) _Static_assert(sizeof(type) == (size), "another size: " #type)
PROMISED_SIZE(duet_error, 780);
PROMISED_SIZE(duet_type, 16);
PROMISED_SIZE(duet_option_spec, 64);
PROMISED_SIZE(duet_placement, 16);
PROMISED_SIZE(duet_task_run, 40);
PROMISED_SIZE(duet_aborted, 32);
PROMISED_SIZE(duet_counter, 16);
PROMISED_SIZE(duet_proof_stats, 72);
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_old_custom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
