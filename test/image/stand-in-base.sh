#!/usr/bin/env bash
# Builds a stand-in for an official Node image, for machines that cannot pull one: Node and npm of
# this machine, with busybox. It cannot show that the real base behaves the same.
#   stand-in-base.sh NAME FOLDER   (NAME as in FROM, FOLDER to work in)
set -euo pipefail
name=$1 root=$2/root
node=$(readlink -f "$(command -v node)")
mkdir -p "$root"/{bin,usr/bin,usr/local/bin,usr/local/lib/node_modules,usr/local/etc,etc/ssl/certs,tmp,root,home/node,proc,sys,dev}

busybox=$(command -v busybox)
cp "$busybox" "$root/bin/busybox"
for applet in $("$busybox" --list); do [ -e "$root/bin/$applet" ] || ln -s busybox "$root/bin/$applet"; done
ln -s /bin/env "$root/usr/bin/env"

cp "$node" "$root/usr/local/bin/node"
for library in $(ldd "$node" | grep -oE '/[^ ]+'); do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
cp -rL "$(npm root -g 2> /dev/null)/npm" "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"

printf 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n' > "$root/etc/passwd"
printf 'root:x:0:\nnode:x:1000:\n' > "$root/etc/group"
chmod 1777 "$root/tmp"
chown 1000:1000 "$root/home/node"
tar -C "$root" -c . | podman import --quiet --change 'ENV PATH=/usr/local/bin:/usr/bin:/bin' \
  --change 'CMD ["node"]' - "localhost/$name" > /dev/null
rm -rf "$root"
