// SPDX-License-Identifier: Apache-2.0
// Colours of kinds and algorithms, the same in every picture, page and trace, on light and dark
// grounds: each has a contrast of at least 3:1 to idle time and to the page, so that a box is seen
// beside either.
#ifndef DUET_REPORT_PALETTE_H
#define DUET_REPORT_PALETTE_H

#include <stddef.h>

typedef struct duet_colour {
    double r, g, b; // 0 .. 1
} duet_colour;

// How many names can have a colour of their own at once.
enum { DUET_PALETTE_SIZE = 12 };

// The colour a name has where no other name competes for it.
duet_colour duet_palette_colour(const char *name);

// Colours for `count` <= DUET_PALETTE_SIZE distinct names, all different. A name gets its own
// colour unless a name before it (in byte order, not in the order given) has taken it, so that a
// kind nearly always keeps its colour from picture to picture.
void duet_palette_assign(size_t count, const char *const *names, duet_colour *colours);

// For what has no colour of its own.
duet_colour duet_palette_grey(void);

// Step `index` of a sequential ramp of `count` >= 1 steps, blue to amber.
duet_colour duet_palette_ramp(size_t index, size_t count);
// Two colours that are no step of it, 0 and 1.
duet_colour duet_palette_beside_ramp(size_t index);

// `amount` of `over` laid on `under`; 0 gives `under`, 1 gives `over`.
duet_colour duet_colour_mix(duet_colour under, duet_colour over, double amount);

// The contrast of two colours as WCAG 2 defines it, 1 .. 21.
double duet_colour_contrast(duet_colour a, duet_colour b);
// Black or white, whichever is read more easily on `fill`: at least 4.5:1.
duet_colour duet_colour_letters(duet_colour fill);
// "#rrggbb" into `text` of at least 8 bytes; returns it.
char *duet_colour_hex(duet_colour colour, char *text);

#endif
