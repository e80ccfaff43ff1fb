#!/bin/sh
# Starts a sandbox for each `server` line of nginx.conf, and nginx in front of them. Ctrl+C stops all of them.
#   SANDBOX_ADMIN_TOKEN=choose-a-long-one ./start.sh [FOLDER]
# FOLDER keeps the Worlds: start with the same one to continue.
set -eu
: "${SANDBOX_ADMIN_TOKEN:?choose a long one: calls over a whole sandbox will ask for it}"
export SANDBOX_ADMIN_TOKEN

here=$(cd "$(dirname "$0")" && pwd)
program=$here/../../bin/micro-insurance-sandbox.cjs
folder=${1:-$here/state}
# Debian's nginx is not in the PATH of ordinary users.
PATH=$PATH:/usr/sbin
mkdir -p "$folder/nginx"
folder=$(cd "$folder" && pwd)

pids=
trap 'trap - EXIT; kill $pids 2>/dev/null; wait' EXIT
trap 'exit 0' INT TERM

ports=$(sed -n 's/^ *server 127\.0\.0\.1:\([0-9]*\).*/\1/p' "$here/nginx.conf")
for port in $ports; do
  node "$program" --port "$port" --auto-merchants --state "$folder/$port.json" --quiet &
  pids="$pids $!"
done
for port in $ports; do
  node "$program" ready --port "$port" --timeout 30
done
# A sandbox that could not start has printed why. Another program may use its port.
for pid in $pids; do
  kill -0 "$pid" 2>/dev/null || exit 1
done

nginx -e stderr -p "$folder/nginx" -c "$here/nginx.conf" &
nginx=$!
pids="$pids $nginx"
echo "Sandboxes on the ports" $ports "behind $(sed -n 's/^ *listen \(.*\);/\1/p' "$here/nginx.conf")"
wait "$nginx"
