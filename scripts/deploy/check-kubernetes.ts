import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { drainWithinMs } from '../../src/build-context.ts'
import { readConfig } from '../../src/config.ts'
import { checkPostgres } from './check-cloudnative-pg.ts'

export type Labels = Record<string, string>
type Probe = { httpGet?: { path: string; port: string | number }; timeoutSeconds?: number }
type Reference = { name: string; key: string }
type Container = {
  image: string
  args: string[]
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: Reference } }[]
  envFrom?: { configMapRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  resources?: { requests?: Labels; limits?: Labels }
  securityContext?: {
    allowPrivilegeEscalation?: boolean
    readOnlyRootFilesystem?: boolean
    capabilities?: { drop: string[] }
  }
}
type Pod = {
  metadata: { labels: Labels }
  spec: {
    terminationGracePeriodSeconds?: number
    automountServiceAccountToken?: boolean
    securityContext?: { runAsNonRoot?: boolean; runAsUser?: number }
    topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[]
    containers: Container[]
  }
}
type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Labels }
  data?: Labels
  spec: {
    replicas?: number
    selector?: Labels & { matchLabels?: Labels }
    template?: Pod
    ports?: { port: number; targetPort: string | number }[]
    maxUnavailable?: number
    strategy?: { rollingUpdate?: { maxSurge: number } }
  }
}

const root = join(import.meta.dirname, '../..')
const versions: Labels = {
  ConfigMap: 'v1',
  Service: 'v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
}
// What a process takes besides its pool: docs/production.md.
const connectionsBesidesPool = 10

/**
 * deploy/kubernetes against itself, against the program and against deploy/cloudnative-pg.yaml. Answers the faults. It does
 * not know all that a Kubernetes API server would refuse.
 */
export function checkKubernetes(
  folder = join(root, 'deploy/kubernetes'),
  postgresFile = join(root, 'deploy/cloudnative-pg.yaml'),
): string[] {
  const faults: string[] = []
  const expect = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault)
  }
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const kustomization: { resources: string[]; images: { name: string }[] } = parse(read('kustomization.yaml'))
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
  expect(
    sameNames(files, kustomization.resources),
    `kustomization.yaml lists ${kustomization.resources}, there are ${files}`,
  )
  const manifests = files.flatMap((file) =>
    parseAllDocuments(read(file)).map((document) => {
      for (const error of document.errors) faults.push(`${file}: ${error.message}`)
      return document.toJS() as Manifest
    }),
  )
  const of = (kind: string) => manifests.filter((it) => it.kind === kind)
  for (const { kind, apiVersion, metadata } of manifests) {
    expect(versions[kind] === apiVersion, `${kind} ${metadata.name}: ${apiVersion} is not its version`)
  }
  expect(of('Secret').length === 0, 'a Secret stands in the files')
  const settings = Object.assign({}, ...of('ConfigMap').map((it) => it.data)) as Labels
  const pods = [...of('Deployment'), ...of('Job')]
  expect(pods.length === 3, `${pods.length} kinds of pods instead of api, worker and migrate`)
  const { secretName, maxConnections, faults: ofPostgres } = checkPostgres(readFileSync(postgresFile, 'utf8'))
  faults.push(...ofPostgres)
  const secrets = new Set([secretName, 'tidings-secrets'])
  for (const it of pods)
    faults.push(...checkPods(it, { settings, secrets, images: kustomization.images.map(({ name }) => name) }))
  for (const it of of('Deployment')) faults.push(...checkDeployment(it, settings))
  for (const it of of('Service')) {
    const targets = of('Deployment').filter(({ spec }) =>
      matches(it.spec.selector ?? {}, spec.template?.metadata.labels),
    )
    expect(targets.length === 1, `Service ${it.metadata.name} leads to ${targets.length} deployments`)
    const ports = targets.flatMap(({ spec }) => spec.template?.spec.containers[0]?.ports ?? [])
    for (const { targetPort } of it.spec.ports ?? []) {
      expect(
        ports.some(({ name }) => name === targetPort),
        `Service ${it.metadata.name}: no port ${targetPort}`,
      )
    }
  }
  for (const deployment of of('Deployment')) {
    const { name } = deployment.metadata
    const budgets = of('PodDisruptionBudget').filter(({ spec }) =>
      matches(spec.selector?.matchLabels ?? {}, deployment.spec.template?.metadata.labels),
    )
    expect(budgets.length === 1, `${name} has ${budgets.length} disruption budgets`)
    const most = budgets[0]?.spec.maxUnavailable ?? 0
    expect(
      most >= 1 && most < (deployment.spec.replicas ?? 1),
      `${name}: a budget of ${most} of ${deployment.spec.replicas}`,
    )
  }
  // Two versions side by side, as docs/production.md asks.
  const processes = of('Deployment').reduce((sum, { spec }) => sum + (spec.replicas ?? 1), 0)
  const needed = 2 * processes * (Number(settings.DATABASE_POOL_SIZE) + connectionsBesidesPool)
  expect(
    needed <= maxConnections,
    `${processes} processes of two versions need ${needed} connections, there are ${maxConnections}`,
  )
  return faults
}

type Known = { settings: Labels; secrets: ReadonlySet<string>; images: readonly string[] }

function checkPods({ metadata, spec }: Manifest, { settings, secrets, images }: Known): string[] {
  const faults: string[] = []
  const expect = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`${metadata.name}: ${fault}`)
  }
  const pod = spec.template?.spec
  const [container] = pod?.containers ?? []
  if (!pod || !container) return [`${metadata.name} has no container`]
  expect(images.includes(container.image), `the image ${container.image} is not named in kustomization.yaml`)
  const commands = readFileSync(join(root, 'src/main.ts'), 'utf8')
  expect(container.args.length === 1 && commands.includes(`['${container.args[0]}', `), `no command ${container.args}`)
  expect(metadata.name === `tidings-${container.args[0]}`, `runs ${container.args[0]}`)
  expect(matches(metadata.labels ?? {}, spec.template?.metadata.labels), 'its pods have other labels')
  expect(container.envFrom?.[0]?.configMapRef?.name === 'tidings-settings', 'does not read the settings')
  const given = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]))
  const source = readFileSync(join(root, 'src/config.ts'), 'utf8')
  for (const name of [...Object.keys(settings), ...Object.keys(given)]) {
    expect(source.includes(`'${name}'`) || source.includes(`source.${name}`), `there is no setting ${name}`)
  }
  for (const { name, valueFrom } of container.env ?? []) {
    const secret = valueFrom?.secretKeyRef?.name ?? ''
    expect(secrets.has(secret), `${name} comes from ${secret || 'the file'}, which nobody makes`)
  }
  // The program itself says whether it would start with these.
  const stand = {
    DATABASE_URL: 'postgres://a',
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    METRICS_TOKEN: 'x'.repeat(8),
  }
  try {
    readConfig({
      ...settings,
      ...Object.fromEntries(Object.keys(given).map((name) => [name, stand[name as keyof typeof stand]])),
    })
  } catch (error) {
    faults.push(`${metadata.name}: ${error instanceof Error ? error.message : error}`)
  }
  const { securityContext: rights } = container
  expect(pod.securityContext?.runAsNonRoot === true && (pod.securityContext.runAsUser ?? 0) > 0, 'may run as root')
  expect(
    rights?.readOnlyRootFilesystem === true && rights.allowPrivilegeEscalation === false,
    'may write or gain rights',
  )
  expect(rights?.capabilities?.drop.includes('ALL') === true, 'keeps capabilities')
  expect(pod.automountServiceAccountToken === false, 'carries a token of the cluster')
  expect(
    container.resources?.requests?.memory !== undefined && container.resources.limits?.memory !== undefined,
    'has no bounds of memory',
  )
  return faults
}

function checkDeployment({ metadata, spec }: Manifest, settings: Labels): string[] {
  const faults: string[] = []
  const expect = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`${metadata.name}: ${fault}`)
  }
  const pod = spec.template?.spec
  const [container] = pod?.containers ?? []
  const labels = spec.template?.metadata.labels
  expect(matches(spec.selector?.matchLabels ?? {}, labels), 'its selector does not find its pods')
  for (const { labelSelector } of pod?.topologySpreadConstraints ?? []) {
    expect(matches(labelSelector.matchLabels, labels), 'spreads other pods')
  }
  const needed = Number(settings.STOP_DELAY_SECONDS) + drainWithinMs / 1000
  const grace = pod?.terminationGracePeriodSeconds ?? 0
  expect(grace >= needed, `is killed after ${grace} s and may need ${needed}`)
  const routes = readFileSync(join(root, 'src/http/health.ts'), 'utf8')
  for (const [kind, path] of [
    ['startupProbe', '/health/live'],
    ['livenessProbe', '/health/live'],
    ['readinessProbe', '/health/ready'],
  ] as const) {
    const probe = container?.[kind]
    expect(probe?.httpGet?.path === path && routes.includes(`server.get('${path}'`), `${kind} does not ask ${path}`)
    expect(container?.ports?.some(({ name }) => name === probe?.httpGet?.port) === true, `${kind} asks no port of it`)
    // The program answers within two.
    expect((probe?.timeoutSeconds ?? 1) >= 3, `${kind} gives up too early`)
  }
  const { port } = readConfig({})
  expect(container?.ports?.[0]?.containerPort === Number(settings.PORT ?? port), 'listens elsewhere')
  return faults
}

/** Whether the labels have everything that is asked for, and something is. */
function matches(selector: Labels, labels: Labels = {}): boolean {
  const wanted = Object.entries(selector)
  return wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value)
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.toSorted().join() === b.toSorted().join()
}
