import { WebhookResultDto$inboundSchema } from '@novu/api-newest/models/components/webhookresultdto.js'
import { describe, expect, test } from 'vitest'
import { postmarkCall } from '../fixtures/webhooks.ts'
import { useHarness } from '../harness.ts'
import { makeWorkflow } from '../pipeline.ts'
import { pinnedVersion, refused, time, versions } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** The published client, unchanged but for its server: it validates every reply against its own schemas. */
const h = useHarness({ VENDOR_NAMES: 'novu' }, { worker: true })

describe.each(versions)('@novu/api $version', ({ open, errors, operations, version }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    return { env, novu: open({ serverURL: h.url, secretKey: env.key, onSuccess }) }
  }

  test('contexts: created, found, listed, changed, used by a trigger and deleted', async () => {
    // The pinned version drops the fields of `data` from what it sends and reads.
    if (version === pinnedVersion.version) return
    const { env, novu } = await start()
    const { contexts } = novu
    const { result: made } = await contexts.create({ type: 'tenant', id: 'acme', data: { plan: 'gold' } })
    expect(made).toEqual({ type: 'tenant', id: 'acme', data: { plan: 'gold' }, createdAt: time, updatedAt: time })
    expect((await contexts.retrieve('acme', 'tenant')).result).toEqual(made)
    await refused(contexts.create({ type: 'tenant', id: 'acme' }), errors.ErrorDto, 'context_exists')

    const steps = [{ name: 'Bell', type: 'in_app', controlValues: { body: 'Plan {{context.tenant.data.plan}}' } }]
    await makeWorkflow(env, 'hello', { steps })
    await novu.trigger({
      workflowId: 'hello',
      to: 'ada',
      context: { tenant: 'acme', app: { id: 'crm', data: { a: 1 } } },
    })
    await h.drain()
    const { result: messages } = await novu.messages.retrieve({})
    expect(messages.data).toMatchObject([{ content: 'Plan gold' }])

    const { result: list } = await contexts.list({ limit: 1, orderDirection: 'ASC' })
    expect(list).toMatchObject({ data: [{ id: 'acme' }], totalCount: 2, totalCountCapped: false, previous: null })
    const { result: next } = await contexts.list({ limit: 1, orderDirection: 'ASC', after: list.next ?? '' })
    expect(next).toMatchObject({ data: [{ type: 'app', id: 'crm' }], next: null })
    expect((await contexts.list({ id: 'crm' })).result.data).toHaveLength(1)
    expect((await contexts.list({ search: 'ACM' })).result.data).toHaveLength(1)

    await contexts.update({ type: 'tenant', id: 'acme', updateContextRequestDto: { data: { plan: 'lead' } } })
    expect((await env.get('/v2/contexts/tenant/acme')).body.data).toEqual({ plan: 'lead' })
    await contexts.delete('acme', 'tenant')
    await refused(contexts.retrieve('acme', 'tenant'), errors.ErrorDto, 'context_not_found')
  })

  test('contexts without data', async () => {
    const { contexts } = (await start()).novu
    const { result: made } = await contexts.create({ type: 'tenant', id: 'acme' })
    expect(made).toEqual({ type: 'tenant', id: 'acme', data: {}, createdAt: time, updatedAt: time })
    expect((await contexts.retrieve('acme', 'tenant')).result).toEqual(made)
    expect((await contexts.list({ limit: 1 })).result).toMatchObject({ data: [made], totalCount: 1, next: null })
    await contexts.update({ type: 'tenant', id: 'acme', updateContextRequestDto: { data: {} } })
    await contexts.delete('acme', 'tenant')
    await refused(contexts.retrieve('acme', 'tenant'), errors.ErrorDto, 'context_not_found')
  })

  test('environment variables: created, listed, changed, used, and deleted', async () => {
    const { env, novu } = await start()
    // Only the newest has them.
    if (!('environmentVariables' in novu)) return
    const { environmentVariables: variables } = novu
    const { environmentId } = env
    const { result: made } = await variables.create({ key: 'SHOP', values: [{ environmentId, value: 'Tea' }] })
    expect(made).toEqual({
      id: expect.any(String),
      organizationId: env.organizationId,
      key: 'SHOP',
      type: 'string',
      isSecret: false,
      values: [{ environmentId, value: 'Tea' }],
      createdAt: time,
      updatedAt: time,
    })
    expect((await variables.retrieve('SHOP')).result).toEqual(made)
    await refused(variables.create({ key: 'SHOP' }), errors.SDKError, 'variable_exists')
    const steps = [{ name: 'Bell', type: 'in_app', controlValues: { body: 'At {{env.SHOP}}' } }]
    await makeWorkflow(env, 'hello', { steps })
    expect((await variables.usage('SHOP')).result).toEqual({ workflows: [{ name: 'hello', workflowId: 'hello' }] })
    await novu.trigger({ workflowId: 'hello', to: 'ada' })
    await h.drain()
    await variables.update({ values: [{ environmentId, value: 'Cups' }] }, 'SHOP')
    await novu.trigger({ workflowId: 'hello', to: 'ada' })
    await h.drain()
    const { body } = await env.get('/v1/messages')
    expect(body.data.map((it: { content: string }) => it.content)).toEqual(['At Cups', 'At Tea'])

    await variables.create({ key: 'TOKEN', isSecret: true, values: [{ environmentId, value: 'hidden' }] })
    const { result: all } = await variables.list()
    expect(all.map(({ key, values }) => [key, values[0]?.value])).toEqual([
      ['SHOP', 'Cups'],
      ['TOKEN', '••••••••'],
    ])
    expect((await variables.list('tok')).result).toHaveLength(1)
    await variables.delete('SHOP')
    await refused(variables.retrieve('SHOP'), errors.SDKError, 'variable_not_found')
  })

  test('the messages of an event are deleted by its transactionId', async () => {
    const { env, novu } = await start()
    await makeWorkflow(env)
    const { result: sent } = await novu.trigger({ workflowId: 'hello', to: ['ada', 'bob'] })
    await h.drain()
    const transactionId = sent.transactionId ?? ''
    await novu.messages.deleteByTransactionId(transactionId, 'email')
    expect((await env.get('/v1/messages')).body.totalCount).toBe(2)
    await novu.messages.deleteByTransactionId(transactionId)
    expect((await env.get('/v1/messages')).body.totalCount).toBe(0)
    await refused(novu.messages.deleteByTransactionId('nope'), errors.ErrorDto, 'event_not_found')
  })

  test('a step is read by its stepId and by its id', async () => {
    const { env, novu } = await start()
    const mail = { subject: 'S', body: '<p>Hi</p>', editorType: 'html' }
    const steps = [
      { stepId: 'bell', name: 'Bell', type: 'in_app', controlValues: { body: 'Hi' } },
      { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'hours' } },
      { stepId: 'mail', name: 'Mail', type: 'email', controlValues: mail },
    ]
    await makeWorkflow(env, 'hello', { steps })
    for (const { stepId, name, type } of steps) {
      const { result } = await novu.workflows.steps.retrieve('hello', stepId)
      expect(result).toMatchObject({ stepId, name, type, workflowId: 'hello', slug: stepId })
      expect((await novu.workflows.steps.retrieve('hello', result.id)).result).toEqual(result)
    }
    await refused(novu.workflows.steps.retrieve('hello', 'nope'), errors.ErrorDto, 'step_not_found')
  })

  test('what a vendor is answered at the address of the client is what the client reads', async () => {
    const { env, novu } = await start()
    const { path, body, headers } = await postmarkCall(env)
    const integrationId = path.split('/').at(-1) ?? ''
    const there = `/v2/inbound-webhooks/delivery-providers/${env.environmentId}/${integrationId}`
    const reply = await h.send('POST', there, { key: null, body, headers })
    expect(reply.status).toBe(200)
    expect(WebhookResultDto$inboundSchema.array().parse(reply.body)).toEqual([])
    const elsewhere = there.replace(env.environmentId, (await h.environment()).environmentId)
    expect((await h.send('POST', elsewhere, { key: null, body, headers })).body.code).toBe('webhook_not_found')
    // A key of ours is no proof that the vendor calls.
    const track = { environmentId: env.environmentId, integrationId, requestBody: body }
    await refused(novu.activity.track(track), errors.SDKError, 'signature_refused')
  })

  test('every operation of these was called above, but what only a vendor can sign', () => {
    const left = notCalled('client-values.test.ts', { operations, routes: h.routes, succeeded })
    expect(left).toEqual(['activity.track'])
  })
})
