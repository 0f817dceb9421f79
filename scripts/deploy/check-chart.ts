import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Chart, readChart, valuesOf } from './chart/chart-files.ts'
import { checkSchema, createValuesCheck } from './chart/check-values.ts'
import { compareWithKustomize } from './chart/compare-with-kustomize.ts'
import { checkRelease } from './chart/helm-rules.ts'
import { plantedFaults, plantFault } from './chart/planted-faults.ts'
import { type Rendered, type Rendering, renderCharts } from './chart/render-charts.ts'
import { likeKustomize, refusedValues, type ValueSet, valueSets } from './chart/value-sets.ts'
import { readManifests } from './check-kubernetes.ts'
import { checkObjects } from './kubernetes/object-rules.ts'
import { type Manifest, ofKind } from './kubernetes/objects.ts'
import { checkAgainstProgram } from './kubernetes/program-rules.ts'

/**
 * Renders deploy/chart with several sets of values, and returns the faults of the values and of the objects, and the
 * differences from deploy/kubernetes. Then it plants known faults into copies of the chart, each of which must be reported.
 */
export function checkChart(chart = readChart()): string[] {
  const charts = [chart, ...plantedFaults.map((fault) => plantFault(chart, fault))]
  const sets = charts.flatMap((it) => Object.values(setsOf(it)).map((set) => toRendering(it, set)))
  const refused = refusedValues.map(([values]) => ({ chart, values }))
  const rendered = renderCharts([...sets, ...refused])
  const perChart = Object.keys(setsOf(chart)).length
  const faultsOf = (n: number) => faultsOfChart(charts[n] ?? {}, rendered.slice(n * perChart, (n + 1) * perChart))
  const unseen = plantedFaults.flatMap(({ fault }, n) => {
    const seen = faultsOf(n + 1)
    return seen.some((it) => it.includes(fault))
      ? []
      : [`a planted fault was not reported as "${fault}", but as ${seen}`]
  })
  return [...faultsOf(0), ...unseen, ...faultsOfRefusals(chart, rendered.slice(sets.length))]
}

/** Returns the sets of values, and the values that the README of the chart prints. */
function setsOf(chart: Chart): Record<string, ValueSet> {
  const [, printed = ''] = /```yaml\n(.*?)```/s.exec(chart['README.md'] ?? '') ?? []
  return { ...valueSets, 'the values in README.md': { values: parse(printed), maxConnections: 300 } }
}

const toRendering = (chart: Chart, { values, release }: ValueSet): Rendering => ({
  chart,
  values,
  ...(release && { release }),
})

function faultsOfChart(chart: Chart, rendered: readonly Rendered[]): string[] {
  const check = createValuesCheck(chart)
  const faults = Object.entries(setsOf(chart)).flatMap(([name, set], n) => {
    const result = rendered[n] ?? { objects: [], notes: '', faults: ['was not rendered'] }
    return [...check(set.values), ...faultsOfSet(chart, set, result)].map((fault) => `${name}: ${fault}`)
  })
  const plain = rendered[Object.values(valueSets).findIndex(({ values }) => values === likeKustomize)]
  return [
    ...checkVersion(chart),
    ...checkSchema(chart),
    ...faults,
    ...compareWithKustomize(plain?.objects ?? [], readManifests()),
  ]
}

function faultsOfSet(
  chart: Chart,
  { values, maxConnections, release }: ValueSet,
  { objects, notes, faults }: Rendered,
): string[] {
  if (faults.length > 0) return faults
  const { existingSecrets, migration, prometheusRule } = valuesOf(chart, values) as {
    existingSecrets: Record<string, { name: string }>
    prometheusRule: { enabled: boolean; runbookBaseUrl: string }
    migration: { owner: { name?: string } }
  }
  const secrets = [...Object.values(existingSecrets).map(({ name }) => name), migration.owner.name ?? '']
  const images = objects.flatMap(({ spec }) => spec?.template?.spec.containers.map(({ image }) => image) ?? [])
  return [
    ...(notes.includes('Tidings') ? [] : ['NOTES.txt says nothing']),
    ...checkImages(new Set(images)),
    ...checkRelease(objects, release?.name ?? 'tidings', values),
    ...(prometheusRule.enabled ? checkRunbooks(objects, prometheusRule.runbookBaseUrl) : []),
    ...checkObjects(objects, new Set(secrets)),
    ...checkAgainstProgram(objects, { images, maxConnections }),
  ]
}

/** Checks that all pods of a release run one image, which has a tag or a digest. */
function checkImages(images: ReadonlySet<string>): string[] {
  const [image = ''] = images
  if (images.size === 1 && /^registry\.example\.com\/tidings(:[\w.-]+|@sha256:[0-9a-f]{64})$/.test(image)) return []
  return [`the pods run ${[...images]}`]
}

function checkRunbooks(objects: readonly Manifest[], base: string): string[] {
  const groups = ofKind(objects, 'PrometheusRule').flatMap(({ spec }) => spec.groups ?? [])
  const alerts = groups.flatMap(({ rules }) => rules)
  const wrong = alerts.filter((it) => it.annotations.runbook_url !== `${base}#${it.alert.toLowerCase()}`)
  if (alerts.length < 20) return [`there are only ${alerts.length} alerts`]
  return wrong.map((it) => `${it.alert} links to ${it.annotations.runbook_url}`)
}

function checkVersion(chart: Chart): string[] {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const { version: ours, appVersion } = parse(chart['Chart.yaml'] ?? '')
  return ours === version && appVersion === version ? [] : [`Chart.yaml has ${ours} and ${appVersion}, not ${version}`]
}

function faultsOfRefusals(chart: Chart, rendered: readonly Rendered[]): string[] {
  const check = createValuesCheck(chart)
  return refusedValues.flatMap(([values, fault], n) => {
    const said = [...check(values), ...(rendered[n]?.faults ?? [])]
    return said.some((it) => it.includes(fault))
      ? []
      : [`${JSON.stringify(values)} is not refused with "${fault}": ${said}`]
  })
}
