# Pages of a cluster of 1,000 machines among 10,000 clusters: their size, and how long the server takes. Each figure is the worst of
# three states of the cluster: active, at work, failed. Sourced by run; `fill` is in api.sh.
bench_pages() {
    start_set
    local id name value figures
    load_catalogue "$repo/sql/examples/simulated/catalogue" >&2
    id=$(make_cluster bench simulated-ten 10)
    fill "$((10#$id))" 10000 listed >&2
    id=$(make_cluster large simulated-ten 1000)
    for _ in 1 2 3; do  # so that it has a past
        answer user 200 -X POST "$url/v2/clusters/$id/services/restart" >/dev/null
        [ "$(wait_until_settled "$id" 120)" = active ] || die "cluster $id did not become active: $(explain "$id")"
    done
    figures=$("$here/pages.py" "$dir" "$id")
    while read -r name value; do
        case $name in
            *.html | *.wire) figure "pages.$name" "$value" kB 60 lower ;;
            *.elements) figure "pages.$name" "$value" "" 2500 lower ;;
            *.update) figure "pages.$name" "$value" kB 5 lower ;;
            *.server) figure "pages.$name" "$value" ms 150 lower ;;
            *) echo "bench: a figure without a goal: $name" >&2 && exit 2 ;;
        esac
    done <<<"$figures"
}
