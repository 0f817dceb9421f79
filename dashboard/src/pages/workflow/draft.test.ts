import { describe, expect, test } from 'vitest'
import { stepOf, workflowOf } from '../../test-data.ts'
import { isSame, isUnsaved, newStep, putAt, textAt, toInput, valueAt } from './draft.ts'

describe('what a save sends', () => {
  test('does not say whether it is active: somebody may have switched it meanwhile', () => {
    const input = toInput(workflowOf())
    expect(input).not.toHaveProperty('active')
    expect(input).not.toHaveProperty('status')
    expect(isSame(workflowOf({ active: false, status: 'INACTIVE' }), workflowOf())).toBe(true)
  })

  test('keeps what no form shows', () => {
    const step = stepOf('a', { replyCallback: { active: true, url: 'https://example.com' } })
    const input = toInput(workflowOf({ steps: [step], tags: ['x'] }))
    expect(input).toMatchObject({ tags: ['x'], steps: [{ replyCallback: { active: true } }] })
  })

  test('says nothing about preferences while everything is on', () => {
    expect(toInput(workflowOf()).preferences).toEqual({ user: null, workflow: null })
    const { default: own } = workflowOf().preferences
    const off = { ...own, channels: { ...own.channels, sms: { enabled: false } } }
    const changed = workflowOf({ preferences: { user: null, default: off } })
    expect(toInput(changed).preferences.workflow).toEqual(off)
    // A critical workflow is read-only by itself.
    const locked = { ...own, all: { enabled: true, readOnly: true } }
    expect(toInput(workflowOf({ critical: true, preferences: { user: null, default: locked } })).preferences).toEqual({
      user: null,
      workflow: null,
    })
  })

  test('gives a stored step its id and a new one none; never the mirror of its values', () => {
    const fresh = newStep(workflowOf(), { type: 'sms', name: 'SMS', controlValues: { body: 'x' } })
    const { steps } = toInput(workflowOf({ steps: [stepOf('a'), fresh] }))
    expect(steps[0]).toMatchObject({ _id: 'id-of-a', stepId: 'a' })
    expect(steps[1]).not.toHaveProperty('_id')
    for (const step of steps) expect(step).not.toHaveProperty('controls')
  })
})

describe('a new step', () => {
  test('has an id of its own in the workflow, made from its name', () => {
    const draft = workflowOf({ steps: [stepOf('e-mail'), stepOf('e-mail-2')] })
    const step = newStep(draft, { type: 'email', name: 'E-mail', controlValues: {} })
    expect(step).toMatchObject({ stepId: 'e-mail-3', slug: 'e-mail-3', active: true })
    expect(isUnsaved(step)).toBe(true)
    expect(isUnsaved(stepOf('a'))).toBe(false)
  })

  test('made like another one has all of it, and shares nothing with it', () => {
    const like = stepOf('a', {
      when: { stepId: 'z', is: 'read' },
      variants: [{ filters: [], controlValues: { x: 1 } }],
    })
    const copy = newStep(workflowOf({ steps: [like] }), { type: 'email', name: 'a copy', controlValues: {} }, like)
    expect(copy).toMatchObject({ stepId: 'a-copy', when: like.when, variants: like.variants })
    expect(copy.variants[0]).not.toBe(like.variants[0])
    expect(copy._id).not.toBe(like._id)
  })
})

describe('a value at a path', () => {
  const values = { subject: 'Hi', redirect: { url: '/x', target: '_self' }, amount: 3, list: ['a'] }

  test('is read as text where it is text or a number', () => {
    expect(
      ['subject', 'redirect.url', 'amount', 'list', 'redirect', 'redirect.no', 'subject.no'].map((path) =>
        textAt(values, path),
      ),
    ).toEqual(['Hi', '/x', '3', '', '', '', ''])
    expect(valueAt(values, 'redirect')).toEqual({ url: '/x', target: '_self' })
  })

  test('is put without touching the rest, or the original', () => {
    expect(putAt(values, 'redirect.url', '/y')).toEqual({ ...values, redirect: { url: '/y', target: '_self' } })
    expect(putAt({}, 'a.b.c', 1)).toEqual({ a: { b: { c: 1 } } })
    expect(values.redirect.url).toBe('/x')
  })

  test('is taken away when it is emptied, and with it what is then empty around it', () => {
    expect(putAt({ a: { b: 'x' }, c: 1 }, 'a.b', '')).toEqual({ c: 1 })
    expect(putAt({ a: { b: 'x', d: 'y' } }, 'a.b', undefined)).toEqual({ a: { d: 'y' } })
    expect(putAt({ a: 0 }, 'a', 0)).toEqual({ a: 0 })
  })
})
