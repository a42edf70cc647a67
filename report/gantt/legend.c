// SPDX-License-Identifier: Apache-2.0
// The legend of a picture.
#include <stdio.h>

#include "core/instance/pins.h"
#include "report/gantt/draw.h"

// Where the next entry of the legend goes.
typedef struct pen {
    duet_canvas *canvas; // NULL: nothing is drawn
    const duet_gantt *gantt;
    double x;
    double y;
    double left;
    double right;
} pen;

static void advance(pen *at, double width)
{
    if (at->x > at->left && at->x + width > at->right) {
        at->x = at->left;
        at->y += 20;
    }
}

static duet_letters entry_letters(const pen *at, bool soft)
{
    return (duet_letters){11.5, false, soft ? at->gantt->theme->soft : at->gantt->theme->ink};
}

static void put_text(pen *at, char *text, size_t size, bool soft, double before)
{
    const duet_letters letters = entry_letters(at, soft);
    duet_gantt_fit(&letters, text, size, at->right - at->left - before);
    double width = before + duet_gantt_text_width(&letters, text);
    advance(at, width);
    if (at->canvas != NULL) {
        at->canvas->does->text(at->canvas, &letters, at->x + before, at->y, DUET_ALIGN_LEFT, text);
    }
    at->x += width;
}

typedef enum swatch { PLAIN, HATCHED, FRAMED } swatch;

static void put_entry(pen *at, duet_colour colour, swatch look, char *text, size_t size)
{
    put_text(at, text, size, false, 18); // may go to the next line, so that the swatch is second
    if (at->canvas != NULL) {
        const duet_letters letters = entry_letters(at, false);
        double left = at->x - duet_gantt_text_width(&letters, text) - 18;
        duet_rect place = {left, at->y - 9, 12, 11};
        at->canvas->does->rectangle(at->canvas, colour, place, NULL);
        if (look == HATCHED) {
            at->canvas->does->hatch(at->canvas, at->gantt->theme->lost, place, NULL);
        } else if (look == FRAMED) {
            duet_gantt_draw_frame(at->canvas, at->gantt, place);
        }
    }
    at->x += 20;
}

static void entry_text(const duet_gantt_classes *classes, const duet_gantt_class *class, char *text,
                       size_t size)
{
    if (class->tasks > 1 && classes->heading[0] == '\0') {
        snprintf(text, size, "%s \xC3\x97%lld", class->label, (long long)class->tasks);
    } else {
        snprintf(text, size, "%s", class->label);
    }
}

static bool has_aborted(const duet_gantt *gantt)
{
    const duet_pins *pins = gantt->instance->pins;
    bool some = pins != NULL && pins->given_ups > 0;
    for (size_t p = 0; p < gantt->panels; p++) {
        some = some || gantt->panel[p].solution->aborted_count > 0;
    }
    return some;
}

static bool has_lost(const duet_instance *instance)
{
    bool some = false;
    for (size_t t = 0; t < instance->types && instance->pins != NULL; t++) {
        some = some || instance->pins->lost_count[t] > 0;
    }
    return some;
}

// What is hatched: "aborted, busy, lost" or some of it; "" for nothing.
static void hatched_text(const duet_gantt *gantt, char *text, size_t size)
{
    const bool has[] = {has_aborted(gantt),
                        (duet_instance_features(gantt->instance) & DUET_FEATURE_BUSY) != 0,
                        has_lost(gantt->instance)};
    static const char *const word[] = {"aborted", "busy", "lost"};
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        if (has[i]) {
            int put =
                snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", word[i]);
            length += (size_t)put;
        }
    }
}

double duet_gantt_draw_legend(duet_canvas *canvas, const duet_gantt *gantt)
{
    const duet_gantt_classes *classes = &gantt->classes;
    const duet_gantt_theme *theme = gantt->theme;
    double left = gantt->width < 600 ? gantt->margin : gantt->plot_x;
    pen at = {canvas, gantt, left, gantt->legend_y, left, gantt->width - gantt->margin};
    char text[DUET_GANTT_LABEL + 32];
    if (classes->heading[0] != '\0') {
        snprintf(text, sizeof text, "%s", classes->heading);
        put_text(&at, text, sizeof text, true, 0);
        at.x += 14;
    }
    for (size_t i = 0; i < classes->count; i++) {
        if (classes->list[i].tasks > 0) {
            entry_text(classes, &classes->list[i], text, sizeof text);
            put_entry(&at, classes->list[i].colour, PLAIN, text, sizeof text);
        }
    }
    snprintf(text, sizeof text, "idle");
    put_entry(&at, duet_colour_mix(theme->idle, theme->ink, 0.06), PLAIN, text, sizeof text);
    hatched_text(gantt, text, sizeof text);
    if (text[0] != '\0') {
        put_entry(&at, duet_colour_mix(theme->page, theme->lost, 0.06), HATCHED, text, sizeof text);
    }
    if (gantt->panel[0].reasons.length > 1) {
        snprintf(text, sizeof text, "critical path");
        put_entry(&at, theme->idle, FRAMED, text, sizeof text);
    }
    if (gantt->pale) {
        snprintf(text, sizeof text, "(closer to idle: idle in part)");
        put_text(&at, text, sizeof text, true, 0);
    }
    return at.y;
}
