import { expect, test } from 'vitest'
import type { ResourceChange } from '../../../api/types.ts'
import { linesOf, shownChanges } from './lines.ts'

const change = (more: Partial<ResourceChange>): ResourceChange => ({
  resourceType: 'REGULAR',
  action: 'modified',
  path: 'name',
  ...more,
})

test('a value is what was and what is; one that came or went has one side', () => {
  expect(linesOf(change({ before: 'Old', after: 'New' }))).toEqual([
    { kind: 'removed', text: 'Old' },
    { kind: 'added', text: 'New' },
  ])
  expect(linesOf(change({ action: 'added', after: ['a', 'b'] }))).toEqual([{ kind: 'added', text: 'a, b' }])
})

test('long texts come line by line, with what was left out between them', () => {
  const lines = [
    { before: 1, after: 1, lines: [' Dear', '-you', '+Ada'] },
    { before: 20, after: 20, lines: ['+Bye'] },
  ]
  expect(linesOf(change({ lines, moreLines: 3 }))).toEqual([
    { kind: 'same', text: 'Dear' },
    { kind: 'removed', text: 'you' },
    { kind: 'added', text: 'Ada' },
    { kind: 'gap', text: 'line 20' },
    { kind: 'added', text: 'Bye' },
    { kind: 'gap', text: '3 more changed lines' },
  ])
})

test('steps are places of their own: new, gone, moved, changed', () => {
  const step = (stepId: string, more: Partial<ResourceChange>) => change({ stepId, path: `steps.${stepId}`, ...more })
  const shown = shownChanges({
    changes: [
      change({ path: 'tags', before: [], after: ['a'] }),
      step('mail', { action: 'deleted', before: { type: 'email' } }),
      step('bell', { action: 'added', after: { type: 'in_app' } }),
      step('sms', { action: 'moved', previousIndex: 0, newIndex: 2 }),
      step('sms', { path: 'steps.sms.controlValues.body', before: 'a', after: 'b' }),
    ],
  })
  expect(shown.map(({ place, kind, fields }) => [place, kind, fields.map(({ path }) => path)])).toEqual([
    ['General', 'changed', ['tags']],
    ['Step mail', 'removed', ['the whole step']],
    ['Step bell', 'added', ['the whole step']],
    ['Step sms', 'changed', ['place among the steps', 'controlValues.body']],
  ])
})

test('of what is new as a whole there are no lines', () => {
  expect(shownChanges({ changes: [change({ path: '', action: 'added', after: 'Receipt' })] })).toEqual([])
})
