// SPDX-License-Identifier: Apache-2.0
// Bound: area, in closed form.
// Method:    tasks taken as divisible; by decreasing acceleration factor they fill the GPUs until
//            both types finish together (an exchange argument shows this optimal).
// Cost:      O(kinds log kinds) time, O(kinds) memory. Exact: a fraction, and its ceiling.
// Proof:     weights on the types (DUET_PROOF_AREA): (q, p) of the divided kind, which prices every
//            kind before it on the GPU and every kind after it on the CPU.
// Reference: Beaumont, Eyraud-Dubois, Kumar, "Approximation proofs of a fast and efficient list
//            scheduling algorithm for task-based runtime systems on multicores and GPUs", IPDPS
//            2017, section 4.2.
#include "lp/area/area.h"

#include "core/instance/available.h"
#include "core/system/try.h"
#include "lp/area/released.h"
#include "lp/moldable/mixed_area.h"
#include "lp/moldable/prices.h"

duet_code duet_area_bound(const duet_instance *instance, const duet_context *context,
                          duet_bound *bound, duet_error *error)
{
    if (instance->mixed_sets) {
        *bound = duet_mixed_area_bound(instance);
        return DUET_OK;
    }
    if (instance->moldable != NULL) {
        return duet_moldable_bound(instance, DUET_PRICED_AREA, context, bound, error);
    }
    if (!duet_is_available(instance)) {
        return duet_released_area_bound(instance, context, bound, error);
    }
    return duet_plain_area_bound(instance, bound, error);
}

duet_code duet_first_bound(const duet_instance *instance, const duet_acceleration_order *order,
                           const duet_context *context, duet_bound *bound, duet_error *error)
{
    duet_bound area;
    duet_code code = duet_longest_bound(instance, context, bound, error);
    if (code == DUET_OK && order != NULL) {
        area = duet_area_bound_of(instance, order);
    } else {
        DUET_THEN(code, duet_area_bound(instance, context, &area, error));
    }
    if (code == DUET_OK && area.value >= bound->value) {
        *bound = area;
    }
    return code;
}

const duet_bound_method duet_bound_area = {
    .entry = {.name = "area",
              .summary = "divisible tasks, in closed form by acceleration factor",
              .reference = "Beaumont, Eyraud-Dubois, Kumar, IPDPS 2017, section 4.2",
              .handles = DUET_FEATURE_WAITS | DUET_FEATURE_GRAPHS | DUET_FEATURE_ANY_TYPES |
                         DUET_FEATURE_MOLDABLE | DUET_FEATURE_MIXED_SETS | DUET_FEATURE_RIGID},
    .run = duet_area_bound,
};
