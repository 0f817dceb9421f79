import { describe, expect, test } from 'vitest'
import { type Client, useSharedHarness } from '../../../test/harness.ts'

const h = useSharedHarness()
const path = '/v2/subscribers/ada/preferences'

const inApp = { name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello' } }
const email = { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: 'Hello' } }

async function start(workflows: Record<string, object> = {}): Promise<Client> {
  const env = await h.environment()
  await env.post('/v2/subscribers', { subscriberId: 'ada' })
  for (const [workflowId, changes] of Object.entries(workflows)) {
    const made = await env.post('/v2/workflows', { workflowId, name: workflowId, steps: [inApp, email], ...changes })
    expect(made.status).toBe(201)
  }
  return env
}

const everything = { in_app: true, email: true, sms: true, chat: true, push: true }

test('everything is on for somebody who never chose', async () => {
  const env = await start({ news: {} })
  const { body } = await env.get(path)
  expect(body).toEqual({
    global: { enabled: true, channels: everything },
    workflows: [
      {
        enabled: true,
        readOnly: false,
        channels: { in_app: true, email: true },
        overrides: [
          { channel: 'in_app', source: 'template' },
          { channel: 'email', source: 'template' },
        ],
        workflow: { slug: 'news', identifier: 'news', name: 'news', critical: false, updatedAt: expect.any(String) },
      },
    ],
  })
})

test('only channels with an active step are shown, only active workflows, and none that is deleted', async () => {
  const env = await start({
    news: { steps: [inApp, { ...email, active: false }] },
    paused: { active: false },
    gone: {},
  })
  await env.delete('/v2/workflows/gone')
  const { workflows } = (await env.get(path)).body
  expect(workflows).toMatchObject([{ workflow: { identifier: 'news' } }])
  expect(workflows[0].channels).toEqual({ in_app: true })
})

describe('criticality', () => {
  test('critical ones are left out unless asked for, and shown as on and read-only whatever is chosen', async () => {
    const env = await start({ alarm: { critical: true }, news: {} })
    await env.patch(path, { enabled: false, channels: { email: false } })
    const names = async (query: string) => {
      const { workflows } = (await env.get(path + query)).body
      return workflows.map((it: { workflow: { identifier: string } }) => it.workflow.identifier)
    }
    expect(await names('')).toEqual(['news'])
    expect(await names('?criticality=nonCritical')).toEqual(['news'])
    expect(await names('?criticality=all')).toEqual(['alarm', 'news'])
    const [alarm] = (await env.get(`${path}?criticality=critical`)).body.workflows
    expect(alarm).toMatchObject({ enabled: true, readOnly: true, channels: { in_app: true, email: true } })
    expect((await env.get(`${path}?criticality=some`)).status).toBe(422)
  })
})

test('what the workflow says is shown until the subscriber says otherwise, channel before `all`', async () => {
  const channels = { email: { enabled: true } }
  const env = await start({ quiet: { preferences: { workflow: { all: { enabled: false }, channels } } } })
  const quiet = async () => (await env.get(path)).body.workflows[0]
  expect(await quiet()).toMatchObject({ enabled: false, channels: { in_app: false, email: true } })
  await env.patch(path, { channels: { in_app: true } })
  expect(await quiet()).toMatchObject({
    enabled: false,
    channels: { in_app: true, email: true },
    overrides: [
      { channel: 'in_app', source: 'subscriber' },
      { channel: 'email', source: 'template' },
    ],
  })
})

test('what the team set goes before the workflow, and a read-only one shows nothing of the subscriber', async () => {
  const env = await start({
    both: { preferences: { user: { channels: { email: { enabled: false } } }, workflow: { all: { enabled: true } } } },
    fixed: { critical: false, preferences: { user: { all: { enabled: false, readOnly: true } } } },
  })
  await env.patch(path, { channels: { in_app: true } })
  const [both, fixed] = (await env.get(path)).body.workflows
  expect(both).toMatchObject({ readOnly: false, channels: { in_app: true, email: false } })
  expect(fixed).toMatchObject({ readOnly: true, enabled: false, channels: { in_app: false, email: false } })
})
