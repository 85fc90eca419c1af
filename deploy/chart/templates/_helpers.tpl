{{- define "remit.labels" -}}
app.kubernetes.io/name: remit
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "remit.fullLabels" -}}
{{ include "remit.labels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "remit.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* A pod of any process: root, name, args, secret, resources, and what its container has besides. */ -}}
{{- define "remit.pod" -}}
metadata:
  labels: {{- include "remit.labels" . | nindent 4 }}
  {{- if not .isJob }}
  annotations:
    # Pods restart when the configuration changes.
    checksum/config: {{ toJson .root.Values.config | sha256sum }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: 30
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile: { type: RuntimeDefault }
  {{- if .isJob }}
  restartPolicy: OnFailure
  {{- else }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "remit.labels" . | nindent 10 }}
  {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .container }}
      image: {{ include "remit.image" .root | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      {{- with .command }}
      command: {{- toYaml . | nindent 8 }}
      {{- end }}
      args: {{- toYaml .args | nindent 8 }}
      env:
        - { name: SECRETS_DIRECTORY, value: /run/secrets/remit }
        {{- if not .isJob }}
        - { name: METRICS_PORT, value: {{ .root.Values.metricsPort | quote }} }
        {{- end }}
        {{- with .env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- if not .isJob }}
      envFrom:
        - configMapRef: { name: {{ .root.Release.Name }}-config }
      {{- end }}
      {{- with .ports }}
      ports: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .probes }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
      resources: {{- toYaml .resources | nindent 8 }}
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities: { drop: [ALL] }
      volumeMounts:
        - { name: secrets, mountPath: /run/secrets/remit, readOnly: true }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: secrets
      secret: { secretName: {{ .secret }}, defaultMode: 0440 }
    - name: tmp
      emptyDir: { sizeLimit: 64Mi }
{{- end }}

{{- /* At least one of several stays while nodes are drained. */ -}}
{{- define "remit.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels: {{- include "remit.fullLabels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "remit.labels" . | nindent 6 }}
{{- end }}
