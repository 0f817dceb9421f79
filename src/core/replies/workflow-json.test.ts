import { workflowResponseFromJSON } from '@novu/api/models/components/workflowresponse.js'
import { workflowResponseFromJSON as newestFromJSON } from '@novu/api-newest/models/components/workflowresponse.js'
import { describe, expect, test } from 'vitest'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Workflow, WorkflowInput } from '../workflows/workflow.ts'
import { toDefinition } from '../workflows/workflow-input.ts'
import { toEmbeddedWorkflowJson } from './embedded-workflow-json.ts'

const now = new Date('2026-01-02T03:04:05.678Z')
const env = { environmentId: uuid7(now), organizationId: uuid7(now) }

async function workflow(input: Partial<WorkflowInput>): Promise<Workflow> {
  const definition = await toDefinition({ name: 'Order', steps: [], ...input }, null, null, now)
  return { ...definition, id: uuid7(now), identifier: 'order', version: 1, createdBy: uuid7(now) }
}

const waits = (type: 'delay' | 'digest' | 'throttle', controlValues: Record<string, unknown>) => ({
  name: type,
  type,
  controlValues,
})

describe('the workflow inside a message (spec 2.11)', () => {
  test('has every field, with empty texts for a deletion that did not happen', async () => {
    const it = await workflow({
      payloadSchema: { properties: { orderId: { type: 'string' }, total: { type: 'number' } } },
      preferences: { workflow: { channels: { sms: { enabled: false } } } },
      steps: [{ stepId: 'a', name: 'In-app', type: 'in_app', controlValues: { subject: 'S', body: 'B' } }],
    })
    const [step] = it.steps
    expect(toEmbeddedWorkflowJson(it, env, { active: true })).toEqual({
      _id: it.id,
      name: 'Order',
      description: '',
      active: true,
      draft: false,
      preferenceSettings: { in_app: true, email: true, sms: false, chat: true, push: true },
      critical: false,
      tags: [],
      steps: [
        {
          _id: step?.id,
          uuid: step?.id,
          name: 'In-app',
          _templateId: step?.id,
          active: true,
          shouldStopOnFail: false,
          template: { _id: step?.id, type: 'in_app', subject: 'S', body: 'B' },
          filters: [],
          variants: [],
        },
      ],
      _organizationId: env.organizationId,
      _creatorId: it.createdBy,
      _environmentId: env.environmentId,
      triggers: [{ type: 'event', identifier: 'order', variables: [{ name: 'orderId' }, { name: 'total' }] }],
      _notificationGroupId: env.environmentId,
      deleted: false,
      deletedAt: '',
      deletedBy: '',
    })
  })

  test('shows the variants of a step as steps, and its callback, in words the client reads', async () => {
    const filters = [
      { children: [{ field: 'vip', value: 'true', operator: 'EQUAL' as const, on: 'payload' as const }] },
    ]
    const values = { amount: 1, unit: 'hours' }
    const variants = [
      { name: 'VIP', filters, controlValues: { amount: 5, unit: 'minutes' } },
      { controlValues: values },
    ]
    const step = { ...waits('delay', values), variants, replyCallback: { active: true, url: 'https://example.com' } }
    const json = toEmbeddedWorkflowJson(await workflow({ steps: [step] }), env, { active: true })
    const [shown] = json.steps
    expect(shown?.replyCallback).toEqual({ active: true, url: 'https://example.com' })
    expect(shown?.variants[0]).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      uuid: shown?.variants[0]?._id,
      name: 'VIP',
      _templateId: shown?.variants[0]?._id,
      _parentId: shown?._id,
      active: true,
      shouldStopOnFail: false,
      template: { _id: shown?.variants[0]?._id, type: 'delay', ...{ amount: 5, unit: 'minutes' } },
      filters: [{ isNegated: false, type: 'GROUP', value: 'AND', children: filters[0]?.children }],
      metadata: { type: 'regular', amount: 5, unit: 'minutes' },
    })
    expect(shown?.variants[1]).toMatchObject({ name: 'delay', filters: [] })
    for (const parse of [workflowResponseFromJSON, newestFromJSON]) {
      expect(parse(JSON.stringify(json))).toMatchObject({ ok: true })
    }
  })

  test('says when and by whom it was deleted', async () => {
    const json = toEmbeddedWorkflowJson(await workflow({}), env, { active: false, deletedAt: now, deletedBy: 'key' })
    expect(json).toMatchObject({ deleted: true, deletedAt: now.toISOString(), deletedBy: 'key' })
  })

  test.each<[string, WorkflowInput['steps'][number], unknown]>([
    ['delay', waits('delay', { amount: 5, unit: 'minutes' }), { type: 'regular', amount: 5, unit: 'minutes' }],
    [
      'scheduled delay',
      waits('delay', { type: 'scheduled', delayPath: 'payload.at' }),
      { type: 'scheduled', delayPath: 'payload.at' },
    ],
    ['delay by cron', waits('delay', { type: 'timed', cron: '0 9 * * *' }), undefined],
    [
      'digest',
      waits('digest', { amount: 1, unit: 'hours', digestKey: 'payload.id' }),
      { type: 'regular', amount: 1, unit: 'hours', digestKey: 'payload.id' },
    ],
    [
      'backoff digest',
      waits('digest', {
        type: 'backoff',
        amount: 1,
        unit: 'hours',
        lookBackWindow: { amount: 10, unit: 'minutes' },
      }),
      { type: 'backoff', amount: 1, unit: 'hours', backoff: true, backoffAmount: 10, backoffUnit: 'minutes' },
    ],
    [
      'timed digest',
      waits('digest', { timed: { atTime: '09:00', weekDays: ['monday'], monthDays: ['1'] } }),
      { type: 'timed', timed: { atTime: '09:00', weekDays: ['monday'], monthDays: ['1'] } },
    ],
    ['throttle', waits('throttle', { amount: 1, unit: 'hours' }), undefined],
  ])('says how a %s step waits, in words the client reads', async (_name, step, metadata) => {
    const json = toEmbeddedWorkflowJson(await workflow({ steps: [step, { ...step, name: 'Again' }] }), env, {
      active: true,
    })
    expect(json.steps[0]?.metadata).toEqual(metadata)
    expect(json.steps[1]?._parentId).toBe(json.steps[0]?._id)
    for (const parse of [workflowResponseFromJSON, newestFromJSON]) {
      expect(parse(JSON.stringify(json))).toMatchObject({ ok: true })
    }
  })
})
