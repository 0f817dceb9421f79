import { fillIn, readClusterEnv, readPatroniSettings } from './templates.ts'

/**
 * Every template can be filled in from cluster.env, and the rules between the times hold. `npm run check-patroni` and
 * `npm run check-backup` run them. Answers the faults.
 */
export function checkPatroniFiles(fill: typeof fillIn = fillIn): string[] {
  const values = readClusterEnv()
  const faults: string[] = []
  for (const file of [
    'patroni/etcd.yml',
    'patroni/haproxy.cfg',
    'pgbackrest/node.conf',
    'pgbackrest/repository.conf',
  ]) {
    fill(file, values)
  }
  const dcs = readPatroniSettings(fill)
  if (dcs.loop_wait + 2 * dcs.retry_timeout > dcs.ttl)
    faults.push('patroni.yml: loop_wait + 2 * retry_timeout is above ttl')
  if (!dcs.synchronous_mode || !dcs.synchronous_mode_strict)
    faults.push('patroni.yml: commits may be kept by one server alone')
  if (dcs.postgresql.parameters.wal_level !== 'logical') faults.push('patroni.yml: environments cannot be moved')
  return faults
}
