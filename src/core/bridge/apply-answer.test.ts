import { expect, test } from 'vitest'
import type { Step, StepType } from '../workflows/workflow.ts'
import { applyAnswer, providersOf } from './apply-answer.ts'
import { cardText } from './card-text.ts'

const stepOf = (type: StepType): Step => ({
  ...{ id: 'i', stepId: 's', name: 's', type, active: true, shouldStopOnFail: false },
  ...{ controlValues: {}, filters: [] },
})
const valuesOf = (type: StepType, outputs: Record<string, unknown>) => {
  const applied = applyAnswer(stepOf(type), { kind: 'outputs', at: '', outputs })
  return 'step' in applied ? applied.step.controlValues : applied.plan
}

test.each<[StepType, Record<string, unknown>, object]>([
  ['email', { subject: 'S', body: '<p>B</p>' }, { subject: 'S', body: '<p>B</p>', editorType: 'html', layoutId: null }],
  ['email', { subject: 'S' }, { kind: 'fail', why: expect.stringContaining('body is required') }],
  ['sms', { body: 'B' }, { body: 'B' }],
  ['push', { subject: 'S', body: 'B' }, { subject: 'S', body: 'B' }],
  ['chat', { card: { type: 'card', title: 'T', children: [{ type: 'text', content: 'C' }] } }, { body: 'T\nC' }],
  ['in_app', {}, { kind: 'fail', why: expect.stringContaining('body is required') }],
  ['in_app', { body: ['B'] }, { kind: 'fail', why: expect.stringContaining('body') }],
  ['delay', { amount: 2, unit: 'days' }, { type: 'regular', amount: 2, unit: 'days' }],
  ['delay', { type: 'timed', cron: '0 9 * * *' }, { type: 'timed', cron: '0 9 * * *' }],
  ['delay', { type: 'dynamic', dynamicKey: 'payload.at' }, { type: 'scheduled', delayPath: 'payload.at' }],
  ['delay', { amount: 5_000, unit: 'days' }, { kind: 'fail', why: expect.stringContaining('366 days') }],
  ['delay', { amount: 0.5, unit: 'days' }, { kind: 'fail', why: expect.stringContaining('amount') }],
  [
    'digest',
    { amount: 1, unit: 'hours', digestKey: 'k' },
    { type: 'regular', amount: 1, unit: 'hours', digestKey: 'k' },
  ],
  ['digest', { cron: '0 9 * * *' }, { type: 'timed', cron: '0 9 * * *' }],
  ['digest', { cron: 'whenever' }, { kind: 'fail', why: expect.stringContaining('cron') }],
  ['throttle', { type: 'fixed', amount: 1, unit: 'hours' }, { type: 'fixed', amount: 1, unit: 'hours', threshold: 1 }],
  ['throttle', { type: 'fixed', amount: 1, unit: 'years' }, { kind: 'fail', why: expect.stringContaining('unit') }],
  ['custom', { anything: [1] }, { kind: 'custom' }],
])('%s: %j', (type, outputs, expected) => expect(valuesOf(type, outputs)).toMatchObject(expected))

test('what goes to vendors is flat, whichever way their code says it', () => {
  const given = { sendgrid: { a: 1, _passthrough: { body: { b: 2 }, headers: { c: '3' } } }, slack: {}, odd: 'x' }
  expect(providersOf(given)).toEqual({ sendgrid: { a: 1, b: 2 } })
})

test('a card nested without end has an end', () => {
  const card: Record<string, unknown> = { type: 'card', title: 'T' }
  card.children = [card, card]
  expect(cardText(card).split('\n').length).toBeLessThanOrEqual(1_000)
})
