import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { emailStep, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const inbox = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hi' } }

test('tells for each person what would happen at each step, and leaves nothing behind', async () => {
  const env = await h.environment()
  const filters = [{ value: 'AND', children: [{ on: 'payload', field: 'plan', operator: 'EQUAL', value: 'pro' }] }]
  const delay = { name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'hours' } }
  await makeWorkflow(env, 'hello', { steps: [inbox, { ...inbox, name: 'Pro', filters }, delay, emailStep] })
  await makeIntegration(env, { providerId: 'platform-email', channel: 'email', identifier: 'mailbox' })
  const { status, body } = await env.post('/v1/events/explain', {
    name: 'hello',
    to: [{ subscriberId: 'ada', email: 'ada@example.org' }, 'bob'],
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ result: { status: 'processed' }, hasMore: false })
  const steps = (id: string) => body.recipients.find((it: { subscriberId: string }) => it.subscriberId === id).steps
  expect(steps('ada')).toMatchObject([
    { stepId: 'inbox', outcome: 'send' },
    { stepId: 'pro', outcome: 'skip', why: expect.stringContaining('payload.plan') },
    { stepId: 'wait', outcome: 'delay', until: expect.any(String) },
    { stepId: 'mail', outcome: 'send', integrations: ['mailbox'] },
  ])
  expect(steps('bob')[3]).toMatchObject({ outcome: 'skip', why: expect.stringContaining('e-mail') })
  expect((await env.get('/v2/subscribers')).body.totalCount).toBe(0)
  expect((await env.get('/v1/notifications')).body.data).toEqual([])
})

test('a step that depends on another says on what, and what would stop it anyway', async () => {
  const env = await h.environment()
  await makeIntegration(env, { providerId: 'platform-email', channel: 'email', identifier: 'mailbox' })
  const when = { stepId: 'inbox', is: 'unread' }
  const pro = [{ children: [{ on: 'payload', field: 'plan', operator: 'EQUAL', value: 'pro' }] }]
  const steps = [inbox, { ...emailStep, when }, { ...emailStep, name: 'Pro', when, filters: pro }]
  await makeWorkflow(env, 'hello', { steps })
  await env.post('/v2/subscribers', { subscriberId: 'eve', email: 'eve@example.org' })
  await env.patch('/v2/subscribers/eve/preferences', { channels: { email: false } })
  const { body } = await env.post('/v1/events/explain', {
    name: 'hello',
    to: [{ subscriberId: 'ada', email: 'ada@example.org' }, 'bob', 'eve'],
  })
  const mails = (id: string) =>
    body.recipients.find((it: { subscriberId: string }) => it.subscriberId === id).steps.slice(1)
  expect(mails('ada')).toEqual([
    {
      stepId: 'mail',
      type: 'email',
      outcome: 'wait',
      why: 'Only if step inbox is unread',
      dependsOn: when,
      integrations: ['mailbox'],
    },
    { stepId: 'pro', type: 'email', outcome: 'skip', why: expect.stringContaining('payload.plan'), dependsOn: when },
  ])
  expect(mails('bob')[0]).toMatchObject({ outcome: 'skip', why: expect.stringContaining('e-mail'), dependsOn: when })
  expect(mails('eve')[0]).toMatchObject({ outcome: 'skip', why: expect.stringMatching(/turned off/), dependsOn: when })
})

test('an event that would be refused says how', async () => {
  const env = await h.environment()
  const { body } = await env.post('/v1/events/explain', { name: 'nope', to: 'ada' })
  expect(body).toEqual({
    result: { acknowledged: true, status: 'error', error: ['workflow_not_found'] },
    recipients: [],
    hasMore: false,
  })
})

/** Global × workflow × channel × critical × schedule: the same answer from `explain` and from delivery. */
test('explain and delivery agree, whatever people chose', { timeout: 120_000 }, async () => {
  const env = await h.environment()
  await makeIntegration(env, { providerId: 'platform-email', channel: 'email' })
  const closed = { isEnabled: true, weeklySchedule: onlyOn(new Date(Date.now() + 3 * 86_400_000)) }
  const cases: { subscriberId: string; transactionId: string; explained: string[] }[] = []
  for (const critical of [false, true]) {
    const name = critical ? 'alarm' : 'news'
    await makeWorkflow(env, name, { steps: [inbox, emailStep], critical })
    for (const all of [undefined, false]) {
      for (const channel of [undefined, true, false]) {
        for (const own of [undefined, true, false]) {
          for (const schedule of [undefined, closed]) {
            const subscriberId = `p${cases.length}-${name}`
            await env.post('/v2/subscribers', { subscriberId, email: 'ada@example.org' })
            const path = `/v2/subscribers/${subscriberId}/preferences`
            const globally = {
              ...(channel !== undefined && { email: channel }),
              ...(all === false && { in_app: false }),
            }
            if (schedule || channel !== undefined || all === false) {
              await env.patch(path, { channels: globally, ...(schedule && { schedule }) })
            }
            if (own !== undefined && !critical) await env.patch(path, { workflowId: name, channels: { email: own } })
            const { steps } = (await env.post('/v1/events/explain', { name, to: subscriberId })).body.recipients[0]
            const { transactionId } = await trigger(env, { name, to: subscriberId })
            const explained = steps.map((step: { outcome: string }) => step.outcome)
            cases.push({ subscriberId, transactionId, explained })
          }
        }
      }
    }
  }
  expect(cases).toHaveLength(72)
  await h.drain()
  const words: Record<string, string> = { completed: 'send', queued: 'send', skipped: 'skip', delayed: 'defer' }
  for (const { subscriberId, transactionId, explained } of cases) {
    const { jobs } = await storyOf(env, transactionId)
    expect(
      jobs.map((job) => words[job.status]),
      subscriberId,
    ).toEqual(explained)
  }
})

function onlyOn(day: Date) {
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
  const open = names[day.getUTCDay()] ?? ''
  return { [open]: { isEnabled: true, hours: [{ start: '09:00 AM', end: '10:00 AM' }] } }
}
