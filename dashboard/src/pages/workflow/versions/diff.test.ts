import { describe, expect, test } from 'vitest'
import { stepOf, workflowOf } from '../../../test-data.ts'
import { diffLines, diffWorkflows } from './diff.ts'
import { folded } from './fold.ts'

const signs = { same: ' ', added: '+', removed: '-' }
const lines = (before: string | undefined, after: string | undefined) =>
  diffLines(before, after).map(({ kind, text }) => signs[kind] + text)

describe('two texts', () => {
  test('have what is common once, in its order, with what went before what came', () => {
    expect(lines('a\nb\nc', 'a\nx\nc\nd')).toEqual([' a', '-b', '+x', ' c', '+d'])
    expect(lines('a\nb', 'b\na')).toEqual(['-a', ' b', '+a'])
    expect(lines('same', 'same')).toEqual([' same'])
  })

  test('one of which is not there are all new, or all gone', () => {
    expect(lines(undefined, 'a\nb')).toEqual(['+a', '+b'])
    expect(lines('a', undefined)).toEqual(['-a'])
  })

  test('give back both when put together again', () => {
    const [before, after] = ['q w e r t\nb\nc\nd\ne\nf', 'b\nx\nd\nf\ng\nq w e r t']
    const found = diffLines(before, after)
    const side = (gone: string) => found.flatMap(({ kind, text }) => (kind === gone ? [] : text)).join('\n')
    expect(side('added')).toBe(before)
    expect(side('removed')).toBe(after)
  })

  test('that are too long to compare are shown as replaced', () => {
    const long = Array.from({ length: 2100 }, (_, index) => `line ${index}`).join('\n')
    const found = diffLines(long, `${long}\nmore`)
    expect(found.filter(({ kind }) => kind === 'removed')).toHaveLength(2100)
    expect(found.some(({ kind }) => kind === 'same')).toBe(false)
  })
})

describe('two versions', () => {
  const before = workflowOf({
    tags: ['a'],
    steps: [stepOf('one', { controlValues: { subject: 'Hi' } }), stepOf('two')],
  })
  const changesTo = (fields: Parameters<typeof workflowOf>[0]) => diffWorkflows(before, { ...before, ...fields })

  test('that say the same have no difference, whatever the server wrote beside it', () => {
    expect(changesTo({ version: 2, updatedAt: 'later', active: false, status: 'INACTIVE' })).toEqual([])
  })

  test('differ by place and field', () => {
    const [one, two] = before.steps
    if (!one || !two) throw new Error('no steps')
    const found = changesTo({
      tags: ['a', 'b'],
      steps: [{ ...one, controlValues: { subject: 'Hello', body: 'x' } }, two],
    })
    expect(found.map(({ place, kind, fields }) => [place, kind, fields.map(({ path }) => path)])).toEqual([
      ['Workflow', 'changed', ['tags']],
      ['Step one', 'changed', ['controlValues.subject', 'controlValues.body']],
    ])
  })

  test('tell steps that came and went, and another order only of those that both have', () => {
    const [one, two] = before.steps
    if (!one || !two) throw new Error('no steps')
    const replaced = changesTo({ steps: [stepOf('three'), one] })
    expect(replaced.map(({ place, kind }) => [place, kind])).toEqual([
      ['Step three', 'added'],
      ['Step two', 'removed'],
    ])
    expect(changesTo({ steps: [two, one] })).toMatchObject([
      { place: 'Workflow', fields: [{ path: 'order of steps' }] },
    ])
  })

  test('show a schema line by line', () => {
    const [whole] = diffWorkflows(
      workflowOf({ payloadSchema: { type: 'object' } }),
      workflowOf({ payloadSchema: { type: 'array' } }),
    )
    expect(whole?.fields[0]?.lines.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same'])
  })
})

test('long runs of what is the same are folded, but for two lines around each change', () => {
  const text = Array.from({ length: 12 }, (_, index) => `l${index}`)
  const shown = folded(diffLines(text.join('\n'), text.with(5, 'new').join('\n')))
  expect(shown.map(({ kind, text: said }) => `${kind} ${said}`)).toEqual([
    'gap 3 lines',
    'same l3',
    'same l4',
    'removed l5',
    'added new',
    'same l6',
    'same l7',
    'gap 4 lines',
  ])
})
