import { parseAllDocuments } from 'yaml'

type Resource = { apiVersion: string; kind: string; metadata: { name: string }; spec: Record<string, unknown> }
type Synchronous = { method?: string; number?: number; dataDurability?: string; failoverQuorum?: boolean }
type Cluster = {
  instances: number
  postgresql: { synchronous: Synchronous; parameters: Record<string, unknown> }
  plugins: { name: string; isWALArchiver?: boolean; parameters: { barmanObjectName: string } }[]
  bootstrap: { initdb: { database: string; owner: string } }
}
type Schedule = { cluster: { name: string }; method: string; schedule: string; pluginConfiguration: { name: string } }

// The fields we use, by the definitions of CloudNativePG of 2026-08 (failoverQuorum is one since 1.28) and of the plugin 0.14.
// A wrong name would be dropped in silence by some versions of kubectl, and with it what it was to ensure.
const fields: Record<string, readonly string[]> = {
  Cluster: [
    ...['instances', 'postgresql', 'bootstrap', 'switchoverDelay', 'affinity', 'topologySpreadConstraints'],
    ...['storage', 'walStorage', 'resources', 'plugins'],
  ],
  ObjectStore: ['retentionPolicy', 'configuration'],
  ScheduledBackup: [
    ...['schedule', 'immediate', 'backupOwnerReference', 'cluster', 'target', 'method', 'pluginConfiguration'],
  ],
}
const versions: Record<string, string> = {
  Cluster: 'postgresql.cnpg.io/v1',
  ObjectStore: 'barmancloud.cnpg.io/v1',
  ScheduledBackup: 'postgresql.cnpg.io/v1',
}
const synchronousFields = ['method', 'number', 'dataDurability', 'failoverQuorum']

export function checkPostgres(text: string): { secretName: string; maxConnections: number; faults: string[] } {
  const faults: string[] = []
  const expect = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`cloudnative-pg.yaml: ${fault}`)
  }
  const resources = parseAllDocuments(text).map((document) => {
    for (const error of document.errors) faults.push(`cloudnative-pg.yaml: ${error.message}`)
    return document.toJS() as Resource
  })
  for (const { apiVersion, kind, spec } of resources) {
    expect(versions[kind] === apiVersion, `${kind} of ${apiVersion}`)
    for (const name of Object.keys(spec)) expect(fields[kind]?.includes(name) === true, `${kind} has no field ${name}`)
  }
  const find = (kind: string) => resources.find((it) => it.kind === kind)
  const [cluster, store, schedule] = [find('Cluster'), find('ObjectStore'), find('ScheduledBackup')]
  if (!cluster || !store || !schedule)
    return { secretName: '', maxConnections: 0, faults: ['cloudnative-pg.yaml lacks a part'] }
  const spec = cluster.spec as Cluster
  const { synchronous, parameters } = spec.postgresql
  for (const name of Object.keys(synchronous))
    expect(synchronousFields.includes(name), `synchronous has no field ${name}`)
  expect(spec.instances >= 3, 'strict durability with fewer than three instances stops at the loss of one')
  expect(
    synchronous.method === 'any' && (synchronous.number ?? 0) >= 1 && (synchronous.number ?? 0) < spec.instances - 1,
    'no quorum',
  )
  expect(synchronous.dataDurability === 'required', 'commits may be kept by one server alone')
  expect(synchronous.failoverQuorum === true, 'a standby that lacks commits may be promoted')
  // The operator puts them into a file as text; numbers and booleans are refused.
  for (const [name, value] of Object.entries(parameters)) expect(typeof value === 'string', `${name} is no text`)
  expect(parameters.wal_level === 'logical', 'environments cannot be moved')
  const [plugin] = spec.plugins
  expect(
    plugin?.isWALArchiver === true && plugin.parameters.barmanObjectName === store.metadata.name,
    'the log goes nowhere',
  )
  const backup = schedule.spec as Schedule
  expect(backup.cluster.name === cluster.metadata.name, 'the backup is of another cluster')
  expect(backup.method === 'plugin' && backup.pluginConfiguration.name === plugin?.name, 'the backup goes another way')
  expect(backup.schedule.split(' ').length === 6, 'the schedule needs six fields')
  return { secretName: `${cluster.metadata.name}-app`, maxConnections: Number(parameters.max_connections), faults }
}
