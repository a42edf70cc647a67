// SPDX-License-Identifier: Apache-2.0
// Sizes and platforms of the instances: one for a whole group, or drawn by the seed of each from
// ranges.
#include <inttypes.h>
#include <stdio.h>

#include "bench/ratios/ratios.h"
#include "core/number/random.h"

static bool is_range(duet_cli_count count)
{
    return count.first < count.last;
}

bool duet_ratios_is_drawn(const duet_ratios_group *group)
{
    return is_range(group->size) || is_range(group->m) || is_range(group->k);
}

// Of families and ranges each has numbers of its own: two families of a mixture do not go through
// the same sizes.
static void seed_by(duet_random *random, const duet_ratios_group *group, uint64_t seed)
{
    static const uint64_t prime = UINT64_C(1099511628211); // FNV-1a
    const int64_t ranges[] = {group->size.first, group->size.last, group->m.first,
                              group->m.last,     group->k.first,   group->k.last};
    uint64_t digest = seed;
    for (const char *at = group->family; *at != '\0'; at++) {
        digest = (digest ^ (unsigned char)*at) * prime;
    }
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        digest = (digest ^ (uint64_t)ranges[i]) * prime;
    }
    duet_random_seed(random, digest);
}

duet_ratios_shape duet_ratios_shape_of(const duet_ratios *ratios, size_t job)
{
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    duet_ratios_shape shape = {group->size.first, group->m.first, group->k.first};
    if (duet_ratios_is_drawn(group)) {
        duet_random random;
        seed_by(&random, group, duet_ratios_seed(ratios, job));
        shape.size = duet_random_between(&random, group->size.first, group->size.last);
        shape.m = duet_random_between(&random, group->m.first, group->m.last);
        shape.k = duet_random_between(&random, group->k.first, group->k.last);
    }
    return shape;
}

char *duet_ratios_range(duet_cli_count count, char buffer[DUET_RATIOS_RANGE])
{
    snprintf(buffer, DUET_RATIOS_RANGE, "%" PRId64, count.first);
    if (is_range(count)) {
        duet_bench_append(buffer, DUET_RATIOS_RANGE, "..%" PRId64, count.last);
    }
    return buffer;
}

uint64_t duet_ratios_seed(const duet_ratios *ratios, size_t job)
{
    const duet_ratios_group *group = duet_ratios_group_of(ratios, job);
    return group->seeded ? ratios->settings.first_seed + (job - group->first) : 0;
}

const duet_ratios_group *duet_ratios_group_of(const duet_ratios *ratios, size_t job)
{
    size_t low = 0;
    size_t high = ratios->group_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (ratios->groups[middle].first <= job) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return &ratios->groups[low];
}
