# For .ci/run and .ci/long.

# Clock ticks that the processors worked, and all ticks, since the machine started.
ticks() { awk '/^cpu / { for (n = 2; n <= 9; n++) all += $n; print all - $5 - $6, all }' /proc/stat; }
since=$(ticks)
# How much of the processors the step before used shows what could run beside it.
step() {
  local now
  now=$(ticks)
  printf '\n=== %s (after %s s; %s busy since the step before)\n' "$1" "$SECONDS" \
    "$(echo "$since $now" | awk '{ printf "%d %%", ($4 > $2 ? 100 * ($3 - $1) / ($4 - $2) : 0) }')"
  since=$now
}

install() {
  step 'install'
  npm ci --no-audit --no-fund
  if ! { command -v chromium && command -v promtool && command -v go && PATH=$PATH:/usr/sbin command -v pgbouncer; } > /dev/null; then
    # Go renders the Helm chart. Its packages are the largest: 88 MB to download, 520 MB on disk.
    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium prometheus pgbouncer \
      golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev > /dev/null
  fi
}

# What chance picks follows the commit: a second run of the same commit picks the same, the next commit something else.
export CHAOS_SEED=$((16#$(git rev-parse HEAD | cut -c 1-7)))
