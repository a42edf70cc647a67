// SPDX-License-Identifier: Apache-2.0
// Colours of kinds, the same on light and on dark grounds: each has a contrast of at least 3:1 to
// either. They were found by a search for the largest least distance (OKLab) between any two, as
// seen by everyone and, for the half of it, with the two common colour blindnesses. The ramp goes
// from blue by violet and red to amber, which stays a row with those, too.
#include "report/palette.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/number/minmax.h"

// The first eight are easiest to tell apart; the rest serve when those are taken.
enum { PRIMARY = 8 };

// 0xRRGGBB
static const uint32_t qualitative[DUET_PALETTE_SIZE] = {0x2E63E8, 0xF35711, 0x299C0C, 0x4691D1,
                                                        0x975D00, 0xDC57B9, 0xCB345D, 0x9C40BF,
                                                        0x007A57, 0x9174FF, 0x746391, 0xB97A80};

// Steps of the ramp.
enum { RAMP = 5 };
static const uint32_t ramp[RAMP] = {0x1D64EF, 0x8F4BE4, 0xD12F9C, 0xEE3726, 0xC87302};
static const uint32_t beside_ramp[2] = {0x6B737F, 0x008577};
static const uint32_t grey = 0x7B818B;

static duet_colour from_number(uint32_t rgb)
{
    return (duet_colour){(double)(rgb >> 16) / 255.0, (double)(rgb >> 8 & 255) / 255.0,
                         (double)(rgb & 255) / 255.0};
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

duet_colour duet_palette_colour(const char *name)
{
    return from_number(qualitative[own_slot(name)]);
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

void duet_palette_assign(size_t count, const char *const *names, duet_colour *colours)
{
    bool taken[DUET_PALETTE_SIZE] = {false};
    bool done[DUET_PALETTE_SIZE] = {false};
    count = duet_min(count, (size_t)DUET_PALETTE_SIZE);
    for (size_t round = 0; round < count; round++) {
        size_t next = DUET_PALETTE_SIZE;
        for (size_t i = 0; i < count; i++) {
            if (!done[i] && (next == DUET_PALETTE_SIZE || strcmp(names[i], names[next]) < 0)) {
                next = i;
            }
        }
        size_t slot = free_slot(names[next], taken);
        colours[next] = from_number(qualitative[slot]);
        taken[slot] = true;
        done[next] = true;
    }
}

duet_colour duet_palette_grey(void)
{
    return from_number(grey);
}

duet_colour duet_palette_ramp(size_t index, size_t count)
{
    const size_t last = RAMP - 1;
    double at = count < 2 ? 0 : (double)(index * last) / (double)(count - 1);
    size_t low = (size_t)at < last ? (size_t)at : last - 1;
    return duet_colour_mix(from_number(ramp[low]), from_number(ramp[low + 1]), at - (double)low);
}

duet_colour duet_palette_beside_ramp(size_t index)
{
    return from_number(beside_ramp[index]);
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

// Relative luminance (ITU-R BT.709 on linear light), 0 black .. 1 white.
static double colour_luminance(duet_colour colour)
{
    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

double duet_colour_contrast(duet_colour a, duet_colour b)
{
    double one = colour_luminance(a) + 0.05;
    double other = colour_luminance(b) + 0.05;
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
