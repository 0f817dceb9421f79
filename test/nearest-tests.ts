import { dirname } from 'node:path/posix'
import { readImports } from './import-graph.ts'

// Quick tests of the whole checkout: any change may break them.
const always = ['test/layout.test.ts', 'test/docs.test.ts', 'test/mutations.test.ts']
// Generated files depend on these; test/system.test.ts checks them.
const generates = /^(src\/routes\/|src\/http\/|src\/providers\/|src\/core\/replies\/|migrations\/|docs\/)/

const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const isSource = (file: string) => /\.tsx?$/.test(file) && !isTest(file)

/**
 * The tests nearest to each changed file: those of its folder and those that import it; if there are none, those of the
 * files that import it, and so on. `unseen`: changed files that no test reaches.
 */
export function nearestTests(
  files: readonly string[],
  changed: readonly string[],
): { tests: string[]; unseen: string[] } {
  const runnable = files.filter(
    (file) => /^(src|test|dashboard\/src|packages\/client\/src)\//.test(file) && !file.includes('.slow.'),
  )
  const tests = runnable.filter(isTest)
  const importers = new Map<string, string[]>()
  for (const file of runnable.filter((it) => /\.tsx?$/.test(it))) {
    for (const { target } of readImports(file)) {
      if (target) importers.set(target, [...(importers.get(target) ?? []), file])
    }
  }
  const near = new Set(tests.filter((test) => always.includes(test) || changed.includes(test)))
  if (changed.some((file) => generates.test(file))) near.add('test/system.test.ts')
  const unseen: string[] = []
  for (const file of changed.filter(isSource)) {
    const found = testsAround(file, tests, importers)
    if (found.length === 0) unseen.push(file)
    for (const test of found) near.add(test)
  }
  return { tests: [...near].filter((test) => tests.includes(test)).sort(), unseen }
}

function testsAround(file: string, tests: readonly string[], importers: ReadonlyMap<string, string[]>): string[] {
  const seen = new Set<string>()
  for (let level = [file]; level.length > 0; ) {
    const importing = level.flatMap((it) => importers.get(it) ?? [])
    const beside = level.flatMap((it) => tests.filter((test) => dirname(test) === dirname(it)))
    const found = [...beside, ...importing.filter(isTest)]
    if (found.length > 0) return found
    for (const it of level) seen.add(it)
    level = [...new Set(importing.filter((it) => !seen.has(it)))]
  }
  return []
}
