import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Json } from '../harness.ts'

/** The files that `npm pack` puts into the package, in a checkout that never built it. */
const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'tidings-pack-'))
const source = join(folder, 'client')
cpSync(join(root, 'packages/client'), source, {
  recursive: true,
  filter: (path) => !/\/(dist|node_modules)$/.test(path),
})
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const manifest: Json = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))

test('it builds itself, and holds what it exports, its README and its licence, and no source or test', () => {
  expect(existsSync(join(source, 'dist'))).toBe(false)
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const options = { cwd: source, encoding: 'utf8', env: { ...process.env, PATH } } as const
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], options))
  const files: string[] = packed.files.map(({ path }: Json) => path)

  const exported: string[] = Object.values(manifest.exports).flatMap((it) =>
    typeof it === 'string' ? [it] : Object.values(Object(it)),
  )
  expect(exported).toHaveLength(7)
  expect(exported.filter((path) => !files.includes(path.replace('./', '')))).toEqual([])
  const others = files.filter((path) => !/^dist\/[a-z-/]+\.(js|d\.ts)$/.test(path))
  expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
  expect(files.filter((path) => /test/.test(path))).toEqual([])
  expect(files.length).toBeGreaterThan(30)
})

test('the hook is marked for the client side of frameworks that render on a server', () => {
  expect(readFileSync(join(source, 'src/react/use-inbox.ts'), 'utf8').startsWith("'use client'\n")).toBe(true)
})

test('its manifest says what a registry needs', () => {
  expect(manifest).toMatchObject({
    name: '@tidings/client',
    license: 'MIT',
    repository: { type: 'git', directory: 'packages/client' },
    sideEffects: false,
    publishConfig: { access: 'public' },
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  })
  // npm refuses provenance outside CI, and the first version is published by hand. The workflow passes --provenance.
  expect(manifest.publishConfig).not.toHaveProperty('provenance')
  // React is optional, so the package needs nothing at run time.
  expect(manifest).not.toHaveProperty('dependencies')
})
