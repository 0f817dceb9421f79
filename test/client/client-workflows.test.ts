import { describe, expect, test } from 'vitest'
import { useHarness } from '../harness.ts'
import { versions } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** The published client, unchanged but for its server: it validates every reply against its own schemas. */
const h = useHarness({ VENDOR_NAMES: 'novu' })

const newWorkflow = {
  workflowId: 'order-shipped',
  name: 'Order shipped',
  active: true,
  tags: ['orders'],
  validatePayload: true,
  payloadSchema: { type: 'object', properties: { orderId: { type: 'string' } } },
  severity: 'high' as const,
  preferences: { user: { all: { enabled: true, readOnly: false }, channels: { email: { enabled: false } } } },
}

const inApp = {
  name: 'In-app',
  type: 'in_app',
  controlValues: {
    subject: 'Order {{payload.orderId}}',
    body: 'On its way',
    primaryAction: { label: 'Track', redirect: { url: '/orders/{{payload.orderId}}', target: '_blank' } },
    redirect: { url: '/orders', target: '_self' },
    data: { orderId: '{{payload.orderId}}' },
  },
} as const
const email = { name: 'Mail', type: 'email', controlValues: { subject: 'Shipped', body: '<p>On its way</p>' } } as const
const sms = { name: 'SMS', type: 'sms', controlValues: { body: 'On its way' } } as const
const chat = { name: 'Chat', type: 'chat', controlValues: { body: 'On its way' } } as const
const push = { name: 'Push', type: 'push', controlValues: { subject: 'Shipped', body: 'On its way' } } as const
const delay = { name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 5, unit: 'minutes' } } as const
const digest = { name: 'Gather', type: 'digest', controlValues: { amount: 1, unit: 'hours', digestKey: 'k' } } as const
const throttle = {
  name: 'Hold',
  type: 'throttle',
  controlValues: { type: 'fixed', amount: 1, unit: 'hours', threshold: 2 },
} as const

describe.each(versions)('@novu/api $version', ({ open, operations }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function client() {
    const env = await h.environment()
    return open({ serverURL: h.url, secretKey: env.key, onSuccess })
  }

  test('creates, gets, lists, updates, patches and deletes a workflow', async () => {
    const { workflows } = await client()
    const steps = [inApp, email, sms, chat, push]
    const { result: made } = await workflows.create({ ...newWorkflow, steps })
    expect(made).toMatchObject({
      workflowId: 'order-shipped',
      status: 'ACTIVE',
      origin: 'novu-cloud',
      severity: 'high',
    })
    expect(made.steps.map((step) => step.type)).toEqual(['in_app', 'email', 'sms', 'chat', 'push'])
    expect(made.preferences.user?.channels.email?.enabled).toBe(false)

    expect((await workflows.get('order-shipped')).result).toEqual(made)
    expect((await workflows.get(made.slug)).result).toEqual(made)

    const { result: list } = await workflows.list({ limit: 10, offset: 0, orderBy: 'updatedAt', query: 'Order' })
    expect(list.totalCount).toBe(1)
    expect(list.workflows[0]).toMatchObject({ id: made.id, workflowId: 'order-shipped', tags: ['orders'] })
    expect((await workflows.list({ status: ['INACTIVE'], tags: ['orders'] })).result.workflows).toEqual([])

    const { result: updated } = await workflows.update(
      {
        name: 'Order sent',
        active: true,
        steps: made.steps.slice(0, 2) as (typeof email)[],
        preferences: { user: null },
        origin: 'novu-cloud',
      },
      'order-shipped',
    )
    expect(updated.name).toBe('Order sent')
    expect(updated.steps.map((step) => step.id)).toEqual(made.steps.slice(0, 2).map((step) => step.id))

    const { result: patched } = await workflows.patch({ active: false, name: 'Off' }, 'order-shipped')
    expect(patched).toMatchObject({ status: 'INACTIVE', name: 'Off' })

    await workflows.delete('order-shipped')
    await expect(workflows.get('order-shipped')).rejects.toMatchObject({ statusCode: 404 })
  })

  test('reads waiting steps', async () => {
    const { workflows } = await client()
    const steps = [delay, digest, throttle, inApp]
    const { result } = await workflows.create({ ...newWorkflow, active: false, steps })
    expect(result.steps.map((step) => step.type)).toEqual(['delay', 'digest', 'throttle', 'in_app'])
    expect((await workflows.get('order-shipped')).result).toEqual(result)
  })

  test('gets its own error classes for what we refuse', async () => {
    const { workflows } = await client()
    const faulty = workflows.create({ ...newWorkflow, steps: [{ ...sms, controlValues: { body: '{{' } }] })
    await expect(faulty).rejects.toMatchObject({ name: 'ValidationErrorDto', statusCode: 422 })
    await workflows.create({ ...newWorkflow, steps: [inApp] })
    const taken = workflows.create({ ...newWorkflow, steps: [inApp] })
    await expect(taken).rejects.toMatchObject({ name: 'ErrorDto', statusCode: 409 })
  })

  test('shows a step as one person would see it', async () => {
    const { workflows } = await client()
    await workflows.create({ ...newWorkflow, steps: [{ ...inApp, stepId: 'bell' }] })
    // Only the newest has it.
    if (!('steps' in workflows) || !('generatePreview' in workflows.steps)) return
    const { result } = await workflows.steps.generatePreview({
      workflowId: 'order-shipped',
      stepId: 'bell',
      generatePreviewRequestDto: { previewPayload: { subscriber: { firstName: 'Ada' } } },
    })
    expect(result.result).toMatchObject({ type: 'in_app' })
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-workflows.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
