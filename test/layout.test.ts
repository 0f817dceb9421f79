import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseImports } from './import-graph.ts'
import {
  circleFaults,
  clientFaults,
  dashboardFaults,
  depthFaults,
  egressFaults,
  folderFaults,
  layerFaults,
  lengthFaults,
  nameFaults,
  packageFaults,
  replyFaults,
  type SourceFile,
} from './layout.ts'

const root = join(import.meta.dirname, '..')
const paths = execFileSync('git', ['ls-files', '-zco', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && existsSync(join(root, file)))
const texts = new Map(paths.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const all: SourceFile[] = [...texts].map(([file, text]) => ({ file, imports: parseImports(file, text) }))
// Tests may import whatever they test.
const sources = all.filter(({ file }) => !/\.test\.tsx?$/.test(file))

/** The sources with one more file. */
const planted = (file: string, text: string): SourceFile[] => [...sources, { file, imports: parseImports(file, text) }]

describe('imports go down only: edges, core, adapters, base', () => {
  test('everywhere', () => expect(layerFaults(sources)).toEqual([]))

  test.each([
    ['a route that calls a route', 'src/routes/topics/x.ts', "import a from './get.ts'"],
    ['core that knows HTTP', 'src/core/inbox/x.ts', "import { a } from '../../http/server.ts'"],
    ['an adapter that uses another', 'src/store/x.ts', "import { a } from '../engine/engine.ts'"],
    ['a type across adapters', 'src/store/x.ts', "import type { A } from '../engine/engine.ts'"],
    ['a re-export', 'src/lib/x.ts', "export { a } from '../core/pipeline/plan.ts'"],
    ['a dynamic import', 'src/lib/x.ts', "const a = await import('../core/pipeline/plan.ts')"],
    ['a dynamic import of a template', 'src/lib/x.ts', 'const a = await import(`../core/pipeline/plan.ts`)'],
    ['a type by import()', 'src/lib/x.ts', "type A = import('../core/pipeline/plan.ts').Plan"],
    [
      'a value import behind a type import without a semicolon',
      'src/lib/x.ts',
      "import type { Logger } from 'pino'\nimport { a } from '../store/database.ts'",
    ],
  ])('%s is found', (_what, file, text) => {
    expect(layerFaults(planted(file, text))).toEqual([expect.stringContaining(`${file} imports src/`)])
  })

  test('words about an import are none', () => {
    const text =
      "// import { a } from '../store/database.ts'\nexport const b = `import { a } from '../store/database.ts'`"
    expect(layerFaults(planted('src/lib/x.ts', text))).toEqual([])
  })
})

test.each([
  ['a helper of chaos/lib', "import { at } from '../../../chaos/lib/json.ts'"],
  ['a test', "import { a } from './a.test.ts'"],
])('%s in production code is found: the image lacks it', (_what, text) => {
  expect(layerFaults(planted('src/core/inbox/x.ts', text))).toHaveLength(1)
})

describe('the pages know the server by its API only', () => {
  test('everywhere', () => expect(dashboardFaults(all)).toEqual([]))

  test('server code in a page is found', () => {
    const text = "import type { Db } from '../../../src/store/database.ts'"
    expect(dashboardFaults(planted('dashboard/src/ui/x.ts', text))).toHaveLength(1)
  })
})

describe('the published client stands alone', () => {
  test('everywhere', () => expect(clientFaults(all)).toEqual([]))

  test('it has the version of the service', () => {
    const versionOf = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')).version
    expect(versionOf('packages/client/package.json')).toBe(versionOf('package.json'))
  })

  test.each([
    "import type { Db } from '../../../src/store/database.ts'",
    "import { createHmac } from 'node:crypto'",
    "import { useState } from 'react'",
  ])('%s is found', (text) => expect(clientFaults(planted('packages/client/src/x.ts', text))).toHaveLength(1))
})

describe('imports name files as they are', () => {
  const exists = (file: string) => existsSync(join(root, file))

  test('everywhere', () => expect(nameFaults(all, exists)).toEqual([]))

  test.each(['./channels', './channels.js', './channels.ts?url', '/src/lib/channels.ts', '#lib/channels.ts'])(
    '%s is found',
    (name) => expect(nameFaults(planted('dashboard/src/lib/x.ts', `import '${name}'`), exists)).toHaveLength(1),
  )
})

describe('the server runs without the packages of development', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const installed = new Set(Object.keys({ ...dependencies, ...optionalDependencies }))

  test('everywhere', () => expect(packageFaults(sources, installed)).toEqual([]))

  test.each(["import fc from 'fast-check'", "const { build } = await import('vite')"])('%s is found', (text) =>
    expect(packageFaults(planted('src/lib/x.ts', text), installed)).toHaveLength(1),
  )
})

describe('replies are shaped last', () => {
  test('everywhere', () => expect(replyFaults(sources)).toEqual([]))

  test('a rule that shapes its reply is found', () => {
    const text = "import type { A } from '../replies/feed-json.ts'"
    expect(replyFaults(planted('src/core/inbox/x.ts', text))).toHaveLength(1)
  })
})

describe('no circles, types included', () => {
  test('everywhere, tests too', () => expect(circleFaults(all)).toEqual([]))

  test.each(['src/lib', 'dashboard/src/ui', 'chaos/lib', 'bench/lib'])('one in %s is found', (folder) => {
    const [a, b] = [`${folder}/x1.ts`, `${folder}/x2.ts`]
    const files = [
      ...planted(a, "import type { B } from './x2.ts'"),
      { file: b, imports: parseImports(b, "export { a } from './x1.ts'") },
    ]
    expect(circleFaults(files)).toEqual([`${a} → ${b}`])
  })
})

describe('folders are read at a glance', () => {
  const files = sources.map(({ file }) => file)

  test('at most 25 files in one, tests not counted', () => expect(folderFaults(files)).toEqual([]))

  test('a crowded one is found', () => {
    const crowd = Array.from({ length: 26 }, (_, n) => `src/core/crowd/x${n}.ts`)
    expect(folderFaults([...files, ...crowd])).toEqual(['src/core/crowd has 26 files'])
  })

  test('at most 300 lines in a file, tests not counted', () => expect(lengthFaults(texts)).toEqual([]))

  test('a long file is found', () => {
    const long = new Map([['src/core/inbox/x.ts', 'a\n'.repeat(301)]])
    expect(lengthFaults(long)).toEqual(['src/core/inbox/x.ts has 301 lines'])
  })

  test('at most two folders deep under src, and no index.ts', () => expect(depthFaults(paths)).toEqual([]))

  test.each(['src/core/pipeline/deep/x.ts', 'src/core/index.ts', 'dashboard/src/ui/index.tsx'])('%s is found', (file) =>
    expect(depthFaults([...files, file])).toEqual([file]),
  )
})

describe('one door out', () => {
  test('only src/egress opens connections', () => {
    expect(egressFaults(sources)).toEqual([])
    const calling = sources.filter(
      ({ file }) => /^src\/(?!egress\/)/.test(file) && /\bfetch\(/.test(texts.get(file) ?? ''),
    )
    expect(calling.map(({ file }) => file)).toEqual([])
  })

  test.each([
    "import { request } from 'node:https'",
    "import { createSocket } from 'node:dgram'",
    "const { connect } = await import('node:net')",
    "export { connect } from 'node:net'",
    "import tls from 'node:tls'",
    "import { fetch } from 'undici'",
  ])('%s in a provider is found', (text) =>
    expect(egressFaults(planted('src/providers/sms/x.ts', text))).toHaveLength(1),
  )
})

describe('only config.ts reads the environment', () => {
  const env =
    /\bprocess\s*(\??\.\s*env\b|(\?\.)?\[)|=\s*process\b(?!\.)|(from|import\()\s*['"](node:)?process['"]|loadEnvFile/

  test('everywhere', () => {
    const reading = sources.filter(({ file }) => file.startsWith('src/') && env.test(texts.get(file) ?? ''))
    expect(reading.map(({ file }) => file)).toEqual(['src/config.ts'])
  })

  test.each(['process.env.A', "process['env']", 'const { env } = process', "import { env } from 'node:process'"])(
    '%s is found',
    (text) => expect(text).toMatch(env),
  )
})

test('a test that judges the time of a processor takes the best of some runs: others use this machine too', () => {
  const hasty = [...texts].filter(
    ([file, text]) =>
      file.endsWith('.test.ts') &&
      /\b(threadCpuUsage|monitorEventLoopDelay|longestBlock)\(/.test(text) &&
      !text.includes('/fastest.ts'),
  )
  expect(hasty.map(([file]) => file)).toEqual([])
})

describe("somebody's words that are quoted in ours are cut by cutText", () => {
  // What vendors say is cleaned before it is stored.
  const isMeant = (file: string) => /^src\/(?!providers\/|commands\/)/.test(file) && !/\.test\.ts$/.test(file)
  const quotesCut = /\$\{(?![^}]*(?:hex|digest))[^}`]*\.slice\(0, (?:\d{2,}|\w{3,})\)(\.toWellFormed\(\))?\}/
  const faults = (of: ReadonlyMap<string, string>) =>
    [...of].filter(([file, text]) => isMeant(file) && quotesCut.test(text)).map(([file]) => file)

  test('everywhere: half a character in a text makes PostgreSQL refuse all that is written with it', () =>
    expect(faults(texts)).toEqual([]))

  test('one that is cut otherwise is found', () => {
    const text = 'const why = `there is no "$' + '{name.slice(0, 100)}"`'
    expect(faults(new Map([['src/core/x.ts', text]]))).toEqual(['src/core/x.ts'])
  })
})
