import type { Manifest } from './objects.ts'

/**
 * The fields that we use, as paths from the object. Most API servers drop an unknown field without an error, and lose what
 * the field was meant to ensure. A list has the path of its items, and "*" matches any name.
 */
const probe = ['httpGet.path', 'httpGet.port', 'periodSeconds', 'timeoutSeconds', 'failureThreshold']
const selector = ['matchLabels.*']
const under = (path: string, fields: readonly string[]) => fields.map((field) => `${path}.${field}`)
const secretKey = ['name', 'key']
const container = [
  ...['name', 'image', 'imagePullPolicy', 'args', 'envFrom.configMapRef.name', 'env.name', 'env.value'],
  ...under('env.valueFrom.secretKeyRef', secretKey),
  ...['ports.name', 'ports.containerPort', 'volumeMounts.name', 'volumeMounts.mountPath', 'volumeMounts.readOnly'],
  ...['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap((name) => under(name, probe)),
  ...['resources.requests.*', 'resources.limits.*'],
  ...under('securityContext', ['allowPrivilegeEscalation', 'readOnlyRootFilesystem', 'capabilities.drop']),
]
const podSpec = [
  ...['automountServiceAccountToken', 'serviceAccountName', 'restartPolicy', 'terminationGracePeriodSeconds'],
  ...under('securityContext', ['runAsNonRoot', 'runAsUser', 'runAsGroup', 'seccompProfile.type']),
  ...['imagePullSecrets.name', 'priorityClassName', 'nodeSelector.*', 'affinity.**'],
  ...under('tolerations', ['key', 'operator', 'value', 'effect']),
  ...under('topologySpreadConstraints', ['maxSkew', 'topologyKey', 'whenUnsatisfiable']),
  ...under('topologySpreadConstraints.labelSelector', selector),
  ...under('volumes', ['name', 'emptyDir', 'secret.secretName', 'configMap.name']),
  ...under('containers', container),
  ...under('initContainers', container),
]
const template = [
  ...['spec.template.metadata.labels.*', 'spec.template.metadata.annotations.*'],
  ...under('spec.template.spec', podSpec),
]
const peer = [
  ...under('podSelector', selector),
  ...under('namespaceSelector', selector),
  'ipBlock.cidr',
  'ipBlock.except',
]
const direction = ['ports.protocol', 'ports.port']
const fieldsOf: Record<string, readonly string[]> = {
  ConfigMap: ['data.*'],
  Secret: ['type', 'stringData.*'],
  ServiceAccount: ['automountServiceAccountToken'],
  Service: under('spec', [
    ...['type', 'clusterIP', 'publishNotReadyAddresses', 'selector.*', 'ports.name', 'ports.port', 'ports.targetPort'],
  ]),
  Deployment: [
    ...['spec.replicas', 'spec.strategy.type', ...under('spec.strategy.rollingUpdate', ['maxUnavailable', 'maxSurge'])],
    ...under('spec.selector', selector),
    ...template,
  ],
  Job: ['spec.backoffLimit', 'spec.activeDeadlineSeconds', 'spec.ttlSecondsAfterFinished', ...template],
  PodDisruptionBudget: ['spec.maxUnavailable', ...under('spec.selector', selector)],
  HorizontalPodAutoscaler: under('spec', [
    ...under('scaleTargetRef', ['apiVersion', 'kind', 'name']),
    ...['minReplicas', 'maxReplicas', 'metrics.type'],
    ...under('metrics.resource', ['name', 'target.type', 'target.averageUtilization']),
    ...under('metrics.external', ['metric.name', ...under('metric.selector', selector)]),
    ...under('metrics.external.target', ['type', 'value', 'averageValue']),
  ]),
  Ingress: under('spec', [
    ...['ingressClassName', 'tls.secretName', 'tls.hosts', 'rules.host'],
    ...under('rules.http.paths', ['path', 'pathType', 'backend.service.name', 'backend.service.port.name']),
  ]),
  NetworkPolicy: under('spec', [
    ...[...under('podSelector', selector), 'policyTypes'],
    ...under('ingress', [...direction, ...under('from', peer)]),
    ...under('egress', [...direction, ...under('to', peer)]),
  ]),
  ServiceMonitor: under('spec', [
    ...under('selector', selector),
    ...under('endpoints', ['port', 'path', 'interval', ...under('authorization.credentials', secretKey)]),
    ...under('endpoints.relabelings', ['targetLabel', 'replacement']),
  ]),
  PrometheusRule: [
    'spec.groups.name',
    ...under('spec.groups.rules', ['alert', 'expr', 'for', 'labels.*', 'annotations.*']),
  ],
}
/** The fields without which an object is refused or does nothing. */
const requiredFields: Record<string, readonly string[]> = {
  Secret: ['type'],
  ServiceAccount: ['automountServiceAccountToken'],
  HorizontalPodAutoscaler: [
    'spec.scaleTargetRef.apiVersion',
    'spec.minReplicas',
    'spec.maxReplicas',
    'spec.metrics.type',
  ],
  Ingress: ['spec.rules.host', 'spec.rules.http.paths.path', 'spec.rules.http.paths.pathType'],
  ServiceMonitor: under('spec.endpoints', [
    'port',
    'path',
    'interval',
    'relabelings.targetLabel',
    'relabelings.replacement',
  ]),
}
const everywhere = ['apiVersion', 'kind', 'metadata.name', 'metadata.labels.*', 'metadata.annotations.*']

const splitFields = Object.fromEntries(
  Object.entries(fieldsOf).map(([kind, fields]) => [kind, [...everywhere, ...fields].map((path) => path.split('.'))]),
)

/** Returns the fields of an object that Kubernetes does not know in this place, as far as we use them, and missing ones. */
export function checkFields(object: Manifest): string[] {
  const allowed = splitFields[object.kind] ?? []
  const isAllowed = (path: string[]) =>
    allowed.some((fields) =>
      fields.at(-1) === '**'
        ? fields.slice(0, -1).every((field, n) => field === path[n])
        : fields.length === path.length && fields.every((field, n) => field === '*' || field === path[n]),
    )
  // An empty object, such as a selector that selects everything, ends above the last name.
  const isPrefix = (path: string[]) => allowed.some((fields) => path.every((name, n) => name === fields[n]))
  const paths = pathsOf(object)
  const unknown = paths.filter(({ path, isEmpty }) => !isAllowed(path) && !(isEmpty && isPrefix(path)))
  const present = new Set(paths.map(({ path }) => path.join('.')))
  const missing = (requiredFields[object.kind] ?? []).filter((field) => !present.has(field))
  return [
    ...unknown.map(({ path }) => `${object.kind} ${object.metadata.name} has no field ${path.join('.')}`),
    ...missing.map((field) => `${object.kind} ${object.metadata.name} needs ${field}`),
  ]
}

type Path = { path: string[]; isEmpty: boolean }

function pathsOf(value: unknown, path: string[] = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, path))
  if (typeof value !== 'object') return [{ path, isEmpty: false }]
  const entries = Object.entries(value ?? {})
  if (entries.length === 0) return [{ path, isEmpty: value !== null }]
  return entries.flatMap(([name, item]) => pathsOf(item, [...path, name]))
}
