// SPDX-License-Identifier: Apache-2.0
// Devices that are nearly equal as one type. StarPU measures each GPU by itself unless it is told
// not to, and no two measurements are the same; a type for each makes problems harder than the
// machine is. Devices are of one type where, for each kind of task, the longest and the shortest
// time of any two of them differ by at most a share of the mean.
//
// With the mean times the instance is about a machine of equal devices, and so are its bounds and
// what is called optimal. With the least times every schedule of the real devices, each task
// shortened in its place, is one of the instance: its bounds hold for the devices as they are.
#include "core/number/minmax.h"
#include "core/options.h"
#include "core/system/memory.h"
#include "instances/formats/starpu/build.h"

// Means have at least LEAST_PLACES decimal places of microseconds: nanoseconds.
enum { LEAST_PLACES = 3, PLACES = 9, PER_THOUSAND = 1000 };

duet_code duet_starpu_blend_create(duet_starpu_build *b)
{
    duet_starpu_blend *blend = &b->blend;
    size_t rows = b->times.rows;
    blend->low = duet_alloc(rows, sizeof *blend->low, b->error);
    blend->high = duet_alloc(rows, sizeof *blend->high, b->error);
    blend->sum = duet_alloc(rows, sizeof *blend->sum, b->error);
    blend->places = duet_alloc(rows, sizeof *blend->places, b->error);
    bool room =
        blend->low != NULL && blend->high != NULL && blend->sum != NULL && blend->places != NULL;
    return room ? DUET_OK : DUET_E_MEMORY;
}

void duet_starpu_blend_free(duet_starpu_blend *blend)
{
    duet_free(blend->low);
    duet_free(blend->high);
    duet_free(blend->sum);
    duet_free(blend->places);
}

static const duet_read_time *time_of(const duet_starpu_build *b, size_t row, size_t column)
{
    return &b->times.cells[row * b->times.column_count + column].time;
}

// DUET_FORBIDDEN where it cannot run. False where nine places are too few, or it is too long.
static bool scale(const duet_read_time *time, int64_t *scaled)
{
    duet_uint128 off = 0;
    *scaled = DUET_FORBIDDEN;
    return time->forbidden ||
           (duet_decimal_round(time->value, time->tail, PLACES, scaled, &off) && off == 0);
}

static duet_uint128 weight_of(const duet_starpu_build *b, size_t column)
{
    int64_t workers = b->times.columns[column].workers;
    return (duet_uint128)duet_max(workers, INT64_C(1));
}

void duet_starpu_blend_begin(duet_starpu_build *b, size_t column)
{
    duet_starpu_blend *blend = &b->blend;
    blend->devices = weight_of(b, column);
    blend->differs = false;
    blend->many = false;
    for (size_t row = 0; row < b->times.rows; row++) {
        const duet_read_time *time = time_of(b, row, column);
        int64_t scaled;
        blend->many = !scale(time, &scaled) || blend->many;
        blend->low[row] = scaled;
        blend->high[row] = scaled;
        blend->sum[row] = time->forbidden ? 0 : (duet_uint128)scaled * blend->devices;
        blend->places[row] = time->value.places;
    }
}

// Whether a row's times, which have this sum, are near enough to each other.
static bool is_near(const duet_starpu_build *b, int64_t low, int64_t high, duet_uint128 sum,
                    duet_uint128 devices)
{
    enum { million = 1000000 };
    duet_uint128 share = (duet_uint128)b->reading->merge / (DUET_BILLION / million);
    return (duet_uint128)(high - low) * devices * million <= share * sum;
}

bool duet_starpu_blend_join(duet_starpu_build *b, size_t column)
{
    duet_starpu_blend *blend = &b->blend;
    duet_uint128 weight = weight_of(b, column);
    bool joins =
        !blend->many && b->reading->merge > 0 && b->times.columns[column].arch != DUET_STARPU_NONE;
    int64_t scaled;
    for (size_t row = 0; row < b->times.rows && joins; row++) {
        bool forbidden = time_of(b, row, column)->forbidden;
        joins = scale(time_of(b, row, column), &scaled) &&
                forbidden == (blend->low[row] == DUET_FORBIDDEN) &&
                (forbidden ||
                 is_near(b, duet_min(scaled, blend->low[row]), duet_max(scaled, blend->high[row]),
                         blend->sum[row] + (duet_uint128)scaled * weight, blend->devices + weight));
    }
    for (size_t row = 0; row < b->times.rows && joins; row++) {
        (void)scale(time_of(b, row, column), &scaled);
        if (scaled != DUET_FORBIDDEN) {
            blend->differs = blend->differs || scaled != blend->low[row];
            blend->low[row] = duet_min(scaled, blend->low[row]);
            blend->high[row] = duet_max(scaled, blend->high[row]);
            blend->sum[row] += (duet_uint128)scaled * weight;
            blend->places[row] =
                duet_max(time_of(b, row, column)->value.places, blend->places[row]);
        }
    }
    blend->devices += joins ? weight : 0;
    return joins;
}

static duet_decimal mean_of(duet_uint128 sum, duet_uint128 devices, int places)
{
    duet_uint128 unit = 1; // of the last place, at nine places
    for (int i = places; i < PLACES; i++) {
        unit *= 10;
    }
    duet_uint128 all = devices * unit;
    duet_decimal mean = {(int64_t)((sum + all / 2) / all), places};
    while (mean.places > 0 && mean.mantissa % 10 == 0) {
        mean.mantissa /= 10;
        mean.places--;
    }
    return mean;
}

void duet_starpu_blend_end(duet_starpu_build *b, size_t first)
{
    duet_starpu_blend *blend = &b->blend;
    if (!blend->differs) {
        return;
    }
    blend->types++;
    for (size_t row = 0; row < b->times.rows; row++) {
        if (blend->low[row] == DUET_FORBIDDEN) {
            continue;
        }
        int places = duet_max(blend->places[row], (int)LEAST_PLACES);
        bool least = b->reading->merged == DUET_MERGED_LEAST;
        duet_uint128 sum = least ? (duet_uint128)blend->low[row] : blend->sum[row];
        duet_decimal value = least ? mean_of(sum, 1, PLACES) : mean_of(sum, blend->devices, places);
        duet_uint128 range = (duet_uint128)(blend->high[row] - blend->low[row]);
        duet_uint128 thousandths = range * blend->devices * PER_THOUSAND;
        duet_uint128 spread = (thousandths + blend->sum[row] - 1) / blend->sum[row];
        blend->spread = duet_max((int64_t)spread, blend->spread);
        b->times.cells[row * b->times.column_count + first].time = (duet_read_time){.value = value};
    }
}
