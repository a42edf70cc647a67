// SPDX-License-Identifier: Apache-2.0
// How wide letters are.
#include "report/gantt/draw.h"

#include <string.h>

#include "report/texts.h"

// In thousandths of the size, from the space on: regular, bold.
static const short widths[2][95] = {
    {318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
     636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
     1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
     603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
     500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
     635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838},
    {348,  456, 521, 838, 696, 1002, 872, 306,  457, 457, 523, 838, 380, 415,  380, 365,
     696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 580,
     1000, 774, 762, 734, 830, 683,  683, 821,  837, 372, 372, 775, 637, 995,  837, 850,
     733,  850, 770, 720, 682, 812,  774, 1103, 771, 724, 725, 457, 365, 457,  838, 500,
     500,  675, 716, 593, 716, 678,  435, 716,  712, 343, 343, 665, 343, 1042, 712, 687,
     716,  716, 493, 595, 478, 712,  652, 924,  645, 652, 582, 712, 365, 712,  838}};

// Width of the character whose first byte this is; 0 for the bytes that follow it.
static short character_width(unsigned char first, bool bold)
{
    if (first >= ' ' && first < 0x7F) {
        return widths[bold ? 1 : 0][first - ' '];
    }
    if (first >= 0x80 && first < 0xC0) {
        return 0;
    }
    return first < 0xE0 ? 800 : 1000; // Latin with accents, Greek, Cyrillic; all others
}

double duet_gantt_text_width(const duet_letters *letters, const char *text)
{
    double width = 0;
    for (const char *at = text; *at != '\0'; at++) {
        width += character_width((unsigned char)*at, letters->bold);
    }
    return width * letters->size / 1000;
}

void duet_gantt_fit(const duet_letters *letters, char *text, size_t size, double width)
{
    static const char ellipsis[] = "\xE2\x80\xA6";
    size_t length = strlen(text);
    if (duet_gantt_text_width(letters, text) <= width) {
        return;
    }
    if (length + sizeof ellipsis > size) {
        length = size - sizeof ellipsis;
    }
    do {
        length = length > 0 ? duet_text_boundary(text, length - 1) : 0;
        memcpy(text + length, ellipsis, sizeof ellipsis);
    } while (length > 0 && duet_gantt_text_width(letters, text) > width);
}
