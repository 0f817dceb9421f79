import type { Chart } from './chart-files.ts'

/** A text of the chart, its replacement, and a part of the fault that the checks must then report. */
export type PlantedFault = { file: string; from: string; to: string; fault: string }

const workload = 'templates/_workload.tpl'
const pods = 'templates/_pods.tpl'

export const plantedFaults: readonly PlantedFault[] = [
  // A template that Helm cannot render, or that prints nonsense.
  { file: workload, from: '{{- end -}}', to: '{{- end }', fault: 'unexpected "}" in end' },
  { file: 'templates/api.yaml', from: 'dict\n', to: 'env "HOME" |\n', fault: 'function "env" not defined' },
  { file: workload, from: 'nindent 10', to: 'nindent 9', fault: 'templates/api.yaml: ' },
  {
    file: pods,
    from: '.Values.image.pullPolicy',
    to: '.Values.image.policy',
    fault: 'prints a value that does not exist',
  },
  { file: pods, from: '{{ int64 . }}', to: '{{ . }}', fault: 'BACKLOG_LIMIT must be a whole number' },

  // Objects that do not find each other.
  {
    file: workload,
    from: '{{- include "tidings.selectorLabels" . | nindent 6 }}\n  strategy',
    to: '{ app: api }\n  strategy',
    fault: 'its selector does not match its pods',
  },
  { file: workload, from: 'targetPort: http', to: 'targetPort: web', fault: 'no port web' },
  {
    file: 'templates/ingress.yaml',
    from: 'ternary "gateway" "api"',
    to: 'ternary "front" "api"',
    fault: 'the Service prod-tidings-front does not exist',
  },
  {
    file: 'templates/settings.yaml',
    from: '-gateway-settings',
    to: '-gateway',
    fault: 'the ConfigMap prod-tidings-gateway-settings does not exist',
  },
  {
    file: 'templates/migrate.yaml',
    from: '{{- if not .Values.serviceAccount.create }}',
    to: '{{- if .Values.serviceAccount.create }}',
    fault: 'its account tidings does not exist',
  },
  {
    file: 'templates/secrets.yaml',
    from: 'helm.sh/hook-weight: "-10"',
    to: 'helm.sh/hook-weight: "10"',
    fault: 'the Secret try-tidings-migrate does not exist when it starts',
  },
  { file: 'templates/monitoring.yaml', from: '- port: http', to: '- port: metrics', fault: 'has no port metrics' },
  {
    file: 'templates/network-policy.yaml',
    from: '"worker" .Values',
    to: '"workers" .Values',
    fault: 'selects the pods of 0 objects',
  },
  { file: workload, from: 'kind: Deployment\n    name', to: 'kind: Job\n    name', fault: 'its target does not exist' },

  {
    file: 'templates/network-policy.yaml',
    from: '    # Requests and metrics use',
    to: '    - ports: [{ protocol: TCP, port: http }]\n    # Requests and metrics use',
    fault: 'lets everyone in, although it names peers',
  },
  {
    file: 'templates/monitoring.yaml',
    from: 'replace "https://docs',
    to: 'replace "https://doc',
    fault: 'TidingsDown links to https://docs.example.com',
  },

  // Fields and names that Kubernetes does not know.
  { file: pods, from: 'readinessProbe:', to: 'readynessProbe:', fault: 'readinessProbe does not ask /health/ready' },
  {
    file: pods,
    from: 'seccompProfile',
    to: 'secompProfile',
    fault: 'has no field spec.template.spec.securityContext.secomp',
  },
  {
    file: 'templates/ingress.yaml',
    from: 'pathType',
    to: 'pathtype',
    fault: 'has no field spec.rules.http.paths.pathtype',
  },
  { file: workload, from: 'policy/v1\n', to: 'policy/v1beta1\n', fault: 'policy/v1beta1 is not its version' },
  {
    file: 'templates/_names.tpl',
    from: '.Chart.Name | replace "." "-" | trunc 45',
    to: '.Chart.Name',
    fault: 'its name is not a DNS label',
  },
  {
    file: 'templates/_names.tpl',
    from: 'AppVersion | quote }}',
    to: 'AppVersion }}/{{ .component }}',
    fault: 'has an invalid value',
  },

  // Pods that the program or the database cannot carry.
  {
    file: pods,
    from: '- name: {{ $name }}\n  valueFrom',
    to: '- name: APP_{{ $name }}\n  valueFrom',
    fault: 'there is no setting APP_',
  },
  { file: 'values.yaml', from: 'DATABASE_POOL_SIZE: "20"', to: 'POOL_SIZE: "20"', fault: 'POOL_SIZE' },
  {
    file: 'values.yaml',
    from: 'DATABASE_POOL_SIZE: "20"',
    to: 'DATABASE_POOL_SIZE: "90"',
    fault: 'connections, there are 300',
  },
  { file: workload, from: 'args: [{{ .component }}]', to: 'args: [run]', fault: 'the program has no command run' },
  { file: workload, from: 'add 80', to: 'add 8', fault: 'is killed after 90 s' },
  { file: pods, from: 'path: /health/ready', to: 'path: /ready', fault: 'readinessProbe does not ask' },
  {
    file: pods,
    from: 'readOnlyRootFilesystem: true',
    to: 'readOnlyRootFilesystem: false',
    fault: 'may write to its file system',
  },
  { file: pods, from: 'runAsNonRoot: true', to: 'runAsNonRoot: false', fault: 'may run as root' },
  { file: workload, from: 'maxUnavailable: 1', to: 'maxUnavailable: 2', fault: 'a disruption budget of 2 of 2 pods' },
  {
    file: 'templates/migrate.yaml',
    from: 'omit $.Values.settings "ROW_LEVEL_SECURITY"',
    to: 'omit $.Values.settings "CELL"',
    fault: 'nothing migrates as the owner of the tables',
  },

  {
    file: 'templates/migrate.yaml',
    from: 'restartPolicy: Never',
    to: 'restartPolicy: OnFailure',
    fault: 'loses its log when it fails',
  },
  { file: 'templates/migrate.yaml', from: 'backoffLimit: 3', to: 'backoffLimit: 10', fault: 'is tried again 10 times' },
  {
    file: 'templates/migrate.yaml',
    from: 'activeDeadlineSeconds: 2400',
    to: 'activeDeadlineSeconds: 600',
    fault: 'ends after 600 s',
  },
  {
    file: workload,
    from: 'and .root.Values.gateway.enabled (eq .component "api")',
    to: 'and .root.Values.gateway.enabled (eq .component "none")',
    fault: 'can be reached past the gateway',
  },

  // Rules of Helm alone: hooks, labels of the release, and values that reach an object.
  {
    file: 'templates/migrate.yaml',
    from: 'helm.sh/hook: pre-install,pre-upgrade',
    to: 'example.com/hook: none',
    fault: 'Job tidings-migrate is not a hook',
  },
  {
    file: 'templates/migrate.yaml',
    from: 'before-hook-creation',
    to: 'hook-failed',
    fault: 'is not deleted before the next upgrade',
  },
  {
    file: 'templates/_names.tpl',
    from: 'app.kubernetes.io/instance: {{ .root.Release.Name | quote }}\n',
    to: '',
    fault: 'also selects the pods of other releases',
  },
  {
    file: 'templates/_names.tpl',
    from: '{{ .root.Release.Name | quote }}',
    to: '{{ .root.Release.Name }}',
    fault: 'the label app.kubernetes.io/instance has an invalid value',
  },
  { file: workload, from: 'checksum/settings', to: 'checksum/other', fault: 'it has no checksum/settings' },
  {
    file: 'templates/ingress.yaml',
    from: 'ingressClassName: {{ . }}',
    to: 'ingressClassName: traefik',
    fault: 'no object contains the value nginx',
  },
  {
    file: 'templates/monitoring.yaml',
    from: 'replacement: tidings',
    to: 'replacement: notifications',
    fault: 'scrapes under the job notifications',
  },

  // The schema, the versions, the page of the chart, and the files for kustomize.
  { file: 'README.md', from: 'className: nginx', to: 'class: nginx', fault: 'the values in README.md: values/ingress' },
  {
    file: 'values.schema.json',
    from: '"additionalProperties": false',
    to: '"minProperties": 0',
    fault: 'accepts unknown names',
  },
  { file: 'values.schema.json', from: '"RETENTION_DAYS"', to: '"KEEP_DAYS"', fault: 'lacks RETENTION_DAYS' },
  { file: 'Chart.yaml', from: 'appVersion: "', to: 'appVersion: "1', fault: 'Chart.yaml has' },
  {
    file: 'values.yaml',
    from: 'replicas: 3',
    to: 'replicas: 4',
    fault: 'only the chart has Deployment tidings-api.spec.replicas: 4',
  },
  {
    file: pods,
    from: 'failureThreshold: 6',
    to: 'failureThreshold: 7',
    fault: 'only deploy/kubernetes has Deployment',
  },
]

export function plantFault(chart: Chart, { file, from, to }: PlantedFault): Chart {
  const text = chart[file] ?? ''
  if (!text.includes(from)) throw new Error(`${file} of the chart does not contain ${from}`)
  return { ...chart, [file]: text.replace(from, to) }
}
