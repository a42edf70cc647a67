// SPDX-License-Identifier: Apache-2.0
// Colours of kinds. Each slot is one hue in a shade for light and a shade for dark grounds. The
// hues are those of Paul Tol's schemes (personal.sron.nl/~pault). The shades were found by a search
// for the largest least distance (OKLab) between any two, as seen by everyone and with the two
// common colour blindnesses, among those with a contrast of at least 3:1 to the ground. The ramp is
// matplotlib's plasma, cut where that contrast ends.
#include "report/palette.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// The first eight are easiest to tell apart; the rest serve when those are taken.
enum { PRIMARY = 8 };

typedef struct pair {
    uint32_t light; // 0xRRGGBB
    uint32_t dark;
} pair;

static const pair qualitative[DUET_PALETTE_SIZE] = {
    {0x4585E9, 0x4380E5}, {0x912244, 0xFD8E90}, {0x0D9B61, 0x6DAD2E}, {0x3A3101, 0x8E7232},
    {0x035B76, 0x6BEFFD}, {0xB75CA9, 0xB350A4}, {0x925A04, 0xFED5AD}, {0x614CB7, 0xB7ADFB},
    {0x457868, 0x42C5BB}, {0x5A1F40, 0xCC6B76}, {0x898701, 0xE8D93B}, {0x450476, 0x9E8CB8}};

// Steps of both ramps, the darkest first.
enum { RAMP = 5 };
static const pair plasma[RAMP] = {{0x0D0887, 0xC5407E},
                                  {0x5402A3, 0xDB5C68},
                                  {0x8B0AA5, 0xF48849},
                                  {0xB93289, 0xFEBC2A},
                                  {0xD65664, 0xF0F921}};
static const pair beside_ramp[2] = {{0x5C6370, 0x8D96A3}, {0x0B7285, 0x3BC9DB}};
static const pair grey = {0x787E87, 0x9AA1AB};
static const pair ground = {0xECEEF1, 0x23282F};

static duet_colour from_number(uint32_t rgb)
{
    return (duet_colour){(double)(rgb >> 16) / 255.0, (double)(rgb >> 8 & 255) / 255.0,
                         (double)(rgb & 255) / 255.0};
}

static duet_shades shades_of(pair numbers)
{
    return (duet_shades){from_number(numbers.light), from_number(numbers.dark)};
}

// FNV-1a. The seed is chosen so that the kernels of the tiled Cholesky, LU and QR factorisations
// do not compete for a colour within their set.
static size_t own_slot(const char *name)
{
    uint32_t hash = UINT32_C(2166136261) ^ UINT32_C(30130);
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * UINT32_C(16777619);
    }
    return (hash >> 16) % PRIMARY;
}

duet_shades duet_palette_colour(const char *name)
{
    return shades_of(qualitative[own_slot(name)]);
}

static size_t free_slot(const char *name, const bool *taken)
{
    size_t own = own_slot(name);
    for (size_t i = 0; i < PRIMARY; i++) {
        size_t slot = (own + i) % PRIMARY;
        if (!taken[slot]) {
            return slot;
        }
    }
    size_t slot = PRIMARY;
    while (slot + 1 < DUET_PALETTE_SIZE && taken[slot]) {
        slot++;
    }
    return slot;
}

void duet_palette_assign(size_t count, const char *const *names, duet_shades *shades)
{
    bool taken[DUET_PALETTE_SIZE] = {false};
    bool done[DUET_PALETTE_SIZE] = {false};
    if (count > DUET_PALETTE_SIZE) {
        count = DUET_PALETTE_SIZE;
    }
    for (size_t round = 0; round < count; round++) {
        size_t next = DUET_PALETTE_SIZE;
        for (size_t i = 0; i < count; i++) {
            if (!done[i] && (next == DUET_PALETTE_SIZE || strcmp(names[i], names[next]) < 0)) {
                next = i;
            }
        }
        size_t slot = free_slot(names[next], taken);
        shades[next] = shades_of(qualitative[slot]);
        taken[slot] = true;
        done[next] = true;
    }
}

duet_shades duet_palette_grey(void)
{
    return shades_of(grey);
}

duet_shades duet_palette_ground(void)
{
    return shades_of(ground);
}

duet_shades duet_palette_ramp(size_t index, size_t count)
{
    const size_t last = RAMP - 1;
    double at = count < 2 ? (double)last / 2 : (double)(index * last) / (double)(count - 1);
    size_t low = (size_t)at < last ? (size_t)at : last - 1;
    duet_shades from = shades_of(plasma[low]);
    duet_shades to = shades_of(plasma[low + 1]);
    return (duet_shades){duet_colour_mix(from.light, to.light, at - (double)low),
                         duet_colour_mix(from.dark, to.dark, at - (double)low)};
}

duet_shades duet_palette_beside_ramp(size_t index)
{
    return shades_of(beside_ramp[index]);
}

duet_colour duet_colour_mix(duet_colour under, duet_colour over, double amount)
{
    return (duet_colour){under.r + (over.r - under.r) * amount,
                         under.g + (over.g - under.g) * amount,
                         under.b + (over.b - under.b) * amount};
}

static double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4);
}

double duet_colour_luminance(duet_colour colour)
{
    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

double duet_colour_contrast(duet_colour a, duet_colour b)
{
    double one = duet_colour_luminance(a) + 0.05;
    double other = duet_colour_luminance(b) + 0.05;
    return fmax(one, other) / fmin(one, other);
}

duet_colour duet_colour_letters(duet_colour fill)
{
    const duet_colour black = {0, 0, 0};
    const duet_colour white = {1, 1, 1};
    return duet_colour_contrast(fill, black) > duet_colour_contrast(fill, white) ? black : white;
}

char *duet_colour_hex(duet_colour colour, char *text)
{
    snprintf(text, 8, "#%02x%02x%02x", (unsigned)(colour.r * 255 + 0.5) & 255,
             (unsigned)(colour.g * 255 + 0.5) & 255, (unsigned)(colour.b * 255 + 0.5) & 255);
    return text;
}
