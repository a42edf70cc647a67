// SPDX-License-Identifier: Apache-2.0
// The colours of a picture.
#include "report/gantt/draw.h"

#define RGB(r, g, b)                                                                               \
    {                                                                                              \
        (r) / 255.0, (g) / 255.0, (b) / 255.0                                                      \
    }

static const duet_gantt_theme light = {.page = RGB(0xFF, 0xFF, 0xFF),
                                       .ink = RGB(0x1A, 0x1E, 0x23),
                                       .soft = RGB(0x5B, 0x64, 0x70),
                                       .grid = RGB(0xD4, 0xD9, 0xE0),
                                       .idle = RGB(0xF1, 0xF3, 0xF5),
                                       .bound = RGB(0xA8, 0x20, 0x1A),
                                       .optimum = RGB(0x1F, 0x6B, 0x2E),
                                       .makespan = RGB(0x1A, 0x1E, 0x23),
                                       .lost = RGB(0xB3, 0x0F, 0x1F)};
static const duet_gantt_theme dark = {.page = RGB(0x12, 0x16, 0x1A),
                                      .ink = RGB(0xE7, 0xEA, 0xEE),
                                      .soft = RGB(0xA1, 0xAB, 0xB7),
                                      .grid = RGB(0x38, 0x40, 0x4A),
                                      .idle = RGB(0x1A, 0x1F, 0x25),
                                      .bound = RGB(0xFF, 0x93, 0x89),
                                      .optimum = RGB(0x7F, 0xCE, 0x8C),
                                      .makespan = RGB(0xE7, 0xEA, 0xEE),
                                      .lost = RGB(0xFF, 0x93, 0x89)};

const duet_gantt_theme *duet_gantt_theme_of(bool is_dark)
{
    return is_dark ? &dark : &light;
}
