import type { Values } from './chart-files.ts'
import type { Release } from './render-charts.ts'

/** Values that an installation may give. Two versions of all its processes must fit into the connections of its database. */
export type ValueSet = { values: Values; release?: Partial<Release>; maxConnections: number }

const image = { repository: 'registry.example.com/tidings' }
const ingressNginx = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }
const placement = {
  podAnnotations: { 'example.com/team': 'notifications' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'tidings', effect: 'NoSchedule' }],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  priorityClassName: 'high',
}
const waitingTime = {
  type: 'External',
  external: { metric: { name: 'tidings_oldest_due_age_seconds' }, target: { type: 'Value', value: '10' } },
}

/** The values that make the chart the same as deploy/kubernetes. */
export const likeKustomize: Values = { image, settings: { PUBLIC_URL: 'https://notify.example.com' } }

export const valueSets: Record<string, ValueSet> = {
  'api and worker only': { values: likeKustomize, maxConnections: 300 },

  'an upgrade of everything': {
    release: { name: 'prod', namespace: 'messages', isUpgrade: true },
    maxConnections: 1200,
    values: {
      image: { ...image, digest: `sha256:${'0123456789abcdef'.repeat(4)}`, pullSecrets: [{ name: 'registry' }] },
      settings: {
        ...{ PUBLIC_URL: 'https://notify.example.com', TRUST_PROXY: '10.42.7.0/28', STOP_DELAY_SECONDS: 30 },
        // These are numbers and booleans, which YAML does not keep as they were written.
        ...{ BACKLOG_LIMIT: 1_000_000, DASHBOARD: true, RATE_LIMIT: 500 },
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.tracing:4318',
      },
      existingSecrets: {
        BOOTSTRAP_API_KEY: { name: 'tidings-secrets', key: 'BOOTSTRAP_API_KEY' },
        CELL_TOKEN: { name: 'tidings-secrets', key: 'CELL_TOKEN' },
        CONTROL_DATABASE_URL: { name: 'tidings-control', key: 'uri' },
        OTEL_EXPORTER_OTLP_HEADERS: { name: 'tidings-tracing', key: 'headers' },
      },
      api: { ...placement, autoscaling: { enabled: true, minReplicas: 3, maxReplicas: 12 } },
      worker: { ...placement, autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 8, metrics: [waitingTime] } },
      gateway: {
        ...placement,
        enabled: true,
        cells: [{ name: 'c1', url: 'http://prod-tidings-api.messages' }],
        settings: { TRUST_PROXY: '10.42.3.7', GATEWAY_BUFFER_MB: 32 },
        autoscaling: { enabled: true },
      },
      migration: placement,
      serviceAccount: { annotations: { 'example.com/role': 'tidings' } },
      service: { annotations: { 'example.com/zone': 'local' }, port: 8080 },
      ingress: {
        enabled: true,
        className: 'nginx',
        annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' },
        hosts: ['notify.example.com', 'notices.example.org'],
        tls: [{ secretName: 'notify-tls', hosts: ['notify.example.com'] }],
      },
      networkPolicy: {
        enabled: true,
        ingressFrom: [ingressNginx],
        metricsFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
        databaseTo: [{ podSelector: { matchLabels: { 'cnpg.io/cluster': 'tidings-postgres' } } }],
        extraEgress: [{ ports: [{ protocol: 'TCP', port: 4318 }] }],
      },
      serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
      prometheusRule: {
        enabled: true,
        labels: { release: 'prometheus' },
        runbookBaseUrl: 'https://wiki.example.com/ops',
      },
    },
  },

  'row-level security behind PgBouncer': {
    release: { name: 'notifications' },
    maxConnections: 300,
    values: {
      image: { ...image, tag: '0.17.0-own', pullPolicy: 'Always' },
      settings: { PUBLIC_URL: 'https://notify.example.com', ROW_LEVEL_SECURITY: true },
      existingSecrets: {
        DATABASE_URL: { name: 'pooler', key: 'app' },
        DATABASE_DIRECT_URL: { name: 'postgres', key: 'app' },
        ENCRYPTION_KEYS: { name: 'vault-keys', key: 'keys' },
        METRICS_TOKEN: null,
      },
      migration: { owner: { name: 'postgres', key: 'owner' } },
      extraVolumes: [{ name: 'authority', secret: { secretName: 'postgres-authority' } }],
      extraVolumeMounts: [{ name: 'authority', mountPath: '/etc/postgres', readOnly: true }],
      serviceAccount: { create: false, name: 'default' },
      networkPolicy: { enabled: true, databasePorts: [5432, 6432], privateRanges: [] },
      serviceMonitor: { enabled: true, interval: '30s' },
    },
  },

  'one cell of several, with one pod each': {
    release: { name: 'a-release-whose-name-is-nearly-as-long-as-helm-lets' },
    maxConnections: 120,
    values: {
      image,
      settings: { PUBLIC_URL: 'https://notify.example.com', CELL: 'ca' },
      existingSecrets: { CELL_TOKEN: { name: 'tidings-secrets', key: 'CELL_TOKEN' } },
      api: { replicas: 1 },
      worker: { replicas: 1 },
      migration: { enabled: false },
      serviceAccount: { create: false },
      networkPolicy: { enabled: true },
    },
  },

  'only a gateway': {
    release: { name: 'front', namespace: 'front' },
    maxConnections: 0,
    values: {
      fullnameOverride: 'tidings-front',
      image,
      existingSecrets: { CELL_TOKEN: { name: 'tidings-secrets', key: 'CELL_TOKEN' } },
      api: { enabled: false },
      worker: { enabled: false },
      migration: { enabled: false },
      gateway: {
        enabled: true,
        cells: [
          { name: 'ca', url: 'http://tidings-api.cell-a' },
          { name: 'cb', url: 'http://tidings-api.cell-b:8080' },
        ],
      },
      ingress: { enabled: true, hosts: ['notify.example.com'] },
      networkPolicy: { enabled: true, ingressFrom: [ingressNginx] },
      serviceMonitor: { enabled: true },
    },
  },

  // YAML reads the name as a boolean unless it is quoted.
  'a cell and its gateway behind a load balancer': {
    release: { name: 'on' },
    maxConnections: 240,
    values: {
      image,
      settings: { PUBLIC_URL: 'https://notify.example.com', HOST: '::' },
      existingSecrets: { CELL_TOKEN: { name: 'tidings-secrets', key: 'CELL_TOKEN' } },
      api: { replicas: 2 },
      gateway: { enabled: true, cells: [{ name: 'c1', url: 'http://on-tidings-api' }], settings: { HOST: '::' } },
      service: { type: 'LoadBalancer', annotations: { 'example.com/load-balancer': 'public' } },
    },
  },

  'trying it out with the secrets in the values': {
    release: { name: 'try' },
    maxConnections: 120,
    values: {
      image,
      secretValues: {
        DATABASE_URL: 'postgres://tidings:secret@postgres.example.com/tidings',
        ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
        METRICS_TOKEN: 'a-token-for-metrics',
      },
      api: { replicas: 1 },
      worker: { replicas: 1 },
      serviceMonitor: { enabled: true },
    },
  },
}

/** Values that must be refused, with a part of the message. */
export const refusedValues: [values: Values, fault: string][] = [
  [{}, 'image.repository is required'],
  [{ image, replicaCount: 3 }, 'replicaCount'],
  [{ image, settings: { PUBLIC_URI: 'https://notify.example.com' } }, 'PUBLIC_URI'],
  [{ image, settings: { DATABASE_URL: 'postgres://user:password@host/name' } }, 'DATABASE_URL'],
  [{ image, settings: { PORT: 80 } }, 'PORT'],
  [{ image, existingSecrets: { CELL_TOKEN: { name: 'tidings-secrets' } } }, "'key'"],
  [{ image, secretValues: { ENCRYPTION_KEY: 'k1:…' } }, 'ENCRYPTION_KEY'],
  [{ image, api: { replicas: 0 } }, '/api/replicas'],
  [{ image, api: { resources: { limits: { memory: null } } } }, "'memory'"],
  [{ image, worker: { autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 3 } } }, 'minReplicas is larger'],
  [{ image, settings: { ROW_LEVEL_SECURITY: true } }, 'migration.owner is required'],
  [{ image, gateway: { enabled: true } }, 'gateway.cells is required'],
  [{ image, gateway: { cells: [{ name: 'Ca', url: 'http://a' }] } }, '/gateway/cells/0/name'],
  [{ image, ingress: { enabled: true } }, '/ingress/hosts'],
  [{ image, ingress: { enabled: true, hosts: ['https://notify.example.com'] } }, '/ingress/hosts/0'],
  [{ image: { ...image, digest: 'latest' } }, '/image/digest'],
  [{ image, networkPolicy: { databasePorts: ['5432'] } }, '/networkPolicy/databasePorts/0'],
  [{ image, prometheusRule: { runbookBaseUrl: 'docs/operations.md' } }, '/prometheusRule/runbookBaseUrl'],
  [{ image, migration: { owner: { secret: 'postgres' } } }, '/migration/owner'],
]
