# SPDX-License-Identifier: Apache-2.0
# Processes that mpirun starts, for shell tests. Sourced, behind checks.sh; `duet` is the command.

# As root, more processes than processors, and nothing bound to one of them: Open MPI 4, then 5.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
export PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none

# ranks COUNT COMMAND...: as mpirun, which otherwise waits for ever for a process that cannot start.
ranks() {
    timeout -k 10 1200 mpirun -n "$@"
}

# Whether processes of MPI start here and find each other, which takes more than what starts any other
# command; what was said is in exits.out.
ranks_start() {
    command -v mpirun >exits.out && timeout -k 10 120 mpirun -n 2 "$duet" bench ratios --family small -a lpt --instances 2 \
        >exits.out 2>&1
}

# ended PID: waits for a child for ten minutes, then ends it.
ended() {
    for _ in $(seq 30000); do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.02
    done
    kill -KILL "$1" 2>/dev/null
    wait "$1" 2>/dev/null
}
