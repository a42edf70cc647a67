// SPDX-License-Identifier: Apache-2.0
// Draws the intervals. Marks that look alike follow each other, and where there are very many they
// are one shape, which keeps a vector file small.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/instance/clock.h"
#include "core/instance/pins.h"
#include "core/number/minmax.h"
#include "report/gantt/draw.h"
#include "report/texts.h"

static const double LEAST_BOX = 6;    // rows at least this high have boxes set apart
static const double LEAST_LABEL = 13; // rows at least this high have ids in their boxes
enum { MOST_TITLES = 8000 };          // more boxes than this say nothing when pointed at

static duet_colour fill_colour(const duet_gantt *gantt, const duet_gantt_mark *mark)
{
    const duet_gantt_theme *theme = gantt->theme;
    duet_colour colour = gantt->classes.list[mark->class].colour;
    if (mark->aborted) {
        colour = mark->task >= 0 ? duet_colour_mix(theme->page, colour, 0.35)
                                 : duet_colour_mix(theme->page, theme->lost, 0.55);
    }
    return duet_colour_mix(theme->idle, colour, (double)mark->level / DUET_GANTT_LEVELS);
}

static bool same_style(const duet_gantt_mark *a, const duet_gantt_mark *b)
{
    return a->class == b->class && a->level == b->level && a->aborted == b->aborted &&
           (a->task >= 0) == (b->task >= 0);
}

// A hair of the ground sets a box apart from the next. It fades out as boxes get narrower, and is
// gone well before marks are merged: no edge is seen in a row whose tasks get shorter.
static duet_rect box_of(const duet_gantt_layout *layout, const duet_gantt_mark *mark)
{
    double width = mark->x1 - mark->x0;
    double hair = mark->task >= 0 && layout->row[mark->row].height >= LEAST_BOX
                      ? fmin(fmax((width - 4) * 0.11, 0), 0.9)
                      : 0;
    return (duet_rect){mark->x0, mark->y, width - hair, mark->height};
}

// A processor's name or number, into 48 bytes.
static void processor_text(const duet_instance *instance, size_t type, int64_t processor,
                           char text[48])
{
    const char *name = duet_processor_name(instance, type, processor);
    if (name != NULL) {
        duet_clean_text(name, SIZE_MAX, text, 48);
    } else {
        snprintf(text, 48, "%lld", (long long)processor);
    }
}

// "gemm#3: cpu 2, 12 to 18.5 ms", of a task graph with "; starts as potrf#0 ends; critical" behind;
// "cpu 2-5" where the box covers several rows.
static void box_title(const duet_gantt *gantt, const duet_gantt_panel *panel,
                      const duet_gantt_mark *mark, char *text, size_t size)
{
    const duet_interval *interval = &panel->intervals.interval[mark->interval];
    char more[16] = "";
    char id[128];
    char clean[96];
    char type[48];
    char from[96];
    char to[96];
    char processor[48];
    duet_instance_task_id(gantt->instance, interval->task, id, sizeof id);
    duet_clean_text(id, sizeof id, clean, sizeof clean);
    duet_clean_text(gantt->instance->type_names[interval->type], SIZE_MAX, type, sizeof type);
    if (duet_clock_is_known(gantt->instance)) {
        duet_clock_tell(gantt->instance, interval->start, from);
        duet_clock_tell(gantt->instance, interval->end, to);
    } else {
        duet_gantt_time(gantt->instance, interval->start, from);
        duet_gantt_time(gantt->instance, interval->end, to);
    }
    if (mark->beside > 0) {
        snprintf(processor, sizeof processor, "%d", (int)interval->processor);
        snprintf(more, sizeof more, "-%d", (int)(interval->processor + mark->beside));
    } else {
        processor_text(gantt->instance, (size_t)interval->type, interval->processor, processor);
    }
    snprintf(text, size, "%s: %s %s%s, %s to %s%s", clean, type, processor, more, from, to,
             interval->aborted ? ", aborted" : "");
    if (panel->reasons.of != NULL && !interval->aborted) {
        char why[160];
        const duet_reason *reason = &panel->reasons.of[mark->interval];
        duet_reason_text(gantt->instance, &panel->intervals, reason, why, sizeof why);
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s%s", why[0] == '\0' ? "" : "; ", why,
                 reason->critical ? "; on the critical path" : "");
    }
}

static void draw_alike(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_panel *panel,
                       const duet_gantt_mark *mark, size_t count, bool titles)
{
    char title[560];
    duet_colour fill = fill_colour(gantt, mark);
    if (!titles || mark->task < 0) {
        canvas->does->begin(canvas, fill);
        for (size_t i = 0; i < count; i++) {
            canvas->does->add(canvas, box_of(&panel->layout, &mark[i]));
        }
        canvas->does->end(canvas);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        box_title(gantt, panel, &mark[i], title, sizeof title);
        canvas->does->rectangle(canvas, fill, box_of(&panel->layout, &mark[i]), title);
    }
}

static void hatch_aborted(duet_canvas *canvas, const duet_gantt *gantt,
                          const duet_gantt_panel *panel)
{
    char title[560];
    for (size_t i = 0; i < panel->marks.count; i++) {
        const duet_gantt_mark *mark = &panel->marks.mark[i];
        if (mark->aborted && mark->task >= 0) {
            box_title(gantt, panel, mark, title, sizeof title);
            canvas->does->hatch(canvas, gantt->theme->lost,
                                (duet_rect){mark->x0, mark->y, mark->x1 - mark->x0, mark->height},
                                title);
        }
    }
}

// Strokes across a part of the row of one processor, which bears `what` as a title.
static void hatch_row(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_layout *layout,
                      size_t r, int64_t from, int64_t to, const char *what)
{
    const duet_instance *instance = gantt->instance;
    const duet_gantt_row *row = &layout->row[r];
    size_t type = layout->group[row->group].type;
    char title[224];
    char name[48];
    char processor[48];
    duet_clean_text(instance->type_names[type], SIZE_MAX, name, sizeof name);
    processor_text(instance, type, row->first, processor);
    snprintf(title, sizeof title, "%s %s: %s", name, processor, what);
    double x = duet_gantt_x(layout, from);
    canvas->does->hatch(
        canvas, gantt->theme->lost,
        (duet_rect){x, row->y, duet_gantt_x(layout, to) - x, duet_gantt_inner(layout, r)}, title);
}

static void time_text(const duet_instance *instance, int64_t at, char *text)
{
    if (duet_clock_is_known(instance)) {
        duet_clock_tell(instance, at, text);
    } else {
        duet_gantt_time(instance, at, text);
    }
}

// Until when a processor is busy, and that it is lost, where it has a row of its own.
static void hatch_rows(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_panel *panel)
{
    const duet_instance *instance = gantt->instance;
    const duet_gantt_layout *layout = &panel->layout;
    for (size_t r = 0; r < layout->rows; r++) {
        const duet_gantt_row *row = &layout->row[r];
        size_t type = layout->group[row->group].type;
        char what[128];
        char end[96];
        if (row->processors != 1) {
            continue;
        }
        int64_t until = duet_busy_until(instance, type, row->first);
        if (until > 0) {
            time_text(instance, until, end);
            snprintf(what, sizeof what, "busy until %s", end);
            hatch_row(canvas, gantt, layout, r, 0, duet_min(until, layout->horizon), what);
        }
        if (duet_is_lost(instance, type, row->first)) {
            int64_t from = duet_intervals_lost_from(instance, &panel->intervals, type, row->first);
            hatch_row(canvas, gantt, layout, r, duet_min(from, layout->horizon), layout->horizon,
                      "lost");
        }
    }
}

// What still names a task where its id is too wide: of equal tasks the number, where their colour
// is theirs alone; where kinds share a colour, what their ids do not share ("0#3" of "B0#3").
static const char *short_name(const duet_gantt *gantt, const duet_gantt_mark *mark, const char *id)
{
    size_t kind = duet_instance_kind_of(gantt->instance, mark->task);
    const duet_gantt_class *class = &gantt->classes.list[mark->class];
    if (class->kinds == 1) {
        const char *number = strrchr(id, '#');
        return number != NULL && duet_count(gantt->instance, kind) > 1 ? number + 1 : NULL;
    }
    if (class->prefix == 0 || duet_instance_group(gantt->instance, kind) != NULL) {
        return NULL;
    }
    const char *rest = id + class->prefix;
    rest += strspn(rest, "_-.:/ ");
    return *rest != '\0' && *rest != '#' ? rest : NULL;
}

// The end of a name that is too wide, behind an ellipsis: what tells long names apart stands there,
// as in "map-lane-4-part-6". NULL: too little of it has room.
static const char *end_of(const duet_letters *letters, const char *name, double room, char *text,
                          size_t size)
{
    enum { LEAST = 4 };
    const char *dot = strrchr(name, '.'); // ".parquet" alone tells nothing
    for (const char *at = name + 1; strlen(at) >= LEAST && (dot == NULL || at < dot); at++) {
        bool inside = ((unsigned char)*at & 0xC0) == 0x80; // of a letter of several bytes
        snprintf(text, size, "\xE2\x80\xA6%s", at);
        if (!inside && duet_gantt_text_width(letters, text) <= room) {
            return text;
        }
    }
    return NULL;
}

// The middle of a label on a box: that of the box, or where a limit would run through the letters,
// that of the wider side of it, if they have room there.
static double middle_of(const duet_gantt_panel *panel, const duet_gantt_mark *mark, double half)
{
    enum { LINE = 3 }; // half the width of a limit with its edges, and some air
    double middle = (mark->x0 + mark->x1) / 2;
    for (size_t i = 0; i < panel->limits; i++) {
        double x = duet_gantt_x(&panel->layout, panel->limit[i].at);
        double left = x - LINE - mark->x0;
        double right = mark->x1 - x - LINE;
        if (fabs(x - middle) < half + LINE && fmax(left, right) >= 2 * half) {
            return left > right ? mark->x0 + left / 2 : mark->x1 - right / 2;
        }
    }
    return middle;
}

// Where a line of the critical path would cross the letters, it ends at them.
static void label(duet_canvas *canvas, const duet_gantt *gantt, const duet_gantt_panel *panel,
                  const duet_gantt_mark *mark, double size)
{
    char id[160];
    char clean[160];
    char end[164];
    const duet_letters letters = {size, false, duet_colour_letters(fill_colour(gantt, mark))};
    double room = mark->x1 - mark->x0 - 3;
    if (duet_instance_task_id(gantt->instance, mark->task, id, sizeof id) >= sizeof id) {
        return;
    }
    duet_clean_text(id, sizeof id, clean, sizeof clean);
    const char *shown = clean;
    if (duet_gantt_text_width(&letters, clean) > room) {
        shown = short_name(gantt, mark, clean);
        if (shown == NULL || duet_gantt_text_width(&letters, shown) > room) {
            shown = *clean == '\0' ? NULL : end_of(&letters, clean, room, end, sizeof end);
        }
    }
    if (shown == NULL) {
        return;
    }
    double base = mark->y + mark->height / 2 + size * 0.36;
    double half = duet_gantt_text_width(&letters, shown) / 2 + 1;
    double middle = middle_of(panel, mark, half);
    const duet_rect around = {middle - half, base - size, 2 * half, size * 1.3};
    if (duet_gantt_is_crossed(panel, around)) {
        canvas->does->rectangle(canvas, fill_colour(gantt, mark), around, NULL);
    }
    canvas->does->text(canvas, &letters, middle, base, DUET_ALIGN_CENTRE, shown);
}

void duet_gantt_draw_labels(duet_canvas *canvas, const duet_gantt *gantt,
                            const duet_gantt_panel *panel)
{
    double height = panel->layout.rows > 0 ? panel->layout.row[0].height : 0;
    double size = fmin(fmax(height * 0.5, 7.5), 11);
    for (size_t i = 0; i < panel->marks.count; i++) {
        const duet_gantt_mark *mark = &panel->marks.mark[i];
        double room = mark->beside > 0 ? mark->height : panel->layout.row[mark->row].height;
        if (mark->task >= 0 && !mark->aborted && mark->x1 - mark->x0 >= size &&
            room >= LEAST_LABEL) {
            label(canvas, gantt, panel, mark, size);
        }
    }
}

void duet_gantt_draw_boxes(duet_canvas *canvas, const duet_gantt *gantt,
                           const duet_gantt_panel *panel)
{
    const duet_gantt_marks *marks = &panel->marks;
    size_t boxes = 0;
    for (size_t i = 0; i < marks->count; i++) {
        boxes += marks->mark[i].task >= 0;
    }
    size_t end;
    for (size_t at = 0; at < marks->count; at = end) {
        const duet_gantt_mark *mark = &marks->mark[at];
        for (end = at + 1; end < marks->count && same_style(mark, &marks->mark[end]); end++) {
        }
        draw_alike(canvas, gantt, panel, mark, end - at, boxes <= MOST_TITLES);
    }
    hatch_aborted(canvas, gantt, panel);
    hatch_rows(canvas, gantt, panel);
}
