import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fastest } from '../../../test/fastest.ts'
import { diffLines, type Hunk } from './lines.ts'

const shown = (before: string, after: string) => diffLines(before, after).hunks.flatMap(({ lines }) => lines)

/** What the text becomes when somebody does what the hunks say. */
function apply(before: string, hunks: readonly Hunk[]): string {
  const lines = before.split('\n')
  for (const hunk of hunks.toReversed()) {
    const gone = hunk.lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1))
    expect(lines.slice(hunk.before - 1, hunk.before - 1 + gone.length)).toEqual(gone)
    const come = hunk.lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1))
    lines.splice(hunk.before - 1, gone.length, ...come)
  }
  return lines.join('\n')
}

describe('lines that differ', () => {
  test('stand between the two before and after them', () => {
    expect(shown('a\nb\nc\nd\ne\nf', 'a\nb\nc\nD\ne\nf')).toEqual([' b', ' c', '-d', '+D', ' e', ' f'])
    expect(diffLines('a\nb', 'a\nb\nc')).toEqual({
      hunks: [{ before: 1, after: 1, lines: [' a', ' b', '+c'] }],
      more: 0,
    })
    expect(diffLines('same', 'same')).toEqual({ hunks: [], more: 0 })
    expect(shown('one line', 'another')).toEqual(['-one line', '+another'])
  })

  test('make the one text of the other, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd'), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { hunks, more } = diffLines(before.join('\n'), after.join('\n'))
        expect(more).toBe(0)
        expect(apply(before.join('\n'), hunks)).toBe(after.join('\n'))
        for (const { lines } of hunks) expect(lines.some((line) => !line.startsWith(' '))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('are as few as possible', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`)
    const moved = [...lines.slice(1), 'line 0']
    const changed = shown(lines.join('\n'), moved.join('\n')).filter((line) => !line.startsWith(' '))
    expect(changed).toEqual(['-line 0', '+line 0'])
  })

  test('of a document of blocks are those of its indented JSON', () => {
    const document = (text: string) => JSON.stringify({ type: 'doc', content: [{ type: 'text', text }] })
    const lines = shown(document('one'), document('two'))
    expect(lines.filter((line) => !line.startsWith(' '))).toEqual(['-   "text": "one"', '+   "text": "two"'])
    expect(shown('{"a', '{"b')).toEqual(['-{"a', '+{"b'])
  })

  test('that are long show the part that differs', () => {
    const [minus = '', plus = ''] = shown(
      `${'x'.repeat(5_000)}A${'y'.repeat(5_000)}`,
      `${'x'.repeat(5_000)}B${'y'.repeat(5_000)}`,
    )
    expect(minus).toMatch(/^-…x{60}Ay+…$/)
    expect(plus).toMatch(/^\+…x{60}By+…$/)
    expect(minus.length).toBeLessThan(310)
    const emoji = '😀'.repeat(400)
    for (const line of shown(`${emoji}a`, `${emoji}b`)) expect(line.isWellFormed()).toBe(true)
  })
})

describe('hostile texts', () => {
  const slowest = (before: string, after: string) => {
    const began = performance.now()
    const { hunks, more } = diffLines(before, after)
    expect(hunks.flatMap(({ lines }) => lines).length).toBeLessThan(400)
    return { ms: performance.now() - began, more }
  }
  const million = 1_000_000
  const nested = (value: string) => `${'{"a":'.repeat(500)}${value}${'}'.repeat(500)}`

  test.each([
    ['all lines differ', 'a\n'.repeat(million / 2), 'b\n'.repeat(million / 2)],
    ['empty lines against none', '\n'.repeat(million), 'x'.repeat(million)],
    ['every other line', 'a\nb\n'.repeat(million / 4), 'a\nc\n'.repeat(million / 4)],
    ['as many places as the search allows', 'a\nb\nc\nd\n'.repeat(2_400), 'a\nc\nb\nd\n'.repeat(2_400)],
    ['nested JSON', nested('1'), nested('2')],
    ['one long line', 'x'.repeat(million), `${'x'.repeat(million - 1)}y`],
    ['equal beginnings of long lines', `${'x'.repeat(400)}\n`.repeat(2_000), `${'x'.repeat(400)}y\n`.repeat(2_000)],
  ])('%s: not longer than a turn may be', async (name, before, after) => {
    const ms = await fastest(250, () => slowest(before, after).ms)
    console.log(`${name}: ${ms.toFixed(0)} ms`)
    expect(ms).toBeLessThan(250)
  })

  test('what is not shown is counted', () => {
    const { more } = slowest('a\n'.repeat(1_000), 'b\n'.repeat(1_000))
    expect(more).toBeGreaterThan(1_800)
  })
})
