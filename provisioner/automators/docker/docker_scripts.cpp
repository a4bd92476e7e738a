#include "provisioner/automators/docker/docker_scripts.hpp"

namespace provisioner::automators {

std::string container_script() {
    return R"sh(#!/bin/sh
# container check | pull | load | start <argument of run>... | stop | remove

fail() {
    echo "$*" >&2
    exit 1
}

# The first engine that answers: a docker without its daemon is no reason to do without podman.
answers() {
    engine=
    for candidate in docker podman; do
        if command -v $candidate >/dev/null 2>&1 && $candidate info >/dev/null 2>&1; then
            engine=$candidate
            return 0
        fi
    done
    return 1
}

why_none_answers() {
    for candidate in docker podman; do
        command -v $candidate >/dev/null 2>&1 || continue
        echo "$candidate is on this node but does not answer: $($candidate info 2>&1 | tail -n 1)"
        return
    done
    echo "neither docker nor podman is on this node: put one of them into the image"
}

# This service's containers on this node, also those that do not run.
ours() {
    $engine ps -a -q --no-trunc --filter "label=cooperage.cluster=$COOPERAGE_CLUSTER_ID" \
        --filter "label=cooperage.service=$COOPERAGE_SERVICE" --filter "label=cooperage.node=$COOPERAGE_NODENUM"
}

value_of() { $engine inspect --format "$2" "$1"; }

image_is_here() { $engine image inspect "$CONTAINER_IMAGE" >/dev/null 2>&1; }

# A name without a registry is one of Docker Hub's; podman has to be told.
full_name() {
    case $engine:$CONTAINER_IMAGE in
        docker:* | podman:*[.:]*/* | podman:localhost/*) echo "$CONTAINER_IMAGE" ;;
        podman:*/*) echo "docker.io/$CONTAINER_IMAGE" ;;
        *) echo "docker.io/library/$CONTAINER_IMAGE" ;;
    esac
}

check() {
    tries=0
    until answers; do
        tries=$((tries + 1))
        [ "$tries" -lt 10 ] || fail "$(why_none_answers)"
        sleep 1
    done
    # A restart for an update would take the containers with it.
    if grep -q '^ID="\{0,1\}coreos' /etc/os-release 2>/dev/null; then
        for service in update-engine locksmithd; do systemctl stop $service 2>/dev/null; done
    fi
    echo "containers run by $engine"
}

pull() {
    if $engine pull "$(full_name)" </dev/null; then return; fi
    image_is_here || fail "Image $CONTAINER_IMAGE could not be pulled: its registry does not have it or cannot be reached"
    echo "Image $CONTAINER_IMAGE could not be pulled; the one that is here is used"
}

load() {
    [ -f "$CONTAINER_ARCHIVE" ] || fail "image_archive: $CONTAINER_ARCHIVE is not on this node"
    gzip -dcf "$CONTAINER_ARCHIVE" | $engine load || fail "image_archive: it could not be loaded"
    image_is_here || fail "image_archive: it does not contain the image $CONTAINER_IMAGE"
}

refuse_taken_ports() {
    for port in $CONTAINER_PORTS; do
        if $engine ps --format '{{.Ports}}' | grep -q ":$port->"; then
            fail "Port $port already in use on this host!"
        fi
    done
}

# The name people know, unless another container has it.
free_name() {
    for name in "$CONTAINER_NAME" "$CONTAINER_NAME-$COOPERAGE_SERVICE" "$CONTAINER_NAME-$COOPERAGE_SERVICE-$$"; do
        $engine container inspect "$name" >/dev/null 2>&1 || break
    done
    echo "$name"
}

remove_ours() {
    for id in $(ours); do $engine rm -f "$id" >/dev/null || exit 1; done
}

# run and start say nothing about a container that ends in its first moment.
must_live() {
    sleep 1
    [ "$(value_of "$1" '{{.State.Running}}')" != true ] || return 0
    code=$(value_of "$1" '{{.State.ExitCode}}')
    [ "$code" != 0 ] || return 0
    $engine logs --tail 20 "$1" >&2
    fail "the container of $COOPERAGE_SERVICE ended at once with exit code $code"
}

start() {
    if [ "$engine" = podman ] && [ -n "$CONTAINER_LINKS" ]; then
        fail "links: podman has no links between containers; use published ports, or docker"
    fi
    image=$($engine image inspect --format '{{.Id}}' "$CONTAINER_IMAGE" 2>/dev/null) ||
        fail "image_name: $CONTAINER_IMAGE is not on this node; install pulls or loads it"
    # A container keeps what it has written as long as nothing it is made of has changed.
    wanted=$({
        printf '%s\n' "$image" "$@"
        cat "$CONTAINER_ENVIRONMENT"
    } | cksum | tr ' ' -)
    set -- --env-file "$CONTAINER_ENVIRONMENT" "$@"
    for id in $(ours); do
        [ "$(value_of "$id" '{{index .Config.Labels "cooperage.made-of"}}')" = "$wanted" ] || continue
        if [ "$(value_of "$id" '{{.State.Running}}')" = true ]; then
            echo "$id runs"
            return
        fi
        refuse_taken_ports
        $engine start "$id" || exit 1
        must_live "$id"
        return
    done
    remove_ours
    refuse_taken_ports
    if ! id=$($engine run -d --name "$(free_name)" --label "cooperage.cluster=$COOPERAGE_CLUSTER_ID" \
        --label "cooperage.service=$COOPERAGE_SERVICE" --label "cooperage.node=$COOPERAGE_NODENUM" \
        --label "cooperage.made-of=$wanted" "$@" </dev/null); then
        remove_ours
        exit 1
    fi
    echo "$id"
    must_live "$id"
}

stop() {
    for id in $(ours); do $engine stop "$id" || exit 1; done
}

# Facts about the node: every container of this cluster on it, the ports of the host they take, which one runs the image.
tell() {
    containers=
    ports=
    for id in $($engine ps -a -q --no-trunc --filter "label=cooperage.cluster=$COOPERAGE_CLUSTER_ID" \
        --filter "label=cooperage.node=$COOPERAGE_NODENUM"); do
        containers=$containers,$(value_of "$id" '"{{index .Config.Labels "cooperage.service"}}":{"id":"'"$id"'","name":{{json .Name}},"image":{{json .Config.Image}},"state":{{json .State.Status}},"ports":{{json .HostConfig.PortBindings}}}' |
            sed 's|"name":"/|"name":"|')
        [ "$(value_of "$id" '{{.State.Running}}')" = true ] || continue
        for port in $(value_of "$id" '{{json .HostConfig.PortBindings}}' | grep -o '"HostPort":"[0-9]*"' | tr -dc '0-9\n'); do
            ports=$ports,\"$port\"
        done
    done
    if [ -n "$ports" ]; then ports="[${ports#,}]"; else ports=null; fi
    image=null
    for id in $(ours); do image="{\"id\":\"$id\"}"; done
    echo "cooperage-fact containers {${containers#,}}"
    echo "cooperage-fact ports $ports"
    echo "cooperage-fact $CONTAINER_IMAGE $image"
}

action=$1
shift
if [ "$action" = check ]; then
    check
    exit
fi
answers || fail "$(why_none_answers)"
case $action in
    pull | load) $action ;;
    start) start "$@" && tell ;;
    stop) stop && tell ;;
    remove) remove_ours && tell ;;
    *) fail "container cannot $action" ;;
esac
)sh";
}

}  // namespace provisioner::automators
