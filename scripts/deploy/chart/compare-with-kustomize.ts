import { environmentOf, type Manifest } from '../kubernetes/objects.ts'
import { isObject } from './chart-files.ts'

/** Labels that only Helm sets. */
const helmLabels = [
  'app.kubernetes.io/instance',
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
]
/**
 * The parts that only the chart has: an account of its own, where images come from, hooks and checksums as annotations, and the
 * default type of a Service. The settings are compared as the environment of each container, because the Job of the chart
 * cannot read a ConfigMap.
 */
const helmFields = ['serviceAccountName', 'imagePullPolicy', 'annotations', 'image', 'envFrom']
const helmKinds = ['ConfigMap', 'ServiceAccount']

/** Returns where the objects of the chart differ from those of deploy/kubernetes. */
export function compareWithKustomize(chart: readonly Manifest[], kustomize: readonly Manifest[]): string[] {
  const [ours, theirs] = [linesOf(chart), linesOf(kustomize)]
  return [
    ...ours.filter((line) => !theirs.includes(line)).map((line) => `only the chart has ${line}`),
    ...theirs.filter((line) => !ours.includes(line)).map((line) => `only deploy/kubernetes has ${line}`),
  ]
}

/** Returns one line for each value, with its path from the object. */
function linesOf(objects: readonly Manifest[]): string[] {
  return objects
    .filter(({ kind }) => !helmKinds.includes(kind))
    .flatMap((object) => lines(withEnvironments(object, objects), `${object.kind} ${object.metadata.name}`))
}

function withEnvironments(object: Manifest, objects: readonly Manifest[]): unknown {
  const copy = structuredClone(object)
  const containers: { env?: unknown; name: string }[] = copy.spec.template?.spec.containers ?? []
  object.spec.template?.spec.containers.forEach((container, n) => {
    const { values } = environmentOf(container, objects)
    const secrets = (container.env ?? []).flatMap(({ name, valueFrom }) => (valueFrom ? [[name, valueFrom]] : []))
    Object.assign(containers[n] ?? {}, { env: { ...values, ...Object.fromEntries(secrets) } })
  })
  // A disruption budget needs no labels.
  if (copy.kind === 'PodDisruptionBudget') delete copy.metadata.labels
  if (copy.kind === 'Service') Object.assign(copy.spec, { type: 'ClusterIP' })
  return copy
}

function lines(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, n) => lines(item, `${path}[${n}]`))
  if (!isObject(value)) return [`${path}: ${value}`]
  return Object.entries(value)
    .filter(([name]) => ![...helmLabels, ...helmFields].includes(name))
    .flatMap(([name, item]) => lines(item, `${path}.${name}`))
}
