{{/* A setting as text: Helm reads numbers as floating point and would print a million as 1e+06. */}}
{{- define "tidings.text" -}}
{{- if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ toString . }}{{ end -}}
{{- end -}}

{{/* The data of a ConfigMap with settings. */}}
{{- define "tidings.settings" -}}
{{- range $name, $value := . }}
{{ $name }}: {{ include "tidings.text" $value | quote }}
{{- end }}
{{- end -}}

{{/* Settings as environment variables. */}}
{{- define "tidings.settingsEnv" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ include "tidings.text" $value | quote }}
{{- end }}
{{- end -}}

{{/*
Environment variables from Secrets. Takes root, the names of the settings, and in "created" the name of the Secret that
holds secretValues. Settings that no Secret provides are left out.
*/}}
{{- define "tidings.secretEnv" -}}
{{- $values := .root.Values -}}
{{- $created := .created -}}
{{- range $name := .names -}}
{{- $reference := get $values.existingSecrets $name -}}
{{- if hasKey $values.secretValues $name -}}
{{- $reference = dict "name" $created "key" $name -}}
{{- end -}}
{{- if $reference }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $reference.name }}
      key: {{ $reference.key }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What all pods have in common, above their containers. Takes root and the values of the component. */}}
{{- define "tidings.podSettings" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Spreads the pods of a component over nodes and zones. Takes root and component. */}}
{{- define "tidings.topologySpread" -}}
{{- $context := . -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "tidings.selectorLabels" $context | nindent 6 }}
{{- end }}
{{- end -}}

{{/* The image and the rights of a container. Takes root and the values of the component. */}}
{{- define "tidings.container" -}}
image: {{ include "tidings.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
resources:
  {{- toYaml .values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end -}}

{{- define "tidings.probes" -}}
# A process listens once the database answers and has the schema. A start may wait for a migration.
startupProbe:
  httpGet:
    path: /health/live
    port: http
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 150
# Does not depend on the database: a restart would not bring it back.
livenessProbe:
  httpGet:
    path: /health/live
    port: http
  periodSeconds: 10
  timeoutSeconds: 3
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /health/ready
    port: http
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}

{{/* The names of all secret settings that a Secret provides, as a YAML list. */}}
{{- define "tidings.secretNames" -}}
{{- concat (keys .Values.existingSecrets) (keys .Values.secretValues) | uniq | sortAlpha | toYaml -}}
{{- end -}}
