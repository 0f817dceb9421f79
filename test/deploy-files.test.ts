import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkKubernetes } from '../scripts/deploy/check-kubernetes.ts'
import { checkPatroniFiles } from '../scripts/deploy/check-patroni-files.ts'
import { fillIn, readClusterEnv, readPatroniSettings } from '../scripts/deploy/templates.ts'
import { fillInPatroni } from './postgres/patroni-files.ts'

const deploy = join(import.meta.dirname, '../deploy')
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** The faults of the files with one text changed. */
function faultsOf(file: string, from: string, to: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-deploy-'))
  folders.push(folder)
  cpSync(deploy, folder, { recursive: true })
  const text = readFileSync(join(folder, file), 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  writeFileSync(join(folder, file), text.replace(from, to))
  return checkKubernetes(join(folder, 'kubernetes'), join(folder, 'cloudnative-pg.yaml'))
}

test('the files agree with each other and with the program', () => {
  expect([...checkKubernetes(), ...checkPatroniFiles()]).toEqual([])
})

test.each([
  [
    'kubernetes/api.yaml',
    'component: api\n  strategy',
    'component: app\n  strategy',
    'selector does not find its pods',
  ],
  ['kubernetes/api.yaml', 'targetPort: http', 'targetPort: web', 'no port web'],
  ['kubernetes/api.yaml', '/health/ready', '/ready', 'readinessProbe does not ask'],
  [
    'kubernetes/api.yaml',
    'terminationGracePeriodSeconds: 90',
    'terminationGracePeriodSeconds: 30',
    'is killed after 30 s',
  ],
  ['kubernetes/api.yaml', 'name: METRICS_TOKEN', 'name: METRIC_TOKEN', 'there is no setting METRIC_TOKEN'],
  ['kubernetes/api.yaml', 'name: tidings-postgres-app', 'name: postgres', 'comes from postgres'],
  ['kubernetes/worker.yaml', 'maxUnavailable: 1', 'maxUnavailable: 2', 'a budget of 2 of 2'],
  ['kubernetes/worker.yaml', 'args: [worker]', 'args: [work]', 'no command work'],
  ['kubernetes/worker.yaml', 'readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false', 'may write'],
  ['kubernetes/migrate.yaml', 'batch/v1', 'batch/v1beta1', 'is not its version'],
  ['kubernetes/settings.yaml', "STOP_DELAY_SECONDS: '10'", "STOP_DELAY_SECONDS: 'ten'", 'must be a whole number'],
  ['kubernetes/settings.yaml', "DATABASE_POOL_SIZE: '20'", "DATABASE_POOL_SIZE: '200'", 'connections, there are 300'],
  ['kubernetes/kustomization.yaml', '  - worker.yaml\n', '', 'kustomization.yaml lists'],
  ['cloudnative-pg.yaml', 'dataDurability: required', 'dataDurability: preferred', 'kept by one server alone'],
  ['cloudnative-pg.yaml', 'failoverQuorum: true', 'quorumFailover: true', 'has no field quorumFailover'],
  ['cloudnative-pg.yaml', 'barmanObjectName: tidings-backups', 'barmanObjectName: other', 'the log goes nowhere'],
])('%s: "%s" changed to "%s" is seen', (file, from, to, fault) => {
  expect(faultsOf(file, from, to).join('\n')).toContain(fault)
})

test('what failovers are proved with is what we ship, but for sizes', () => {
  const sizes = { max_wal_size: '1GB' }
  const { dcs } = parse(fillInPatroni(readClusterEnv(), { sizes })).bootstrap
  const shipped = readPatroniSettings()
  const { parameters } = shipped.postgresql
  expect(dcs).toEqual({ ...shipped, postgresql: { ...shipped.postgresql, parameters: { ...parameters, ...sizes } } })
})

test('a time of Patroni that breaks its rule, and a value that nobody gives, are seen', () => {
  const slow: typeof fillIn = (file, values) => fillIn(file, values).replace('retry_timeout: 8', 'retry_timeout: 18')
  expect(checkPatroniFiles(slow)).toEqual(['patroni.yml: loop_wait + 2 * retry_timeout is above ttl'])
  expect(() => fillIn('patroni/etcd.yml', {})).toThrow('NODE_NAME')
})
