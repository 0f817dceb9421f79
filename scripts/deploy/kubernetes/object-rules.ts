import { checkFields } from './fields.ts'
import { type Container, collectFaults, containersOf, type Labels, type Manifest, matches, ofKind } from './objects.ts'

const versions: Labels = {
  ConfigMap: 'v1',
  Secret: 'v1',
  Service: 'v1',
  ServiceAccount: 'v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  PodDisruptionBudget: 'policy/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  Ingress: 'networking.k8s.io/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
  ServiceMonitor: 'monitoring.coreos.com/v1',
  PrometheusRule: 'monitoring.coreos.com/v1',
}
const dnsName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
const labelName = /^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/
const labelValue = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/

/**
 * Returns what a Kubernetes API server would refuse or never find: fields, names, labels, and references from one object to
 * another. `secrets` names the Secrets that exist already. A real server checks more than this.
 */
export function checkObjects(objects: readonly Manifest[], secrets: ReadonlySet<string>): string[] {
  const known = { objects, secrets: new Set([...secrets, ...ofKind(objects, 'Secret').map((it) => it.metadata.name)]) }
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  const doubled = names.filter((name, n) => names.indexOf(name) < n).map((name) => `${name} exists twice`)
  return [
    ...doubled,
    ...objects.flatMap(checkIdentity),
    ...objects.flatMap(checkFields),
    ...[...ofKind(objects, 'Deployment'), ...ofKind(objects, 'Job')].flatMap((it) => checkReferences(it, known)),
    ...ofKind(objects, 'Service').flatMap((it) => checkService(it, objects)),
    ...ofKind(objects, 'Ingress').flatMap((it) => checkIngress(it, objects)),
    ...ofKind(objects, 'ServiceMonitor').flatMap((it) => checkMonitor(it, known)),
    ...ofKind(objects, 'PodDisruptionBudget').flatMap((it) =>
      checkSelector(it, it.spec.selector?.matchLabels, objects),
    ),
    ...ofKind(objects, 'NetworkPolicy').flatMap((it) => checkSelector(it, it.spec.podSelector?.matchLabels, objects)),
    ...ofKind(objects, 'NetworkPolicy').flatMap(checkPeers),
    ...ofKind(objects, 'HorizontalPodAutoscaler').flatMap((it) => checkScaler(it, objects)),
  ]
}

function checkIdentity({ kind, apiVersion, metadata, spec }: Manifest): string[] {
  const { faults, expect } = collectFaults(`${kind} ${metadata.name}`)
  expect(versions[kind] === apiVersion, `${apiVersion} is not its version`)
  expect(dnsName.test(metadata.name) && metadata.name.length <= 63, 'its name is not a DNS label')
  const all = [metadata.labels, spec?.template?.metadata.labels, spec?.selector?.matchLabels]
  for (const [name, value] of all.flatMap((labels) => Object.entries(labels ?? {}))) {
    expect(labelName.test(name), `the label ${name} has an invalid name`)
    expect(typeof value === 'string' && labelValue.test(value), `the label ${name} has an invalid value`)
  }
  for (const [name, value] of Object.entries({ ...metadata.annotations, ...spec?.template?.metadata.annotations })) {
    expect(typeof value === 'string', `the annotation ${name} is not text`)
  }
  return faults
}

type Known = { objects: readonly Manifest[]; secrets: ReadonlySet<string> }

/** A hook of Helm runs before the other objects exist, so it may refer only to hooks of a lower weight. */
function checkReferences(object: Manifest, { objects, secrets }: Known): string[] {
  const { faults, expect } = collectFaults(object.metadata.name)
  const weightOf = (it: Manifest) => Number(it.metadata.annotations?.['helm.sh/hook-weight'] ?? 0)
  const isHook = (it: Manifest) => it.metadata.annotations?.['helm.sh/hook'] !== undefined
  const find = (kind: string, name: string) => ofKind(objects, kind).find((it) => it.metadata.name === name)
  const exists = (it: Manifest | undefined) =>
    it !== undefined && (!isHook(object) ? !isHook(it) : isHook(it) && weightOf(it) < weightOf(object))
  const pod = object.spec.template?.spec
  const account = pod?.serviceAccountName ?? 'default'
  expect(account === 'default' || exists(find('ServiceAccount', account)), `its account ${account} does not exist`)
  for (const container of containersOf(object)) {
    for (const { configMapRef } of container.envFrom ?? []) {
      const name = configMapRef?.name ?? ''
      expect(exists(find('ConfigMap', name)), `the ConfigMap ${name} does not exist when it starts`)
    }
    for (const { name, value, valueFrom } of container.env ?? []) {
      const secret = valueFrom?.secretKeyRef
      expect((value === undefined) !== (secret === undefined), `${name} has no value, or two`)
      if (!secret) continue
      const made = find('Secret', secret.name)
      expect(secrets.has(secret.name), `${name} comes from ${secret.name}, which nobody makes`)
      expect(!made || exists(made), `the Secret ${secret.name} does not exist when it starts`)
      expect(!made || secret.key in (made.stringData ?? {}), `the Secret ${secret.name} has no key ${secret.key}`)
    }
    for (const fault of checkContainer(container, pod?.volumes ?? [])) expect(false, fault)
  }
  const mounted = containersOf(object).flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))
  for (const { name } of pod?.volumes ?? []) expect(mounted.includes(name), `no container mounts the volume ${name}`)
  return faults
}

function checkContainer(
  { name, env = [], ports = [], volumeMounts = [] }: Container,
  volumes: { name: string }[],
): string[] {
  const { faults, expect } = collectFaults(`container ${name}`)
  const names = env.map((it) => it.name)
  expect(new Set(names).size === names.length, `an environment variable is set twice: ${names}`)
  for (const { value } of env) expect(value === undefined || typeof value === 'string', 'a value is not text')
  expect(new Set(ports.map((it) => it.name)).size === ports.length, 'two ports have one name')
  for (const mount of volumeMounts) {
    expect(
      volumes.some((volume) => volume.name === mount.name),
      `there is no volume ${mount.name}`,
    )
  }
  return faults
}

function checkService({ metadata, spec }: Manifest, objects: readonly Manifest[]): string[] {
  const { faults, expect } = collectFaults(`Service ${metadata.name}`)
  const targets = ofKind(objects, 'Deployment').filter((it) =>
    matches(spec.selector ?? {}, it.spec.template?.metadata.labels),
  )
  const isHeadless = spec.clusterIP === 'None'
  expect(isHeadless ? targets.length > 0 : targets.length === 1, `leads to ${targets.length} deployments`)
  for (const { spec: target } of targets) {
    const ports = target.template?.spec.containers[0]?.ports ?? []
    for (const { targetPort } of spec.ports ?? []) {
      expect(
        ports.some(({ name }) => name === targetPort),
        `no port ${targetPort}`,
      )
    }
  }
  return faults
}

function checkIngress({ metadata, spec }: Manifest, objects: readonly Manifest[]): string[] {
  const { faults, expect } = collectFaults(`Ingress ${metadata.name}`)
  const backends = (spec.rules ?? []).flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))
  expect(backends.length > 0, 'leads nowhere')
  for (const { name, port } of backends) {
    const service = ofKind(objects, 'Service').find((it) => it.metadata.name === name)
    expect(service !== undefined, `the Service ${name} does not exist`)
    expect(service?.spec.ports?.some((it) => it.name === port.name) === true, `${name} has no port ${port.name}`)
  }
  return faults
}

function checkMonitor({ metadata, spec }: Manifest, { objects, secrets }: Known): string[] {
  const { faults, expect } = collectFaults(`ServiceMonitor ${metadata.name}`)
  const services = ofKind(objects, 'Service').filter((it) =>
    matches(spec.selector?.matchLabels ?? {}, it.metadata.labels),
  )
  expect(services.length === 1, `selects ${services.length} services`)
  // The alert about workers that are not ready needs their metrics.
  expect(services[0]?.spec.publishNotReadyAddresses === true, 'does not see pods that are not ready')
  const [container] = ofKind(objects, 'Deployment').flatMap(containersOf)
  const token = container?.env?.find(({ name }) => name === 'METRICS_TOKEN')?.valueFrom?.secretKeyRef
  for (const { port, authorization, relabelings } of spec.endpoints ?? []) {
    expect(services[0]?.spec.ports?.some(({ name }) => name === port) === true, `its Service has no port ${port}`)
    const { name, key } = authorization?.credentials ?? {}
    expect(name === undefined || secrets.has(name), `nobody makes the Secret ${name}`)
    expect(name === token?.name && key === token?.key, 'does not use the token that the pods require')
    const job = relabelings?.find(({ targetLabel }) => targetLabel === 'job')?.replacement
    expect(job === 'tidings', `scrapes under the job ${job}, which the alerts do not know`)
  }
  return faults
}

function checkSelector(
  { kind, metadata }: Manifest,
  selector: Labels | undefined,
  objects: readonly Manifest[],
): string[] {
  const found = objects.filter((it) => matches(selector ?? {}, it.spec?.template?.metadata.labels))
  return found.length === 1 ? [] : [`${kind} ${metadata.name}: selects the pods of ${found.length} objects`]
}

/** Rules of a network policy add up, so a rule for everyone makes the peers of the others pointless. */
function checkPeers({ metadata, spec }: Manifest): string[] {
  const { faults, expect } = collectFaults(`NetworkPolicy ${metadata.name}`)
  const open = (spec.ingress ?? []).filter(({ from }) => from === undefined)
  expect(open.length === 0 || spec.ingress?.length === 1, 'lets everyone in, although it names peers')
  expect(spec.policyTypes?.join() === 'Ingress,Egress', 'does not restrict both directions')
  for (const wanted of ['UDP 53', 'TCP 53']) {
    const ports = (spec.egress ?? []).flatMap((rule) => (rule.to ? [] : rule.ports))
    expect(
      ports.some(({ protocol, port }) => `${protocol} ${port}` === wanted),
      `lets nobody look up names by ${wanted}`,
    )
  }
  return faults
}

function checkScaler({ metadata, spec }: Manifest, objects: readonly Manifest[]): string[] {
  const { faults, expect } = collectFaults(`HorizontalPodAutoscaler ${metadata.name}`)
  const target = ofKind(objects, spec.scaleTargetRef?.kind ?? '').find(
    (it) => it.metadata.name === spec.scaleTargetRef?.name,
  )
  expect(target !== undefined, 'its target does not exist')
  expect(target?.spec.replicas === undefined, 'its target sets replicas too, so every upgrade undoes the scaling')
  expect((spec.minReplicas ?? 1) <= (spec.maxReplicas ?? 0), 'minReplicas is larger than maxReplicas')
  expect((spec.metrics ?? []).length > 0, 'follows no metric')
  for (const { type, resource } of spec.metrics ?? []) {
    expect(
      type === 'External' || (resource?.name === 'cpu' && (resource.target.averageUtilization ?? 0) > 0),
      'follows a metric without a target',
    )
  }
  return faults
}
