#!/bin/sh
# Creates missing files in ./secrets: passwords, and keys of signing roles. Existing files are never overwritten.
# Only the owner can access the folder; its files are readable, because each container mounts its own under another uid.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets

make() {
  [ -s "secrets/$1" ] && return
  printf '%s\n' "$2" >"secrets/$1"
  chmod 444 "secrets/$1"
  echo "made secrets/$1"
}

random() { openssl rand -hex 32; }

for role in '' _api _worker _notifier _indexer; do make "database_password$role" "$(random)"; done
make redis_password "$(random)"
make dashboard_secret "$(random)"
make screening_secret "whsec_$(openssl rand -base64 32)"
make operator_token "$(random)"
make encryption_keys "k1:$(openssl rand -base64 32)"
for key in config_signer_key refund_signer_key relayer_keys; do make "$key" "0x$(random)"; done
if [ ! -s secrets/smtp_url ]; then
  make smtp_url 'smtp://localhost:25'
  echo 'write the URL of your mail server into secrets/smtp_url'
fi
