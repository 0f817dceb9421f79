{{/*
The Deployment of a component, with its disruption budget and its autoscaler. Takes root, component, the values of the
component, the name of the ConfigMap with its settings, those settings, and the names of its secret settings.
*/}}
{{- define "tidings.workload" -}}
{{- $name := printf "%s-%s" (include "tidings.fullname" .root) .component -}}
{{- $scaling := .values.autoscaling -}}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- fail (printf "%s.autoscaling: minReplicas is larger than maxReplicas" .component) -}}
{{- end -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "tidings.labels" . | nindent 4 }}
spec:
  {{- if not $scaling.enabled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "tidings.selectorLabels" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        {{- include "tidings.selectorLabels" . | nindent 8 }}
      annotations:
        # Pods read their settings only when they start, so changed settings replace them.
        checksum/settings: {{ toYaml .settings | sha256sum }}
        checksum/secrets: {{ toYaml .root.Values.secretValues | sha256sum }}
        {{- with .values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      # After STOP_DELAY_SECONDS, a stopping pod waits up to 75 s for calls to providers that are under way.
      terminationGracePeriodSeconds: {{ add 80 (get .settings "STOP_DELAY_SECONDS" | default "5" | int) | max 90 }}
      serviceAccountName: {{ include "tidings.serviceAccountName" .root }}
      {{- include "tidings.podSettings" . | nindent 6 }}
      topologySpreadConstraints:
        {{- include "tidings.topologySpread" . | trim | nindent 8 }}
      containers:
        - name: tidings
          {{- include "tidings.container" . | nindent 10 }}
          args: [{{ .component }}]
          envFrom:
            - configMapRef:
                name: {{ .configMap }}
          env:
            {{- $created := printf "%s-secrets" (include "tidings.fullname" .root) }}
            {{- include "tidings.secretEnv" (dict "root" .root "names" .secrets "created" $created) | trim | nindent 12 }}
          ports:
            - name: http
              containerPort: 3000
          {{- include "tidings.probes" . | nindent 10 }}
          {{- with .mounts }}
          volumeMounts:
            {{- toYaml . | nindent 12 }}
          {{- end }}
      {{- with .volumes }}
      volumes:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- if gt (int (ternary $scaling.minReplicas .values.replicas $scaling.enabled)) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "tidings.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "tidings.selectorLabels" . | nindent 6 }}
{{- end }}
{{- if $scaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels:
    {{- include "tidings.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ $name }}
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    {{- if $scaling.metrics }}
    {{- toYaml $scaling.metrics | nindent 4 }}
    {{- else }}
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $scaling.targetCPUUtilizationPercentage }}
    {{- end }}
{{- end }}
{{- end -}}

{{/*
A Service in front of the pods of a component. Takes root and component. Behind a gateway only the gateway may be reached from
outside the cluster, so the values under "service" do not expose the API.
*/}}
{{- define "tidings.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "tidings.fullname" .root }}-{{ .component }}
  labels:
    {{- include "tidings.labels" . | nindent 4 }}
  {{- $isInner := and .root.Values.gateway.enabled (eq .component "api") }}
  {{- with ternary (dict) .root.Values.service.annotations $isInner }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ ternary "ClusterIP" .root.Values.service.type $isInner }}
  selector:
    {{- include "tidings.selectorLabels" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .root.Values.service.port }}
      targetPort: http
{{- end -}}
