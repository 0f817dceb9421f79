import { collectFaults, type Manifest, matches, ofKind } from '../kubernetes/objects.ts'
import { isObject, type Values } from './chart-files.ts'

const labels = ['app.kubernetes.io/version', 'app.kubernetes.io/managed-by', 'helm.sh/chart']

/** Returns where objects of a release break the rules of Helm: labels, hooks, and values that reach no object. */
export function checkRelease(objects: readonly Manifest[], release: string, given: Values): string[] {
  return [
    ...objects.flatMap(checkHook),
    ...objects.flatMap(({ kind, metadata }) =>
      labels
        .filter((name) => !metadata.labels?.[name])
        .map((name) => `${kind} ${metadata.name} lacks the label ${name}`),
    ),
    ...ofKind(objects, 'Deployment').flatMap((it) => checkDeployment(it, objects, release)),
    ...checkHooksOfJob(objects),
    ...checkExposure(objects),
    ...lostValues(objects, given),
  ]
}

function checkHook({ kind, metadata }: Manifest): string[] {
  const { faults, expect } = collectFaults(`${kind} ${metadata.name}`)
  const { annotations = {} } = metadata
  if (annotations['helm.sh/hook'] === undefined) {
    expect(!Object.keys(annotations).some((name) => name.startsWith('helm.sh/hook-')), 'is not a hook')
    return faults
  }
  expect(annotations['helm.sh/hook'] === 'pre-install,pre-upgrade', 'is a hook of another time')
  expect(/^-?\d+$/.test(annotations['helm.sh/hook-weight'] ?? ''), 'has no hook weight')
  // Without this policy the next upgrade fails, because the object of the previous one still exists.
  const policies = annotations['helm.sh/hook-delete-policy']?.split(',') ?? []
  expect(policies.includes('before-hook-creation'), 'is not deleted before the next upgrade')
  expect(kind === 'Job' || policies.includes('hook-succeeded'), 'stays after the migration')
  return faults
}

/** Checks that the migration, and the policy that lets it reach the database, come before everything else. */
function checkHooksOfJob(objects: readonly Manifest[]): string[] {
  const jobs = ofKind(objects, 'Job')
  const policies = ofKind(objects, 'NetworkPolicy').filter(({ spec }) =>
    jobs.some((job) => matches(spec.podSelector?.matchLabels ?? {}, job.spec.template?.metadata.labels)),
  )
  return [...jobs, ...policies]
    .filter(({ metadata }) => !metadata.annotations?.['helm.sh/hook'])
    .map(({ kind, metadata }) => `${kind} ${metadata.name} is not a hook, so it comes too late for the migration`)
}

function checkDeployment({ metadata, spec }: Manifest, objects: readonly Manifest[], release: string): string[] {
  const { faults, expect } = collectFaults(metadata.name)
  const instance = spec.selector?.matchLabels?.['app.kubernetes.io/instance']
  expect(instance === release, 'also selects the pods of other releases')
  const annotations = Object.keys(spec.template?.metadata.annotations ?? {})
  for (const name of ['checksum/settings', 'checksum/secrets']) {
    expect(annotations.includes(name), `changed settings do not replace its pods: it has no ${name}`)
  }
  const [account] = ofKind(objects, 'ServiceAccount')
  const used = spec.template?.spec.serviceAccountName ?? 'default'
  expect(account === undefined || used === account.metadata.name, `its pods use the account ${used}`)
  return faults
}

/** Behind a gateway only the gateway may be reached from outside (docs/gateway.md). */
function checkExposure(objects: readonly Manifest[]): string[] {
  const services = ofKind(objects, 'Service').filter(({ spec }) => spec.clusterIP !== 'None')
  const frontOf = ({ spec }: Manifest) => spec.selector?.['app.kubernetes.io/component']
  if (!services.some((it) => frontOf(it) === 'gateway')) return []
  return services
    .filter((it) => frontOf(it) !== 'gateway' && (it.spec.type !== 'ClusterIP' || it.metadata.annotations))
    .map(({ metadata }) => `Service ${metadata.name} can be reached past the gateway`)
}

/** Returns the given values that no object contains, because a template forgot them. */
function lostValues(objects: readonly Manifest[], given: Values): string[] {
  const found = objects.flatMap(listLeafTexts).join('\n')
  return listLeafTexts(given)
    .filter((leaf) => !found.includes(leaf))
    .map((leaf) => `no object contains the value ${leaf}`)
}

function listLeafTexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(listLeafTexts)
  if (isObject(value)) return Object.values(value).flatMap(listLeafTexts)
  return value === null || typeof value === 'boolean' ? [] : [String(value)]
}
