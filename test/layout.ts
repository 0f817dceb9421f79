import { dirname } from 'node:path/posix'
import { findCircles, type Import } from './import-graph.ts'

/** The layout rules that a machine can check. test/layout.test.ts applies them, and shows that each can fail. */

/** `file`: its path from the root of the checkout. */
export type SourceFile = { file: string; imports: readonly Import[] }

// Higher may import lower. Edges (7) do not import one another, and neither do adapters (4).
const levels: Record<string, number> = {
  main: 9,
  commands: 8,
  routes: 7,
  tasks: 7,
  gateway: 7,
  http: 6,
  core: 5,
  config: 5,
  store: 4,
  engine: 4,
  providers: 4,
  egress: 4,
  render: 4,
  base: 1,
}
const noImportsAmongThemselves = ['routes', 'tasks']
const areaOfFile: Record<string, string> = {
  'src/errors.ts': 'base',
  'src/version.ts': 'base',
  'src/context.ts': 'base',
  'src/build-context.ts': 'commands',
  'src/private-postgres.ts': 'commands',
}

function areaOf(file: string): string {
  // The image holds nothing else: `chaos/lib` is not `lib`.
  if (!file.startsWith('src/') || /\.test\.tsx?$/.test(file)) return 'outside'
  const name = file.split('/')[1]?.replace(/\.ts$/, '') ?? ''
  return areaOfFile[file] ?? (name === 'lib' ? 'base' : name)
}

/** Imports go down only: edges, then core, then adapters, then base. */
export function layerFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap(({ file, imports }) =>
      imports.flatMap(({ target, isType }) => {
        if (!target) return []
        const [from, to] = [areaOf(file), areaOf(target)]
        if (from === to && !noImportsAmongThemselves.includes(from)) return []
        // Types do not exist at run time: the context may import types from everywhere, and everybody those of the
        // context.
        const isContext = file === 'src/context.ts' || target === 'src/context.ts' || target === 'src/config.ts'
        if (isType && isContext) return []
        return (levels[from] ?? 0) > (levels[to] ?? 99) ? [] : [`${file} imports ${target}`]
      }),
    )
}

/** Replies are shaped last: within core, only other replies import `core/replies`. */
export function replyFaults(files: readonly SourceFile[]): string[] {
  const replies = 'src/core/replies/'
  return files
    .filter(({ file }) => file.startsWith('src/core/') && !file.startsWith(replies))
    .flatMap(({ file, imports }) =>
      imports.flatMap(({ target }) => (target?.startsWith(replies) ? [`${file} imports ${target}`] : [])),
    )
}

/** The pages know the server by its API only. */
export function dashboardFaults(files: readonly SourceFile[]): string[] {
  return importsOutside('dashboard/src/', files.map(withoutSamples))
}

/** A test of the pages may read the samples that the server's tests read: what both must understand. */
function withoutSamples({ file, imports }: SourceFile): SourceFile {
  const isTest = /\.test\.tsx?$/.test(file)
  return { file, imports: imports.filter(({ target }) => !isTest || !target?.startsWith('test/samples/')) }
}

/** The published client knows the server by its API only, and needs no other package. Its hook belongs to React. */
export function clientFaults(files: readonly SourceFile[]): string[] {
  const own = files.filter(({ file }) => file.startsWith('packages/client/src/'))
  const packages = own.flatMap(({ file, imports }) =>
    imports.flatMap(({ target, specifier }) => {
      const isHook = specifier === 'react' && file.startsWith('packages/client/src/react/')
      return target || isHook ? [] : [`${file} imports ${specifier}`]
    }),
  )
  return [...importsOutside('packages/client/src/', own), ...packages]
}

function importsOutside(folder: string, files: readonly SourceFile[]): string[] {
  return files
    .filter(({ file }) => file.startsWith(folder))
    .flatMap(({ file, imports }) =>
      imports.flatMap(({ target }) => (target && !target.startsWith(folder) ? [`${file} imports ${target}`] : [])),
    )
}

/** An import names a file as it is: without its extension, or by an alias, the other rules would not see it. */
export function nameFaults(files: readonly SourceFile[], exists: (file: string) => boolean): string[] {
  return files.flatMap(({ file, imports }) =>
    imports.flatMap(({ specifier, target }) => {
      const isOdd = target ? !exists(target) : /^(\/|#|file:|tidings\/)/.test(specifier)
      return isOdd ? [`${file} imports ${specifier}`] : []
    }),
  )
}

/** The image is installed without `devDependencies`: what `src` needs at run time must be a dependency. */
export function packageFaults(files: readonly SourceFile[], installed: ReadonlySet<string>): string[] {
  return files
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap(({ file, imports }) =>
      imports.flatMap(({ specifier, target, isType }) => {
        const [, name = ''] = specifier.match(/^((@[^/]+\/)?[^/]+)/) ?? []
        const isAtHand = target || isType || name.startsWith('node:') || installed.has(name)
        return isAtHand ? [] : [`${file} imports ${specifier}`]
      }),
    )
}

/** No circles of imports, not even by types. */
export function circleFaults(files: readonly SourceFile[]): string[] {
  const graph = new Map(files.map(({ file, imports }) => [file, imports.flatMap(({ target }) => target ?? [])]))
  return findCircles(graph).map((circle) => circle.join(' → '))
}

const mostFiles = 25
// One file per provider, and one per resource (test/system.test.ts demands it), however many there are.
const mayBeLarger = /^(src\/providers\/(email|sms|chat|push)|test\/fixtures)$/

/** A folder must be readable at a glance. */
export function folderFaults(files: readonly string[]): string[] {
  const counted = files.filter((file) => !/\.test\.tsx?$/.test(file))
  return [...Map.groupBy(counted, (file) => dirname(file))].flatMap(([folder, own]) =>
    own.length > mostFiles && !mayBeLarger.test(folder) ? [`${folder} has ${own.length} files`] : [],
  )
}

// VitePress looks for its theme under this name only.
const mayBeIndex = ['site/.vitepress/theme/index.ts']

/** At most two folders deep under `src`, and no index file. */
export function depthFaults(files: readonly string[]): string[] {
  const isIndex = (file: string) => /(^|\/)index\.tsx?$/.test(file) && !mayBeIndex.includes(file)
  return files.filter((file) => isIndex(file) || (file.startsWith('src/') && file.split('/').length > 4))
}

const mostLines = 300
// Generated.
const mayBeLonger = ['src/store/schema.ts', 'dashboard/src/api/types.ts', 'packages/client/src/api-types.ts']

/** A file must be readable in one sitting. */
export function lengthFaults(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([file, text]) => {
    const lines = text.split('\n').length - 1
    const isOurs = !/\.test\.tsx?$/.test(file) && !mayBeLonger.includes(file)
    return isOurs && lines > mostLines ? [`${file} has ${lines} lines`] : []
  })
}

const networkModules = /^((node:)?(https?|http2|tls|dns|net|dgram)|undici|nodemailer)(\/|$)/
// The first connects only to the private PostgreSQL of this checkout. The gateway calls the cells that its operator named,
// which are private addresses, and nothing that a tenant wrote.
const mayConnect = /^src\/(private-postgres\.ts|gateway\/)/

/** Only `src/egress` opens connections to the outside. */
export function egressFaults(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ file }) => file.startsWith('src/') && !file.startsWith('src/egress/') && !mayConnect.test(file))
    .flatMap(({ file, imports }) =>
      imports.flatMap(({ specifier, isType, names }) => {
        const onlyReads = specifier === 'node:net' && names.length > 0 && names.every((name) => name === 'isIP')
        return networkModules.test(specifier) && !isType && !onlyReads ? [`${file} imports ${specifier}`] : []
      }),
    )
}
