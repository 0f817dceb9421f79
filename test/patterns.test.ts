import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSync } from 'recheck'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = execFileSync('git', ['ls-files', '-zco', '--exclude-standard', 'src'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))

/** Regular expressions, and texts that look like one: patterns of schemas. */
function patternsIn(file: string, text: string): { source: string; flags: string }[] {
  const found: { source: string; flags: string }[] = []
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) found.push({ source: node.regex.pattern, flags: node.regex.flags })
      else if (typeof node.value === 'string' && /^\^./.test(node.value)) found.push({ source: node.value, flags: 'u' })
    },
  }).visit(parseSync(file, text).program)
  return found
}

/** Those that take more than twice as long for twice the text. */
function slowPatterns(file: string, text: string): string[] {
  return patternsIn(file, text)
    .filter(isSlow)
    .map(({ source }) => `${file}: ${source}`)
}

// Judging one takes up to a second, and many are written more than once.
const judged = new Map<string, boolean>()

function isSlow({ source, flags }: { source: string; flags: string }): boolean {
  // Without repetition it looks at a text of any length once.
  if (!/[*+{]/.test(source)) return false
  const key = `${flags} ${source}`
  const known = judged.get(key)
  if (known !== undefined) return known
  const found = checkSync(source, flags.replace('v', 'u'), { timeout: 1_000, randomSeed: 1 }).status === 'vulnerable'
  judged.set(key, found)
  return found
}

test('every pattern of the server is linear, so that no text makes it stand still', { timeout: 180_000 }, () => {
  const sources = files.map((file): [string, string] => [file, readFileSync(join(root, file), 'utf8')])
  expect(sources.flatMap(([file, text]) => patternsIn(file, text)).length).toBeGreaterThan(200)
  expect(sources.flatMap(([file, text]) => slowPatterns(file, text))).toEqual([])
})

test.each([
  ['blanks at the end', String.raw`text.replace(/\s+$/, '')`],
  ['blanks on both sides of what may be absent', "Type.String({ pattern: '^[0-9] *(am)? *$' })"],
  ['repeated repetition', 'const it = /^(a+)+$/'],
])('%s is found', (_what, text) => {
  expect(slowPatterns('src/x.ts', text)).toHaveLength(1)
})
