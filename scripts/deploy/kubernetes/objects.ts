export type Labels = Record<string, string>
export type Selector = { matchLabels?: Labels }
export type Probe = { httpGet?: { path: string; port: string | number }; timeoutSeconds?: number }
export type Container = {
  name: string
  image: string
  args: string[]
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[]
  envFrom?: { configMapRef?: { name: string } }[]
  ports?: { name: string; containerPort: number }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  resources?: { requests?: Labels; limits?: Labels }
  volumeMounts?: { name: string; mountPath: string }[]
  securityContext?: {
    allowPrivilegeEscalation?: boolean
    readOnlyRootFilesystem?: boolean
    capabilities?: { drop: string[] }
  }
}
export type PodSpec = {
  terminationGracePeriodSeconds?: number
  automountServiceAccountToken?: boolean
  serviceAccountName?: string
  restartPolicy?: string
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number }
  topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[]
  initContainers?: Container[]
  containers: Container[]
  volumes?: { name: string }[]
}
type Backend = { service: { name: string; port: { name?: string } } }
export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Labels; annotations?: Labels }
  data?: Labels
  stringData?: Labels
  spec: {
    activeDeadlineSeconds?: number
    backoffLimit?: number
    replicas?: number
    minReplicas?: number
    maxReplicas?: number
    scaleTargetRef?: { kind: string; name: string }
    selector?: Labels & Selector
    podSelector?: Selector
    ingress?: { from?: unknown[] }[]
    egress?: { to?: unknown[]; ports: { protocol: string; port: number }[] }[]
    policyTypes?: string[]
    metrics?: { type: string; resource?: { name: string; target: { averageUtilization?: number } } }[]
    template?: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec }
    type?: string
    clusterIP?: string
    publishNotReadyAddresses?: boolean
    ports?: { name?: string; port: number; targetPort: string | number }[]
    endpoints?: {
      port: string
      authorization?: { credentials: { name: string; key: string } }
      relabelings?: { targetLabel: string; replacement: string }[]
    }[]
    maxUnavailable?: number
    strategy?: { rollingUpdate?: { maxSurge: number } }
    rules?: { http: { paths: { backend: Backend }[] } }[]
    groups?: { rules: { alert: string; annotations: Labels }[] }[]
  }
}

/** Collects what is wrong with one object. Each fault begins with the object's name. */
export function collectFaults(subject: string): { faults: string[]; expect(holds: boolean, fault: string): void } {
  const faults: string[] = []
  const expect = (holds: boolean, fault: string) => {
    if (!holds) faults.push(`${subject}: ${fault}`)
  }
  return { faults, expect }
}

/** Whether the labels contain everything that the selector asks for. An empty selector matches nothing. */
export function matches(selector: Labels, labels: Labels = {}): boolean {
  const wanted = Object.entries(selector)
  return wanted.length > 0 && wanted.every(([name, value]) => labels[name] === value)
}

export function ofKind(objects: readonly Manifest[], kind: string): Manifest[] {
  return objects.filter((it) => it.kind === kind)
}

export function containersOf({ spec }: Manifest): Container[] {
  const pod = spec.template?.spec
  return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])]
}

/** The fewest and the most pods of a Deployment, which an autoscaler may change. */
export function replicasOf(deployment: Manifest, objects: readonly Manifest[]): { fewest: number; most: number } {
  const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find(
    ({ spec }) => spec.scaleTargetRef?.name === deployment.metadata.name,
  )
  const given = deployment.spec.replicas ?? 1
  return { fewest: scaler?.spec.minReplicas ?? given, most: scaler?.spec.maxReplicas ?? given }
}

/** The values of a container's environment, of its ConfigMaps and its own, and the names that come from Secrets. */
export function environmentOf(
  container: Container,
  objects: readonly Manifest[],
): { values: Labels; secrets: string[] } {
  const maps = (container.envFrom ?? []).map(({ configMapRef }) =>
    ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef?.name),
  )
  const own = (container.env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))
  const secrets = (container.env ?? []).flatMap(({ name, valueFrom }) => (valueFrom ? [name] : []))
  return { values: Object.assign({}, ...maps.map((map) => map?.data), Object.fromEntries(own)), secrets }
}
