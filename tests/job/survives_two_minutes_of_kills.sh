#!/usr/bin/env bash
# Clusters of twenty real machines and of five hundred simulated ones, while a random process of daemon, database and web is
# killed (-9) every second for two minutes: every job ends, every step ran once, no machine is left or missing.
. "$(dirname "$0")/chaos.sh"

seed=${SEED:-$RANDOM}
echo "SEED=$seed"
RANDOM=$seed

prepare_chaos
start_streams "${REAL:-20}" "${SIMULATED:-500}"
declare -A kills
began=$SECONDS
while [ $((SECONDS - began)) -lt "${DURATION:-120}" ]; do
    sleep 1
    case $((RANDOM % 3)) in
        0) victim=daemon && kill_daemon "$dir/run/provisioner/provisioner.lock" "$dir/etc/cooperage.conf" ;;
        1) victim=database && kill_database ;;
        2) victim=web && kill_web ;;
    esac
    kills[$victim]=$((${kills[$victim]:-0} + 1))
done
say "killed: daemon ${kills[daemon]:-0}, database ${kills[database]:-0}, web ${kills[web]:-0}"
end_streams
[ "$(orphans_removed)" -eq "$orphans_before" ] || die "machines were made after their clusters were gone"
echo "1 passed, 0 failed"
