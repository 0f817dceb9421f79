import { type Fixture, makeMessage, makeWorkflow } from './fixture-makers.ts'

const person = { previewPayload: { subscriber: { firstName: 'Ada' } } }
const step = { type: 'in_app', controlValues: { body: 'Hello {{subscriber.firstName}}' } }

/** What the dashboard asks for beyond the specification. */
export const numbersFixtures: Record<string, Fixture> = {
  'numbers-read': {
    foreign: 'nothing named',
    reply: { series: [], totals: { accepted: 0, sent: 0 }, cursor: '0' },
    arrange: async () => ({ path: '/v1/numbers?by=channel&by=workflow&by=provider' }),
  },
  'numbers-now': {
    foreign: 'nothing named',
    reply: { status: 'ok', items: [], waiting: { events: 0, oldestSeconds: 0 } },
    arrange: async () => ({ path: '/v1/numbers/now' }),
  },
  'providers-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/providers' }) },
  'notifications-messages': {
    foreign: 'not found',
    reply: { data: [{ channel: 'in_app', status: 'sent', attempts: [] }] },
    arrange: async (env) => ({ path: `/v1/notifications/${(await makeMessage(env))._notificationId}/messages` }),
  },
  'workflows-preview': {
    foreign: 'nothing named',
    reply: { result: { type: 'in_app', preview: { body: 'Hello Ada' }, errors: [] }, applies: true },
    arrange: async () => ({
      path: '/v2/workflows/preview',
      body: { step, ...person },
      otherBody: { step: { ...step, filters: [] }, ...person },
      badBodies: [{}, { step: {} }, { step: { type: 'fax' } }, { step, previewPayload: { payload: [] } }],
    }),
  },
  'workflows-step-preview': {
    foreign: 'not found',
    reply: { result: { type: 'in_app', preview: { body: 'Hello Ada' }, errors: [] } },
    arrange: async (env) => {
      const workflowId = await makeWorkflow(env)
      const { stepId } = (await env.get(`/v2/workflows/${workflowId}`)).body.steps[0]
      return {
        path: `/v2/workflows/${workflowId}/step/${stepId}/preview`,
        body: person,
        otherBody: { ...person, controlValues: { body: 'Hello Ada' } },
        badBodies: [{ controlValues: [] }, { previewPayload: 7 }, { subscriberId: 7 }],
      }
    },
  },
  'workflows-versions': {
    foreign: 'not found',
    reply: { data: [{ version: 1, current: true }], hasMore: false },
    arrange: async (env) => ({ path: `/v2/workflows/${await makeWorkflow(env)}/versions` }),
  },
}
