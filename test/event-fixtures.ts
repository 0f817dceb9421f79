import { type Fixture, makeMessage, makeSubscriber, makeWorkflow } from './fixture-makers.ts'

// A 201 may hold a refusal: only `processed` means that the event was accepted.
const accepted = { acknowledged: true, status: 'processed' }
const workflowUnknown = { acknowledged: true, status: 'error', error: ['workflow_not_found'] }

/** None names its transactionId: only the idempotency-key can keep a repetition from being another event. */
export const eventFixtures: Record<string, Fixture> = {
  'events-trigger': {
    foreign: 'nothing named',
    reply: accepted,
    foreignReply: workflowUnknown,
    arrange: async (env) => {
      const name = await makeWorkflow(env)
      return {
        path: '/v1/events/trigger',
        body: { name, to: 'ada' },
        otherBody: { name, to: 'eve' },
        badBodies: [{}, { name: 7 }, { name, payload: [] }],
      }
    },
  },
  'events-trigger-bulk': {
    foreign: 'nothing named',
    reply: [accepted],
    foreignReply: [workflowUnknown],
    arrange: async (env) => {
      const name = await makeWorkflow(env)
      return {
        path: '/v1/events/trigger/bulk',
        body: { events: [{ name, to: 'ada' }] },
        otherBody: { events: [{ name, to: 'eve' }] },
        badBodies: [{}, { events: [] }, { events: {} }],
      }
    },
  },
  'events-trigger-broadcast': {
    foreign: 'nothing named',
    reply: accepted,
    foreignReply: workflowUnknown,
    arrange: async (env) => {
      const name = await makeWorkflow(env)
      await makeSubscriber(env)
      return {
        path: '/v1/events/trigger/broadcast',
        body: { name },
        otherBody: { name, payload: { other: true } },
        badBodies: [{}, { name: 7 }, { name, overrides: 'all' }],
      }
    },
  },
  'events-explain': {
    foreign: 'nothing named',
    reply: { result: accepted },
    foreignReply: { result: workflowUnknown, recipients: [], hasMore: false },
    arrange: async (env) => {
      const name = await makeWorkflow(env)
      return {
        path: '/v1/events/explain',
        body: { name, to: 'ada' },
        otherBody: { name, to: 'eve' },
        badBodies: [{}, { name: 7 }, { name, payload: [] }],
      }
    },
  },
  'events-cancel': {
    // Canceling what is unknown stops nothing, which is what was asked for.
    foreign: 'made',
    reply: { acknowledged: true, canceled: 1 },
    foreignReply: { acknowledged: true, canceled: 0 },
    needsWaitingSteps: true,
    arrange: async (env) => ({ path: `/v1/events/trigger/${(await makeMessage(env)).transactionId}` }),
  },
}
