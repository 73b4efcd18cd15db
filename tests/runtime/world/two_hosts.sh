#!/usr/bin/env bash
# two_hosts.sh WORLD_TASKS LESSON_41: ranks on two hosts, which are network namespaces of this machine with names of their own, and
# between them a link that delays each packet and loses some. Nothing may depend on a quick network: the results are the same.

set -u
tasks=$1 lesson=$2
rank=$(realpath -- "$(dirname -- "$0")/../../../cmake/launcher/rank.sh")
skip() {
  echo "SKIPPED: $*"
  exit 77
}
[ "$(id -u)" = 0 ] || skip 'only root makes network namespaces'
for tool in ip tc unshare mpirun.openmpi; do
  command -v "$tool" >/dev/null || skip "there is no $tool"
done

box=$(mktemp -d)
chmod 755 "$box"
alpha=gs_alpha_$$ beta=gs_beta_$$
trap 'ip netns delete $alpha 2>/dev/null; ip netns delete $beta 2>/dev/null; rm -rf "$box"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*"
  cat "$box/out"
  exit 1
}

{
  ip netns add $alpha && ip netns add $beta &&
    ip link add name to_beta netns $alpha type veth peer name to_alpha netns $beta &&
    ip -n $alpha address add 10.213.0.1/24 dev to_beta && ip -n $beta address add 10.213.0.2/24 dev to_alpha &&
    ip -n $alpha link set lo up && ip -n $beta link set lo up &&
    ip -n $alpha link set to_beta up && ip -n $beta link set to_alpha up
} >"$box/out" 2>&1 || skip "this machine makes no network namespaces: $(cat "$box/out")"
# slow_down HOST DEVICE: delays packets, and loses some: at random where the kernel has netem, else those that come in bursts.
slow_down() {
  tc -n "$1" qdisc add dev "$2" root netem delay 2ms loss 1% 2>/dev/null ||
    tc -n "$1" qdisc add dev "$2" root tbf rate 20mbit burst 4kb limit 12kb
}
{ slow_down $alpha to_beta && slow_down $beta to_alpha; } >"$box/out" 2>&1 || skip "no link can be slowed down: $(cat "$box/out")"

# What both MPIs call in place of ssh, with the host and the words of a command for its shell.
cat >"$box/go_to" <<END_OF_GO_TO
#!/usr/bin/env bash
while [[ \$1 != 10.* ]]; do shift; done
shift
exec ip netns exec $beta unshare --uts bash -c 'hostname beta; eval "\$*"' go_to "\$@"
END_OF_GO_TO
chmod 755 "$box/go_to"

# on_alpha COMMAND...: sets `status`; what is printed is in $box/out. A run that hangs ends before the test does.
on_alpha() {
  ip netns exec $alpha unshare --uts bash -c 'hostname alpha; exec timeout 120 "$@"' on_alpha "$@" >"$box/out" 2>&1 </dev/null
  status=$?
}
openmpi=(mpirun.openmpi --mca orte_execute_quiet 1 --allow-run-as-root --oversubscribe --bind-to none
  --mca plm_rsh_agent "$box/go_to" --mca btl_tcp_if_include 10.213.0.0/24 --mca oob_tcp_if_include 10.213.0.0/24 --host 10.213.0.1:2,10.213.0.2:2)
mpich=(mpirun.mpich -launcher ssh -launcher-exec "$box/go_to" -hosts 10.213.0.1,10.213.0.2)

# both_hosts MPIRUN...: whether ranks run on both.
on_both_hosts() {
  on_alpha "$@" -n 4 hostname
  [ "$status" = 0 ] || fail "hostname by $1 ends with $status"
  [ "$(sort -u "$box/out" | tr '\n' ' ')" = 'alpha beta ' ] || fail "$1 has not started ranks on both hosts"
}
tasks_on() {
  local scenario
  for scenario in tasks deaths; do
    mkdir "$box/$scenario"
    on_alpha "$@" -n 4 "$tasks" "$scenario" "$box/$scenario"
    [ "$status" = 0 ] || fail "$scenario by $1 ends with $status"
    rm -rf "${box:?}/$scenario"
  done
}

on_both_hosts "${openmpi[@]}"
tasks_on "${openmpi[@]}"
export GRIDSTRIDE_CHECKPOINTS=$box/checkpoints
on_alpha "${openmpi[@]}" -x GRIDSTRIDE_CHECKPOINTS -n 4 "$rank" "$lesson" --size 61 --iterations 20
[ "$status" = 0 ] || fail "the lesson ends with $status"
grep -q '✓ all bits of the field, 4 x 1 ranks' "$box/out" || fail 'the bits of the field are others on two hosts'
if command -v mpirun.mpich >/dev/null && [ -e "${lesson%/lessons/*}/runtime/libgridstride_world_mpich.so" ]; then
  on_both_hosts "${mpich[@]}"
  tasks_on "${mpich[@]}"
fi
echo "all as expected; $(tc -n $alpha -s qdisc show dev to_beta | grep -o 'dropped [0-9]*') packets"
