# Builds and runs the tests and the benchmarks: the half of the launcher that `up` never needs. `cooperage` reads this file.

packages_to_test=(libboost-test-dev git openssh-server logrotate prometheus apache2 lighttpd lighttpd-mod-openssl
    lighttpd-mod-deflate openssl lintian dpkg-dev slirp4netns slapd ldap-utils python3 python3-venv chromium clang-format clang-tidy gettext
    python3-aiosmtpd eatmydata)
packages_to_bench=(ansible-core pssh wrk)
# A node that did not come from Debian brings its own npm and does not bear Debian's.
command -v npm >/dev/null || packages_to_test+=(nodejs npm)

build_what_is_tested() {
    build release "the tool for local hosts" cooperage-local-host cooperage-local-init
    start_root_build
    build release "cooperage and its integration tests" "${programs[@]}" integration_suites packages-content
}

configure_tests() {
    begin "configuring" "$dir/log/build.log"
    configure_build release $tests_are_built
    ninja -C "$repo/build/release" build.ninja >>"$dir/log/build.log" 2>&1 || fail "cmake could not configure"
    end
}

run_tests() {  # run_tests PRESET LABELS [OPTION...]: ctest says which test runs, and how many of how many are done
    local preset=$1 labels=$2
    shift 2
    COOPERAGE_ROOTS=$roots COOPERAGE_CLOUDS_REPORT=$dir/log/clouds.report ctest --test-dir "$repo/build/$preset" -L "^($labels)$" \
        --output-on-failure --output-junit "$dir/log/tests-${labels//|/-}.xml" --no-tests=error "$@"
}

# say_clouds: what the suites of the clouds told of their peers (tests/support/clouds/cloud_site.hpp).
say_clouds() {
    [ -s "$dir/log/clouds.report" ] || return 0
    printf '%-42s %8s %8s %8s %8s\n' peer calls faults made left
    jq -sr 'group_by(.peer)[] | [(.[0].peer | sub(".*/"; "")), (map(.calls) | add), (map(.faults) | add), (map(.made) | add),
                                 (map(.left) | add)] | @tsv' "$dir/log/clouds.report" |
        while IFS=$'\t' read -r peer calls faults made left; do
            printf '%-42s %8s %8s %8s %8s\n' "$peer" "$calls" "$faults" "$made" "$left"
        done
}

unit_tests() {
    build asan "the unit tests with sanitizers" unit_suites
    run_tests asan unit -j "$build_jobs"
}

# set_niceness N: of this session. Where the kernel groups processes by session (autogroup), a process's own niceness counts only within
# its session.
set_niceness() {
    renice -n "$1" -p $BASHPID >/dev/null 2>&1 || true
    if [ -w /proc/$BASHPID/autogroup ]; then echo "$1" >/proc/$BASHPID/autogroup 2>/dev/null || true; fi
}

# The unit tests, while the tests that share one set run: they give way to all others.
command_units_beside() {
    tests_are_built=ON
    set_niceness 19
    unit_tests
}

# What needs no set of everything, while the tests that share one run. Each has a set and a network of its own, and waits for machines most of
# the time; the suites of single clouds wait for their peers.
command_tests_beside() {
    tests_are_built=ON
    local result=0
    (make_packages) || result=1
    run_tests release 'accessibility|fresh|outages|clouds' -LE '^whole_clouds$' -j 3 || result=1
    return $result
}

# start_beside COMMAND: in a session of its own, so that it can be ended with all it has begun.
beside=()
start_beside() {
    setsid "$repo/cooperage" --dir "$dir" --port "$port" "$1" > >(sed -u 's/^/    beside: /') 2>&1 &
    beside+=($!)
}

end_beside() {
    local session
    for session in "${beside[@]}"; do kill -- -"$session" 2>/dev/null || true; done
}

all_tests() {
    build_what_is_tested
    start_beside units_beside
    # A child that is ended just after its fork still has its parent's trap: only the launcher itself may end them.
    trap '[ "$BASHPID" != $$ ] || end_beside' EXIT
    finish_root_build
    local result=0
    run_tests release 'integration|style' -LE '^clouds$' -j 2 || result=1
    # Now, because the races of the tests before are won or lost by time.
    start_beside tests_beside
    run_tests release 'job|browser' || result=1
    echo "waiting for what runs beside"
    local session
    for session in "${beside[@]}"; do wait "$session" || result=1; done
    say_clouds
    trap - EXIT
    [ $result -eq 0 ] || fail_with_tests
}

# Again at the end, because several runs have written side by side.
fail_with_tests() {
    printf '\n'
    "$repo/tests/what_failed.py" "$dir/log"
    step_log=
    fail "not every test has passed"
}

say_how_long() {  # say_how_long LABEL
    local last=$dir/log/test-seconds${1:+-$1}
    case "$1" in
        '') echo "Every test but whole clusters on clouds: about 55 minutes on 2 idle cores, when nothing is in the compiler's cache about 70." ;;
        unit) echo "The unit tests: about 1 minute, with building them 4." ;;
        fresh) echo "The first start on a pristine Debian, and the packages there: about 6 minutes, when nothing is in the compiler's cache 9." ;;
    esac
    if [ -s "$last" ]; then echo "The last time it took $((($(cat "$last") + 30) / 60)) min here."; fi
}

command_test() {
    local label=${1:-} began=$SECONDS
    need_root
    make_folders
    : >"$dir/log/build.log"
    rm -f "$dir/log/clouds.report" "$dir"/log/tests-*.xml
    tests_are_built=ON
    say_how_long "$label"
    install_packages "${packages_to_run[@]}" "${packages_to_build[@]}" "${packages_to_test[@]}"
    case "$label" in
        '') all_tests ;;
        unit) unit_tests ;;
        fresh)
            configure_tests
            build release "cooperage" "${programs[@]}" packages-content
            make_packages
            run_tests release fresh
            ;;
        *)
            build_what_is_tested
            make_packages
            finish_root_build
            run_tests release "$label"
            say_clouds
            ;;
    esac
    echo $((SECONDS - began)) >"$dir/log/test-seconds${label:+-$label}"
}

command_bench() {
    need_root
    make_folders
    : >"$dir/log/build.log"
    tests_are_built=ON
    {
        install_packages "${packages_to_run[@]}" "${packages_to_build[@]}" "${packages_to_test[@]}" "${packages_to_bench[@]}"
        build release "the tool for local hosts" cooperage-local-host cooperage-local-init
        start_root_build
        build release "cooperage and its benchmarks" "${programs[@]}" bench_suites
        finish_root_build
    } >&2
    COOPERAGE_ROOTS=$roots exec "$repo/tests/bench/run" "$@"
}
