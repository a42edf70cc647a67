// SPDX-License-Identifier: Apache-2.0
#include "tests/support/stretched.h"

#include "bench/run/random_instance.h"

enum { MAX_KINDS = 64 };

int64_t duet_total_work(const duet_instance *instance)
{
    int64_t total = 0;
    for (size_t i = 0; i < duet_instance_kinds(instance); i++) {
        int64_t longest = 0;
        for (size_t t = 0; t < duet_instance_types(instance); t++) {
            int64_t time = duet_instance_time(instance, i, t);
            longest = time != DUET_FORBIDDEN && time > longest ? time : longest;
        }
        total += longest * duet_instance_kind_count(instance, i);
    }
    return total;
}

duet_instance *duet_stretched_instance(duet_random *random, const duet_instance *instance,
                                       int64_t work)
{
    int64_t times[MAX_KINDS * DUET_SHAPE_TYPES];
    int64_t counts[MAX_KINDS];
    duet_type platform[DUET_SHAPE_TYPES];
    size_t types = duet_instance_types(instance);
    size_t kinds = duet_instance_kinds(instance);
    int64_t total = duet_total_work(instance);
    int64_t factor = total > 0 && total < work ? work / total : 1;
    for (size_t t = 0; t < types; t++) {
        platform[t] = (duet_type){duet_instance_type_name(instance, t),
                                  duet_instance_type_count(instance, t)};
    }
    for (size_t i = 0; i < kinds; i++) {
        counts[i] = duet_instance_kind_count(instance, i);
        for (size_t t = 0; t < types; t++) {
            int64_t time = duet_instance_time(instance, i, t);
            bool kept = time == 0 || time == DUET_FORBIDDEN;
            // Below the exact multiple, so that the total stays within its limit.
            int64_t off = kept ? 0 : duet_random_between(random, 0, factor - 1);
            times[i * types + t] = kept ? time : time * factor - off;
        }
    }
    duet_instance_desc desc = {.struct_size = sizeof desc,
                               .name = "stretched",
                               .types = types,
                               .platform = platform,
                               .kinds = kinds,
                               .counts = counts,
                               .times = times};
    duet_instance *stretched = NULL;
    duet_instance_create(&desc, &stretched, NULL);
    return stretched;
}
