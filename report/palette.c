// SPDX-License-Identifier: Apache-2.0
// Colours of kinds. The qualitative palette follows Paul Tol's "bright" and "muted" schemes
// (personal.sron.nl/~pault), chosen to stay apart for colour-blind readers; the ramp is viridis.
#include "report/palette.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

// The first eight are easiest to tell apart; the rest serve when those are taken.
enum { PRIMARY = 8 };

static const unsigned char qualitative[DUET_PALETTE_SIZE][3] = {
    {0x44, 0x77, 0xAA}, {0xEE, 0x66, 0x77}, {0x22, 0x88, 0x33}, {0xCC, 0xBB, 0x44},
    {0x66, 0xCC, 0xEE}, {0xAA, 0x33, 0x77}, {0xEE, 0x88, 0x33}, {0x33, 0x22, 0x88},
    {0x44, 0xAA, 0x99}, {0x88, 0x22, 0x55}, {0x99, 0x99, 0x33}, {0xCC, 0x99, 0xBB}};

static const unsigned char viridis[][3] = {
    {0x48, 0x1F, 0x70}, {0x44, 0x39, 0x83}, {0x31, 0x68, 0x8E}, {0x21, 0x91, 0x8C},
    {0x35, 0xB7, 0x79}, {0x90, 0xD7, 0x43}, {0xFD, 0xE7, 0x25}};

static duet_colour from_bytes(const unsigned char *bytes)
{
    return (duet_colour){bytes[0] / 255.0, bytes[1] / 255.0, bytes[2] / 255.0};
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
    return from_bytes(qualitative[own_slot(name)]);
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
        colours[next] = from_bytes(qualitative[slot]);
        taken[slot] = true;
        done[next] = true;
    }
}

duet_colour duet_palette_grey(void)
{
    return (duet_colour){0.62, 0.64, 0.67};
}

duet_colour duet_palette_ramp(size_t index, size_t count)
{
    const size_t last = sizeof viridis / sizeof viridis[0] - 1;
    double at = count < 2 ? (double)last / 2 : (double)(index * last) / (double)(count - 1);
    size_t low = (size_t)at < last ? (size_t)at : last - 1;
    return duet_colour_mix(from_bytes(viridis[low]), from_bytes(viridis[low + 1]),
                           at - (double)low);
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
