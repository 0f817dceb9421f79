import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkKubernetes } from '../scripts/deploy/check-kubernetes.ts'
import { checkPatroniFiles } from '../scripts/deploy/check-patroni-files.ts'
import { fillIn, readClusterEnv, readPatroniSettings } from '../scripts/deploy/templates.ts'
import { commandPaths } from '../scripts/generated/command-paths.ts'
import { loadRoutes } from '../src/http/load-routes.ts'
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
    'its selector does not match its pods',
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
  ['kubernetes/worker.yaml', 'maxUnavailable: 1', 'maxUnavailable: 2', 'a disruption budget of 2 of 2 pods'],
  ['kubernetes/worker.yaml', 'args: [worker]', 'args: [work]', 'the program has no command work'],
  [
    'kubernetes/worker.yaml',
    'readOnlyRootFilesystem: true',
    'readOnlyRootFilesystem: false',
    'may write to its file system',
  ],
  ['kubernetes/migrate.yaml', 'batch/v1', 'batch/v1beta1', 'is not its version'],
  ['kubernetes/migrate.yaml', 'restartPolicy: Never', 'restartPolicy: OnFailure', 'loses its log when it fails'],
  ['kubernetes/migrate.yaml', 'activeDeadlineSeconds: 2400', 'activeDeadlineSeconds: 600', 'ends after 600 s'],
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

test.each(['chart/README.md', 'chart/templates/NOTES.txt', 'kubernetes/README.md'])(
  '%s names the command that creates the first API key, because no log shows one in production',
  (file) => {
    const command = 'keys create development administration --organization'
    const text = readFileSync(join(deploy, file), 'utf8')
    expect(text).toContain(`-- tidings ${command}`)
    expect(text).not.toMatch(/key of the first environment/)
    expect(readFileSync(join(deploy, '../docs/production.md'), 'utf8')).toContain(`npm start -- ${command}`)
  },
)

describe('github-actions.yml', () => {
  type Job = { env: Record<string, string>; steps: { run?: string }[] }
  const text = readFileSync(join(deploy, 'github-actions.yml'), 'utf8')
  const jobs: Record<string, Job> = parse(text).jobs
  const scripts = Object.values(jobs).flatMap(({ env, steps }) =>
    steps.flatMap(({ run }) => (run ? [{ env, run }] : [])),
  )

  test('is what shells read, and says every variable it uses', () => {
    expect(Object.keys(parse(text).on)).toEqual(['pull_request', 'push'])
    expect(scripts.length).toBe(3)
    for (const { env, run } of scripts) {
      execFileSync('bash', ['-n'], { input: run })
      const used = [...run.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name = '']) => name)
      expect(used.filter((name) => !(name in env) && !['PWD', 'GITHUB_STEP_SUMMARY'].includes(name))).toEqual([])
    }
  })

  test('calls commands and operations that there are', async () => {
    const known = commandPaths().map(([name]) => name)
    const called = scripts.flatMap(({ run }) => [...run.matchAll(/"\$TIDINGS_IMAGE" (\w+)/g)].map(([, name]) => name))
    expect(called).toEqual(['diff', 'apply'])
    expect(known).toEqual(expect.arrayContaining(called))
    const routes = (await loadRoutes()).map(({ method, path }) => `${method} ${path}`)
    expect(text).toContain('$TIDINGS_URL/v2/environments/production/publish')
    expect(routes).toContain('POST /v2/environments/{targetEnvironmentId}/publish')
  })

  test.each([
    ['0', 0],
    ['2', 0],
    ['1', 1],
    ['125', 1],
  ])('a diff that ends with %s ends the step with %i, and is in the summary', (code, expected) => {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-actions-'))
    folders.push(folder)
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\necho "called: $*"\nexit ${code}\n`, { mode: 0o755 })
    const summary = join(folder, 'summary')
    const env = { PATH: `${folder}:${process.env.PATH}`, GITHUB_STEP_SUMMARY: summary, TIDINGS_IMAGE: 'tidings' }
    // As GitHub runs it.
    const { status } = spawnSync('bash', ['-e', '-c', scripts[0]?.run ?? ''], { cwd: folder, env })
    expect(status).toBe(expected)
    expect(readFileSync(summary, 'utf8')).toContain('tidings diff /notifications')
  })
})
