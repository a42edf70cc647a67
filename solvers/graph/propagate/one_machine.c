// SPDX-License-Identifier: Apache-2.0
// Edge finding on the types with one processor.
// Method:    let a set of tasks be due by some time, and another task be one that cannot end by
//            then beside them: it comes after all of them. For each such time the sets are those
//            of all tasks due by then from some head on. A task that may run elsewhere does so,
//            where after them it ends too late. Heads are raised so, and tails by the same
//            backward in time.
// Guarantee: two suppositions prove what follows for a task, each refuted by the work in one
//            interval: that it ends by that time, and that it starts before the others have ended.
//            The second has it cross that time, so that all of the interval behind its start is
//            its own.
// Reference: Carlier, Pinson, "An algorithm for solving the job-shop problem", Management Science
//            35, 1989, and "Adjustment of heads and tails for the job-shop problem", EJOR 78, 1994.
#include "solvers/graph/propagate/one_machine.h"

#include <stdlib.h>

#include "core/number/minmax.h"
#include "core/system/memory.h"
#include "solvers/graph/propagate/tuning.h"

duet_code duet_one_machine_create(duet_one_machine *machine, duet_windows *windows,
                                  duet_error *error)
{
    *machine = (duet_one_machine){.windows = windows};
    machine->task = duet_alloc_raw(DUET_ONE_MACHINE_TASKS, sizeof *machine->task, error);
    return machine->task == NULL ? DUET_E_MEMORY : DUET_OK;
}

void duet_one_machine_free(duet_one_machine *machine)
{
    duet_free(machine->task);
    *machine = (duet_one_machine){.windows = NULL};
}

static bool is_over(const duet_one_machine *machine)
{
    return machine->windows->refuted || machine->windows->no_memory;
}

// --- the tasks ----------------------------------------------------------------------------------

static duet_machine_task read_task(const duet_one_machine *machine, int32_t task)
{
    const duet_windows *windows = machine->windows;
    const duet_window *window = &windows->window[task];
    int64_t time = duet_windows_time(windows, task, machine->type);
    int64_t start = duet_max(window->start, window->end - time);
    int64_t tail = duet_max(window->tail, window->rest - time);
    int64_t head = machine->backward ? tail : start;
    int64_t due = windows->guess - (machine->backward ? start : tail);
    return (duet_machine_task){.task = task, .time = time, .head = head, .due = due, .later = head};
}

static int by_head(const void *a, const void *b)
{
    const duet_machine_task *x = a;
    const duet_machine_task *y = b;
    int order = (x->head > y->head) - (x->head < y->head);
    return order != 0 ? order : (x->task > y->task) - (x->task < y->task);
}

// Appends the tasks that must run on the type, or those that may. Whether there was room.
static bool append(duet_one_machine *machine, bool must)
{
    const duet_windows *windows = machine->windows;
    uint64_t only = UINT64_C(1) << machine->type;
    for (int32_t j = 0; j < windows->tasks; j++) {
        uint64_t types = windows->window[j].types;
        if ((types & only) == 0 || (types == only) != must ||
            duet_windows_time(windows, j, machine->type) == 0) {
            continue;
        }
        if (machine->count == DUET_ONE_MACHINE_TASKS) {
            return false;
        }
        machine->task[machine->count] = read_task(machine, j);
        machine->longest = duet_max(machine->longest, machine->task[machine->count].time);
        machine->count++;
    }
    return true;
}

static bool read_tasks(duet_one_machine *machine)
{
    machine->count = 0;
    machine->longest = 0;
    bool fit = append(machine, true);
    machine->required = machine->count;
    qsort(machine->task, machine->required, sizeof *machine->task, by_head);
    machine->windows->work += 2 * machine->windows->tasks;
    return fit && append(machine, false);
}

// --- what follows -------------------------------------------------------------------------------

// Sums the work of the tasks due by a time over their heads. The latest end of it from one head
// on, and that head.
static int64_t sum_work(duet_one_machine *machine, int64_t deadline, int64_t *from)
{
    int64_t work = 0;
    int64_t end = -1;
    for (size_t i = machine->required; i-- > 0;) {
        duet_machine_task *task = &machine->task[i];
        if (task->due <= deadline) {
            work += task->time;
            if (task->head + work > end) {
                end = task->head + work;
                *from = task->head;
            }
        }
        task->work = work;
    }
    return end;
}

// For each head the latest end of work that starts with it or an earlier one.
static void find_ect(duet_one_machine *machine, int64_t deadline)
{
    int64_t ect = -1;
    int64_t from = 0;
    for (size_t i = 0; i < machine->required; i++) {
        duet_machine_task *task = &machine->task[i];
        if (task->due <= deadline && task->head + task->work > ect) {
            ect = task->head + task->work;
            from = task->head;
        }
        task->ect = ect;
        task->ect_from = from;
    }
}

// The first of the tasks that must run on the type with this head or a later one.
static size_t first_from(const duet_one_machine *machine, int64_t head)
{
    size_t low = 0;
    size_t high = machine->required;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (machine->task[middle].head < head) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// What follows for a task from those due by `deadline`, which end at `end` or later from `from` on.
static void compare(duet_one_machine *machine, duet_machine_task *task, bool must, int64_t deadline,
                    int64_t end, int64_t from)
{
    size_t at = first_from(machine, task->head);
    int64_t with_from = task->head;
    int64_t ect = task->head + (at < machine->required ? machine->task[at].work : 0);
    if (at > 0 && machine->task[at - 1].ect > ect) {
        ect = machine->task[at - 1].ect;
        with_from = machine->task[at - 1].ect_from;
    }
    int64_t later = duet_max(end, deadline - task->time + 1);
    if (ect + task->time <= deadline || later <= task->later ||
        (!must && later + task->time <= task->due)) {
        return;
    }
    task->later = later;
    task->deadline = deadline;
    task->with_from = with_from;
    task->from = from;
}

static void refute(duet_one_machine *machine, int64_t from, int64_t deadline)
{
    duet_windows *windows = machine->windows;
    if (!is_over(machine)) {
        int64_t back = windows->guess - deadline;
        duet_area_line line = {machine->backward ? back : from, machine->backward ? from : back,
                               machine->price};
        duet_windows_write_energy(windows, &line);
        windows->refuted = true;
    }
}

// Whether a time was looked at with a task before this one.
static bool is_known(const duet_one_machine *machine, size_t place)
{
    for (size_t i = 0; i < place; i++) {
        if (machine->task[i].due == machine->task[place].due) {
            return true;
        }
    }
    return false;
}

// Finds what follows from the tasks due by each time.
static void find(duet_one_machine *machine)
{
    for (size_t k = 0; k < machine->required && !is_over(machine); k++) {
        int64_t deadline = machine->task[k].due;
        int64_t from = 0;
        if (is_known(machine, k)) {
            continue;
        }
        int64_t end = sum_work(machine, deadline, &from);
        machine->windows->work += (int64_t)machine->required;
        if (end > deadline) {
            refute(machine, from, deadline);
        } else if (end + machine->longest > deadline) {
            find_ect(machine, deadline);
            for (size_t i = 0; i < machine->count; i++) {
                bool must = i < machine->required;
                duet_machine_task *task = &machine->task[i];
                if (end + task->time > deadline && !(must && task->due <= deadline)) {
                    compare(machine, task, must, deadline, end, from);
                    machine->windows->work += 4;
                }
            }
        }
    }
}

// --- and its proof ------------------------------------------------------------------------------

// Ends a supposition, which is refuted unless memory ran out.
static void close(duet_windows *windows)
{
    if (windows->refuted) {
        duet_windows_conclude(windows);
    } else {
        duet_windows_give_up(windows);
    }
}

// Proves that a task does not start by some time: else there is too much work from `from` up to
// what is due.
static void prove_later(duet_one_machine *machine, const duet_machine_task *task, int64_t start,
                        int64_t from)
{
    duet_windows *windows = machine->windows;
    duet_task_statement what = {DUET_CLAIM_START_BY, task->task, start};
    if (machine->backward) {
        what.kind = DUET_CLAIM_END_AFTER;
        what.value = windows->guess - start - 1;
    }
    if (!is_over(machine) && duet_windows_suppose(windows, what)) {
        refute(machine, from, task->deadline);
        close(windows);
    }
}

static void prove(duet_one_machine *machine, const duet_machine_task *task)
{
    int64_t last = task->deadline - task->time; // start of a task that ends by then
    if (last >= task->head) {
        prove_later(machine, task, last, task->with_from);
    }
    if (task->later > last + 1) {
        prove_later(machine, task, task->later - 1, task->from);
    }
}

// Proves that a task runs elsewhere.
static void prove_off(duet_one_machine *machine, const duet_machine_task *task)
{
    duet_windows *windows = machine->windows;
    duet_task_statement what = {DUET_CLAIM_ON, task->task, (int64_t)machine->type};
    if (!duet_windows_suppose(windows, what)) {
        return;
    }
    if (task->due <= task->deadline) {
        refute(machine, task->with_from, task->deadline);
    } else {
        prove(machine, task);
    }
    close(windows);
}

// Proves what follows for a task, unless more is known by now, and propagates it. Whether anything
// did follow.
static bool conclude(duet_one_machine *machine, const duet_machine_task *task, bool must)
{
    duet_windows *windows = machine->windows;
    if (task->later <= task->head || is_over(machine) ||
        !duet_windows_has(windows, task->task, machine->type)) {
        return false;
    }
    duet_machine_task now = read_task(machine, task->task);
    if (must && now.head < task->later) {
        prove(machine, task);
    } else if (!must && windows->window[task->task].types != UINT64_C(1) << machine->type) {
        prove_off(machine, task);
    }
    duet_windows_propagate(windows);
    return true;
}

static bool narrow_type(duet_one_machine *machine)
{
    bool any = false;
    if (!read_tasks(machine)) {
        return false;
    }
    find(machine);
    for (size_t i = 0; i < machine->count; i++) {
        any = conclude(machine, &machine->task[i], i < machine->required) || any;
    }
    return any;
}

bool duet_one_machine_narrow(duet_one_machine *machine)
{
    const duet_windows *windows = machine->windows;
    bool any = false;
    for (size_t t = 0; t < windows->types; t++) {
        machine->type = t;
        machine->price[t] = 1;
        for (int way = 0; way < 2 && windows->instance->processors[t] == 1; way++) {
            machine->backward = way == 1;
            any = (!is_over(machine) && narrow_type(machine)) || any;
        }
        machine->price[t] = 0;
    }
    return any;
}
