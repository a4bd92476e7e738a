# Sign-ins of 100 people at once, against what the machine's cores can hash, and the memory of cooperage-web. Asked over FastCGI,
# past the limit of nginx. Sourced by run.
bench_login() {
    start_set
    local took value name
    took=$("$here/login.py" "$dir")
    while read -r name value; do
        case $name in
            per_second) figure login.sign_ins_per_second_at_100_at_once "$value" 1/s 10 higher ;;
            per_hash) figure login.processor_time_of_a_sign_in_per_one_alone "$value" ratio 1.5 lower ;;
            refused) figure login.told_to_try_again "$value" ratio 0.05 lower ;;
            memory) figure login.peak_memory_of_the_web "$value" MB 250 lower ;;
            *) echo "bench: a figure without a goal: $name" >&2 && exit 2 ;;
        esac
    done <<<"$took"
}
