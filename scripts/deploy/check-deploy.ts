/**
 * npm run check-deploy     (needs Debian's packages prometheus, golang-go, golang-github-masterminds-sprig-dev and
 *                           golang-k8s-sigs-yaml-dev)
 *
 * Checks that Prometheus reads the alerts and every query of deploy/grafana-dashboard.json and docs/operations.md; that the
 * files for Kubernetes, CloudNativePG and Patroni agree with each other and with the program; and that the Helm chart renders
 * to such files too. It starts nothing: `npm run check-patroni` and `npm run check-backup` do.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { checkChart } from './check-chart.ts'
import { checkKubernetes } from './check-kubernetes.ts'
import { checkPatroniFiles } from './check-patroni-files.ts'

const faults = [...checkKubernetes(), ...checkPatroniFiles(), ...checkChart()]
if (faults.length > 0) throw new Error(`deploy/ has faults:\n- ${faults.join('\n- ')}`)
console.log('The Helm chart and the files for Kubernetes, CloudNativePG and Patroni agree.')

type Panel = { title: string; targets?: { expr?: string }[]; panels?: Panel[] }
const dashboard: { panels: Panel[] } = JSON.parse(readFileSync('deploy/grafana-dashboard.json', 'utf8'))
const panels = dashboard.panels.flatMap((panel) => [panel, ...(panel.panels ?? [])])
const queries = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr = '' }) => ({ title, expr })))
if (queries.length < 10) throw new Error(`only ${queries.length} queries were found in the dashboard`)
const runbooks = [...readFileSync('docs/operations.md', 'utf8').matchAll(/```promql\n(.*?)\n```/gs)]
const printed = runbooks.flatMap(([, block = '']) =>
  block.split('\n').map((expr) => ({ title: 'docs/operations.md', expr })),
)
if (printed.length < 10) throw new Error(`only ${printed.length} queries were found in docs/operations.md`)

const folder = mkdtempSync(join(tmpdir(), 'tidings-deploy-'))
try {
  const rules = [...queries, ...printed].map(({ title, expr }, n) => ({
    record: `dashboard:query_${n}`,
    labels: { panel: title },
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  const file = join(folder, 'dashboard.yml')
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }))
  execFileSync('promtool', ['check', 'rules', 'deploy/chart/files/alerts.yml', file], { stdio: 'inherit' })
} finally {
  rmSync(folder, { recursive: true })
}
