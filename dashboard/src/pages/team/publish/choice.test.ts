import { expect, test } from 'vitest'
import type { ResourceDiff } from '../../../api/types.ts'
import { choiceOf } from './choice.ts'

const diff = (kind: ResourceDiff['kind'], resourceId: string, more: Partial<ResourceDiff> = {}): ResourceDiff => ({
  resourceType: 'REGULAR',
  kind,
  resourceId,
  name: resourceId,
  action: 'modified',
  onlyIfChosen: false,
  sourceResource: null,
  targetResource: null,
  changes: [],
  isShortened: false,
  summary: { added: 0, modified: 1, deleted: 0, unchanged: 0 },
  needs: [],
  warnings: [],
  ...more,
})
const order = diff('workflow', 'order', { needs: [{ kind: 'layout', resourceId: 'brand' }] })
const brand = diff('layout', 'brand')
const own = diff('workflow', 'own', { action: 'deleted', onlyIfChosen: true })
const all = [order, brand, own]

test('at first everything is chosen but what is only in the target, and the server is asked for all of it', () => {
  const { chosen, along, resources } = choiceOf(all, new Set())
  expect([...chosen]).toEqual(['workflow order', 'layout brand'])
  expect([...along]).toEqual([])
  expect(resources).toBeUndefined()
})

test('what was left out goes along if something chosen needs it', () => {
  const { chosen, along, resources } = choiceOf(all, new Set(['layout brand']))
  expect([...chosen]).toEqual(['workflow order'])
  expect([...along]).toEqual(['layout brand'])
  expect(resources).toEqual([{ resourceType: 'workflow', resourceId: 'order' }])
})

test('what is only in the target is named only when it is chosen', () => {
  expect(choiceOf(all, new Set(['workflow own'])).resources).toContainEqual({
    resourceType: 'workflow',
    resourceId: 'own',
  })
})

test('a choice about something that differs no longer is none', () => {
  expect(choiceOf([brand], new Set(['workflow order'])).resources).toBeUndefined()
})
