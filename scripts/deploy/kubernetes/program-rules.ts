import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drainWithinMs } from '../../../src/build-context.ts'
import { readConfig } from '../../../src/config.ts'
import { readGatewayConfig } from '../../../src/gateway/gateway-config.ts'
import { commandPaths } from '../../generated/command-paths.ts'
import {
  type Container,
  collectFaults,
  containersOf,
  environmentOf,
  type Labels,
  type Manifest,
  matches,
  ofKind,
  replicasOf,
} from './objects.ts'

const root = join(import.meta.dirname, '../../..')
const sources = ['src/config.ts', 'src/gateway/gateway-config.ts', 'src/http/health.ts'] as const
const textOf = Object.fromEntries(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const commands = new Set(commandPaths().map((path) => path.join(' ')))
const readSource = (file: (typeof sources)[number]) => textOf[file] ?? ''
// The connections of a process besides its pool (docs/production.md).
const connectionsBesidesPool = 10
const examples: Labels = {
  DATABASE_URL: 'postgres://a',
  DATABASE_DIRECT_URL: 'postgres://a',
  CONTROL_DATABASE_URL: 'postgres://a',
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  METRICS_TOKEN: 'x'.repeat(8),
  CELL_TOKEN: 'x'.repeat(8),
  BOOTSTRAP_API_KEY: 'x'.repeat(8),
  OTEL_EXPORTER_OTLP_HEADERS: 'a=b',
}

/** The images that the files may name, and the most connections that the database accepts. */
export type DeployLimits = { images: readonly string[]; maxConnections: number }

/** Returns where Kubernetes objects disagree with the program: its commands, settings, probes and times. */
export function checkAgainstProgram(objects: readonly Manifest[], { images, maxConnections }: DeployLimits): string[] {
  const deployments = ofKind(objects, 'Deployment')
  const jobs = ofKind(objects, 'Job')
  const faults = [...deployments, ...jobs].flatMap((it) => checkPods(it, objects, images))
  faults.push(...jobs.flatMap(checkJob))
  faults.push(...deployments.flatMap((it) => checkDeployment(it, objects)))
  faults.push(...deployments.flatMap((it) => checkBudget(it, objects)))
  return [...faults, ...checkConnections(deployments, objects, maxConnections)]
}

function checkPods(object: Manifest, objects: readonly Manifest[], images: readonly string[]): string[] {
  const { faults, expect } = collectFaults(object.metadata.name)
  const pod = object.spec.template?.spec
  const containers = containersOf(object)
  expect(containers.length > 0, 'has no container')
  expect(matches(object.spec.template?.metadata.labels ?? {}, object.metadata.labels), 'its pods have other labels')
  expect(
    pod?.securityContext?.runAsNonRoot === true && (pod.securityContext.runAsUser ?? 0) > 0,
    'its pods may run as root',
  )
  expect(pod?.automountServiceAccountToken === false, 'its pods get a token of the cluster')
  for (const container of containers) {
    expect(images.includes(container.image), `nobody names the image ${container.image}`)
    const [command = ''] = container.args
    expect(container.args.length === 1 && commands.has(command), `the program has no command ${container.args}`)
    expect(object.metadata.name.endsWith(`-${command}`), `runs ${command}`)
    for (const fault of [...checkSettings(container, objects), ...checkRights(container)]) expect(false, fault)
  }
  const underRowLevelSecurity = containers.map(
    (container) => environmentOf(container, objects).values.ROW_LEVEL_SECURITY === 'true',
  )
  expect(
    object.kind !== 'Job' || underRowLevelSecurity[0] === false,
    'nothing migrates as the owner of the tables, because row-level security is on',
  )
  return faults
}

/** Asks the program itself whether it would start with these settings. */
function checkSettings(container: Container, objects: readonly Manifest[]): string[] {
  const { values, secrets } = environmentOf(container, objects)
  const isGateway = container.args[0] === 'gateway'
  const source = readSource('src/config.ts') + (isGateway ? readSource('src/gateway/gateway-config.ts') : '')
  const isSetting = (name: string) => source.includes(`'${name}'`) || source.includes(`source.${name}`)
  const unknown = [...Object.keys(values), ...secrets].filter((name) => !isSetting(name))
  const settings = { ...values, ...Object.fromEntries(secrets.map((name) => [name, examples[name]])) }
  const faults = unknown.map((name) => `there is no setting ${name}`)
  if (settings.NODE_ENV !== 'production') faults.push('does not run in production')
  try {
    if (isGateway) readGatewayConfig(settings)
    else readConfig(settings)
  } catch (error) {
    faults.push(String(error instanceof Error ? error.message : error))
  }
  return faults
}

function checkRights({ securityContext: rights, resources }: Container): string[] {
  return [
    ...(rights?.readOnlyRootFilesystem === true ? [] : ['may write to its file system']),
    ...(rights?.allowPrivilegeEscalation === false ? [] : ['may gain rights']),
    ...(rights?.capabilities?.drop.includes('ALL') ? [] : ['keeps capabilities']),
    ...(resources?.requests?.memory && resources.limits?.memory ? [] : ['has no memory request or limit']),
  ]
}

/** Checks that a failed migration ends in time and leaves its log. */
function checkJob({ metadata, spec }: Manifest): string[] {
  const { faults, expect } = collectFaults(metadata.name)
  // With OnFailure, Kubernetes deletes the pod and its log when it gives up.
  expect(spec.template?.spec.restartPolicy === 'Never', 'loses its log when it fails')
  expect((spec.backoffLimit ?? 6) <= 3, `is tried again ${spec.backoffLimit ?? 6} times`)
  const seconds = spec.activeDeadlineSeconds ?? 0
  // A migration waits half an hour for a lock, and every page tells Helm to wait for 40 minutes.
  expect(seconds > 30 * 60 && seconds <= 40 * 60, `ends after ${seconds} s`)
  return faults
}

function checkDeployment(deployment: Manifest, objects: readonly Manifest[]): string[] {
  const { faults, expect } = collectFaults(deployment.metadata.name)
  const { template, selector } = deployment.spec
  const [container] = template?.spec.containers ?? []
  const labels = template?.metadata.labels
  expect(matches(selector?.matchLabels ?? {}, labels), 'its selector does not match its pods')
  const spread = template?.spec.topologySpreadConstraints ?? []
  expect(spread.length > 0, 'does not spread its pods')
  for (const { labelSelector } of spread) expect(matches(labelSelector.matchLabels, labels), 'spreads other pods')
  if (!container) return [...faults, `${deployment.metadata.name}: has no container`]
  const { values } = environmentOf(container, objects)
  const needed = Number(values.STOP_DELAY_SECONDS ?? 5) + drainWithinMs / 1000
  const grace = template?.spec.terminationGracePeriodSeconds ?? 0
  expect(grace >= needed, `is killed after ${grace} s and may need ${needed}`)
  for (const fault of checkProbes(container)) expect(false, fault)
  // The program can write nowhere else.
  const paths = (container.volumeMounts ?? []).map(({ mountPath }) => mountPath)
  expect(container.args[0] !== 'gateway' || paths.includes(values.DATA_DIR ?? ''), 'has no volume for its DATA_DIR')
  const port = Number(values.PORT ?? readConfig({}).port)
  expect(container.ports?.[0]?.containerPort === port, `does not listen on the port ${port}`)
  return faults
}

function checkProbes(container: Container): string[] {
  const { faults, expect } = collectFaults('probes')
  const routes = readSource('src/http/health.ts')
  for (const [kind, path] of [
    ['startupProbe', '/health/live'],
    ['livenessProbe', '/health/live'],
    ['readinessProbe', '/health/ready'],
  ] as const) {
    const probe = container[kind]
    expect(probe?.httpGet?.path === path && routes.includes(`server.get('${path}'`), `${kind} does not ask ${path}`)
    expect(
      container.ports?.some(({ name }) => name === probe?.httpGet?.port) === true,
      `${kind} uses a port that the container does not name`,
    )
    // The program answers within two seconds.
    expect((probe?.timeoutSeconds ?? 1) >= 3, `${kind} gives up too early`)
  }
  return faults
}

function checkBudget(deployment: Manifest, objects: readonly Manifest[]): string[] {
  const { faults, expect } = collectFaults(deployment.metadata.name)
  const budgets = ofKind(objects, 'PodDisruptionBudget').filter(({ spec }) =>
    matches(spec.selector?.matchLabels ?? {}, deployment.spec.template?.metadata.labels),
  )
  const { fewest } = replicasOf(deployment, objects)
  expect(budgets.length === (fewest > 1 ? 1 : 0), `${budgets.length} disruption budgets for ${fewest} pods`)
  for (const { spec } of budgets) {
    const most = spec.maxUnavailable ?? 0
    expect(most >= 1 && most < fewest, `a disruption budget of ${most} of ${fewest} pods`)
  }
  return faults
}

/** During an upgrade two versions run side by side (docs/production.md). */
function checkConnections(deployments: Manifest[], objects: readonly Manifest[], maxConnections: number): string[] {
  const needed = deployments.map((deployment) => {
    const [container] = deployment.spec.template?.spec.containers ?? []
    if (!container || container.args[0] === 'gateway') return 0
    const { values } = environmentOf(container, objects)
    return 2 * replicasOf(deployment, objects).most * (Number(values.DATABASE_POOL_SIZE) + connectionsBesidesPool)
  })
  const sum = needed.reduce((a, b) => a + b, 0)
  if (sum <= maxConnections) return []
  return [`two versions of all pods need ${sum} connections, there are ${maxConnections}`]
}
