import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Manifest } from '../kubernetes/objects.ts'
import { type Chart, isObject, type Values, valuesOf } from './chart-files.ts'

export type Release = { name: string; namespace: string; isUpgrade: boolean }
export type Rendering = { chart: Chart; values: Values; release?: Partial<Release> }
/** The result of a rendering. If there are faults, there may be no objects. */
export type Rendered = { objects: Manifest[]; notes: string; faults: string[] }

const ownFiles = /^(Chart\.yaml|values\.yaml|values\.schema\.json|\.helmignore|templates\/.*)$/
const packages = 'golang-go golang-github-masterminds-sprig-dev golang-k8s-sigs-yaml-dev'

/** Renders charts as `helm template` does. Go needs about ten seconds to compile the renderer, so give it all charts at once. */
export function renderCharts(renderings: readonly Rendering[]): Rendered[] {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-chart-'))
  try {
    const program = compileRenderer(folder)
    const input = JSON.stringify(renderings.map(toRequest))
    const output: { objects: unknown[]; notes: string; faults: string[] }[] = JSON.parse(
      execFileSync(program, { input, encoding: 'utf8', maxBuffer: 1e9 }),
    )
    return output.map(({ objects, notes, faults }) => {
      const manifests = objects.filter(isManifest)
      const others = objects.length - manifests.length
      return {
        objects: manifests,
        notes,
        faults: others === 0 ? faults : [...faults, `${others} documents are not objects`],
      }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function compileRenderer(folder: string): string {
  if (!existsSync('/usr/share/gocode/src/github.com/Masterminds/sprig')) {
    throw new Error(
      `Charts are rendered by a program in Go, which needs Debian's packages: apt-get install ${packages}`,
    )
  }
  const program = join(folder, 'render-chart')
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', CGO_ENABLED: '0' }
  execFileSync('go', ['build', '-o', program, join(import.meta.dirname, 'render-chart.go')], {
    env: { ...env, GOCACHE: join(folder, 'cache') },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return program
}

function toRequest({ chart, values, release }: Rendering): Values {
  const { name, namespace, isUpgrade }: Release = {
    ...{ name: 'tidings', namespace: 'tidings', isUpgrade: false },
    ...release,
  }
  const { name: chartName, version, appVersion, ...rest } = parse(chart['Chart.yaml'] ?? '')
  const templates = Object.entries(chart).filter(([path]) => path.startsWith('templates/'))
  return {
    chart: {
      Name: chartName,
      Version: version,
      AppVersion: appVersion,
      Type: rest.type,
      Description: rest.description,
    },
    values: valuesOf(chart, values),
    release: {
      ...{ Name: name, Namespace: namespace, Service: 'Helm', Revision: isUpgrade ? 2 : 1 },
      ...{ IsInstall: !isUpgrade, IsUpgrade: isUpgrade },
    },
    capabilities: { KubeVersion: { Version: 'v1.33.0', Major: '1', Minor: '33' }, APIVersions: ['v1', 'apps/v1'] },
    templates: Object.fromEntries(templates),
    files: Object.fromEntries(Object.entries(chart).filter(([path]) => !ownFiles.test(path))),
  }
}

function isManifest(value: unknown): value is Manifest {
  return isObject(value) && typeof value.kind === 'string' && isObject(value.metadata)
}
