// SPDX-License-Identifier: Apache-2.0
// What an instance has and what an algorithm or a bound handles: every row is refused exactly where
// it lacks a feature, and the refusal names exactly the rows that would do.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "lp/lp.h"
#include "solvers/features.h"
#include "solvers/registry.h"
#include "tests/support/fixtures.h"

enum { COMBINATIONS = 32 };

// Whether a list "a, b, c" at the end of a message has that name.
static bool lists(const char *message, const char *name)
{
    const char *list = strstr(message, "expected one of ");
    list = list == NULL ? "" : list + strlen("expected one of ");
    size_t length = strlen(name);
    for (const char *at = list; *at != '\0';) {
        size_t word = strcspn(at, ",");
        if (word == length && strncmp(at, name, length) == 0) {
            return true;
        }
        at += word;
        at += strspn(at, ", ");
    }
    return false;
}

// Whether the row handles some of these features only without others.
static bool is_apart(const duet_entry *entry, unsigned features)
{
    bool edges = (features & DUET_FEATURE_PRECEDENCE) != 0;
    bool types = (entry->needs & DUET_NEEDS_TWO_TYPES_WITH_EDGES) != 0 &&
                 (features & DUET_FEATURE_ANY_TYPES) != 0;
    bool moldable = (entry->needs & DUET_NEEDS_NO_MOLDABLE_EDGES) != 0 &&
                    (features & DUET_FEATURE_MOLDABLE) != 0;
    return edges && (types || moldable);
}

static bool is_able(const duet_entry *entry, unsigned features)
{
    bool built = duet_lp_available() || (entry->needs & DUET_NEEDS_GLPK) == 0;
    bool of_use =
        (entry->needs & DUET_NEEDS_MOLDABLE) == 0 || (features & DUET_FEATURE_MOLDABLE) != 0;
    return built && of_use && !is_apart(entry, features) && (entry->handles & features) == features;
}

// What the message of a refusal must say of the features that are missing.
static void expect_missing(const char *message, unsigned missing)
{
    static const char *const words[] = {"precedence", "communication", "moldable", "3"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if ((missing >> i & 1) != 0 && strstr(message, words[i]) == NULL) {
            fail_msg("no word of '%s': %s", words[i], message);
        }
    }
}

// Asks one row for one combination of features. Returns whether it takes it.
static bool ask(const duet_entry *entry, unsigned features, const duet_rows *rows)
{
    duet_error error = DUET_ERROR_INIT;
    duet_demand demand = {.features = features,
                          .types = (features & DUET_FEATURE_ANY_TYPES) != 0 ? 3 : 2};
    duet_code code = duet_require_handled(entry, demand, rows, &error);
    assert_int_equal(code, is_able(entry, features) ? DUET_OK : DUET_E_UNSUPPORTED);
    unsigned missing = features & ~entry->handles;
    if (missing == 0) {
        return code == DUET_OK;
    }
    assert_memory_equal(error.message, entry->name, strlen(entry->name));
    expect_missing(error.message, missing);
    assert_true(strlen(error.message) + 1 < sizeof error.message); // not cut
    bool somebody = false;
    for (size_t i = 0; rows->entry_at(i) != NULL; i++) {
        const duet_entry *other = rows->entry_at(i);
        somebody = somebody || is_able(other, features);
        if (lists(error.message, other->name) != is_able(other, features)) {
            fail_msg("%s is listed where it would not do, or not where it would: %s", other->name,
                     error.message);
        }
    }
    char nobody[32];
    snprintf(nobody, sizeof nobody, "no %s does", rows->what);
    assert_true(somebody != (strstr(error.message, nobody) != NULL));
    return false;
}

static void every_row_and_feature(void **state)
{
    (void)state;
    const duet_rows tables[] = {{"algorithm", duet_algorithm_entry, NULL},
                                {"bound", duet_bound_entry, NULL}};
    for (size_t table = 0; table < 2; table++) {
        const duet_rows *rows = &tables[table];
        for (size_t i = 0; rows->entry_at(i) != NULL; i++) {
            int taken = 0;
            for (unsigned features = 0; features < COMBINATIONS; features++) {
                taken += ask(rows->entry_at(i), features, rows);
            }
            // Independent tasks on two types are everybody's who is built at all.
            assert_true(taken > 0 || !is_able(rows->entry_at(i), 0));
        }
    }
}

// Who handles transfers handles the edges that have them; a bound may drop both. Who is of no use
// without moldable tasks handles them.
static void what_rows_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < duet_algorithm_count(); i++) {
        unsigned handles = duet_algorithm_entry(i)->handles;
        bool moldable = (duet_algorithm_entry(i)->needs & DUET_NEEDS_MOLDABLE) != 0;
        assert_true(!moldable || (handles & DUET_FEATURE_MOLDABLE) != 0);
        assert_true((handles & DUET_FEATURE_COMMUNICATION) == 0 ||
                    (handles & DUET_FEATURE_PRECEDENCE) != 0);
    }
    for (size_t i = 0; i < duet_bound_count(); i++) {
        unsigned handles = duet_bound_entry(i)->handles;
        assert_int_equal(handles & DUET_FEATURE_GRAPHS, DUET_FEATURE_GRAPHS);
        bool moldable = (duet_bound_entry(i)->needs & DUET_NEEDS_MOLDABLE) != 0;
        assert_true(!moldable || (handles & DUET_FEATURE_MOLDABLE) != 0);
    }
}

static void what_instances_say(void **state)
{
    (void)state;
    const int64_t counts[] = {1, 1, 1};
    const int64_t times[] = {4, 5, 6};
    for (size_t types = 1; types <= 3; types++) {
        duet_instance *instance = duet_test_instance(types, counts, 1, NULL, times);
        unsigned expected = types == 2 ? 0 : DUET_FEATURE_ANY_TYPES;
        assert_int_equal(duet_instance_features(instance), expected);
        duet_demand demand = duet_demand_of(instance);
        assert_int_equal(demand.features, expected);
        assert_int_equal(demand.types, types);
        duet_instance_free(instance);
    }
}

static duet_code run_nothing(void *user, const duet_instance *instance, duet_work *work,
                             duet_error *error)
{
    (void)user;
    (void)instance;
    (void)work;
    return duet_error_set(error, DUET_E_INTERNAL, "never called");
}

static void custom_ones_are_named(void **state)
{
    (void)state;
    duet_registry *registry;
    assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK);
    duet_custom custom = {.struct_size = sizeof custom,
                          .name = "of-graphs",
                          .needs = DUET_NEEDS_TWO_TYPES,
                          .handles = DUET_FEATURE_PRECEDENCE | DUET_FEATURE_COMMUNICATION,
                          .run = run_nothing};
    assert_int_equal(duet_registry_add(registry, &custom, NULL), DUET_OK);
    custom.name = "of-any-types";
    custom.needs = 0;
    custom.handles = 0;
    assert_int_equal(duet_registry_add(registry, &custom, NULL), DUET_OK);

    const duet_rows rows = {"algorithm", duet_algorithm_entry, registry};
    const duet_entry *lpt = &duet_find_algorithm("lpt")->entry;
    duet_error error = DUET_ERROR_INIT;
    const duet_demand graph = {.features = DUET_FEATURE_PRECEDENCE, .types = 2};
    assert_int_equal(duet_require_handled(lpt, graph, &rows, &error), DUET_E_UNSUPPORTED);
    assert_true(lists(error.message, "of-graphs"));
    assert_false(lists(error.message, "of-any-types"));

    // The same through the front door.
    const int64_t counts[] = {1, 1, 1};
    const int64_t times[] = {4, 5, 6};
    duet_instance *instance = duet_test_instance(3, counts, 1, NULL, times);
    duet_params params = DUET_PARAMS_INIT;
    params.registry = registry;
    duet_solution *solution;
    duet_error_clear(&error);
    assert_int_equal(duet_solve(instance, "of-graphs", &params, &solution, &error),
                     DUET_E_UNSUPPORTED);
    assert_true(lists(error.message, "of-any-types"));
    assert_false(lists(error.message, "of-graphs"));
    duet_instance_free(instance);
    duet_registry_free(registry);
}

// Names that no buffer holds are left out whole; the message stays one line of what fits.
static void many_custom_ones(void **state)
{
    (void)state;
    duet_registry *registry;
    assert_int_equal(duet_registry_create(&registry, NULL), DUET_OK);
    for (int i = 0; i < 40; i++) {
        char name[48];
        snprintf(name, sizeof name, "an-algorithm-of-our-own-%d", i);
        const duet_custom custom = {.struct_size = sizeof custom,
                                    .name = name,
                                    .handles = DUET_FEATURE_MOLDABLE,
                                    .run = run_nothing};
        assert_int_equal(duet_registry_add(registry, &custom, NULL), DUET_OK);
    }
    const duet_rows rows = {"algorithm", duet_algorithm_entry, registry};
    const duet_demand demand = {.features = DUET_FEATURE_MOLDABLE, .types = 2};
    duet_error error = DUET_ERROR_INIT;
    assert_int_equal(
        duet_require_handled(&duet_find_algorithm("lpt")->entry, demand, &rows, &error),
        DUET_E_UNSUPPORTED);
    assert_true(lists(error.message, "an-algorithm-of-our-own-0"));
    assert_true(strlen(error.message) + 1 < sizeof error.message);
    duet_registry_free(registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_and_feature), cmocka_unit_test(what_rows_say),
        cmocka_unit_test(what_instances_say),    cmocka_unit_test(custom_ones_are_named),
        cmocka_unit_test(many_custom_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
