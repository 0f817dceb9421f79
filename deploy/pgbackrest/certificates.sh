#!/bin/sh
# Certificates for pgbackrest: an authority, and one certificate for each machine. The name inside says what it may do
# (tls-server-auth); the address is what others know it by. Run it once, then give each machine its own two files and ca.crt.
#
#   ./certificates.sh /etc/tidings-certificates node1=10.0.0.11 node2=10.0.0.12 node3=10.0.0.13 repository=10.0.0.20
set -eu
folder=$1
shift
umask 077
mkdir -p "$folder"
cd "$folder"
openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj '/CN=tidings backups' -keyout ca.key -out ca.crt 2> /dev/null
for machine in "$@"; do
  name=${machine%%=*}
  address=${machine#*=}
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$name" -keyout "$name.key" -out "$name.csr" 2> /dev/null
  printf 'subjectAltName=DNS:%s' "$address" > "$name.ext"
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile "$name.ext" -out "$name.crt" 2> /dev/null
  rm "$name.csr" "$name.ext"
done
