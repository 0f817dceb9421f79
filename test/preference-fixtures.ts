import { type Fixture, makeSubscriber, makeWorkflow } from './fixture-makers.ts'

const monday = (start: string, end: string) => ({
  isEnabled: true,
  weeklySchedule: { monday: { isEnabled: true, hours: [{ start, end }] } },
})

export const preferenceFixtures: Record<string, Fixture> = {
  'subscribers-preferences-list': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${await makeSubscriber(env)}/preferences` }),
  },
  'subscribers-preferences-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/subscribers/${await makeSubscriber(env)}/preferences`,
      body: { channels: { email: false }, schedule: monday('09:00 AM', '05:00 PM') },
      otherBody: { channels: { email: true } },
      badBodies: [
        { channels: { email: 'no' } },
        { channels: [] },
        { enabled: 1 },
        { workflowId: 7 },
        { workflowId: '' },
        { schedule: {} },
        { schedule: monday('25:00', '26:00') },
        { schedule: monday('24:00', '24:00') },
        { schedule: monday('13:00 AM', '5 PM') },
        { schedule: { isEnabled: true, weeklySchedule: { monday: { hours: [] } } } },
      ],
    }),
  },
  'subscribers-preferences-bulk': {
    foreign: 'not found',
    arrange: async (env) => {
      const workflowId = await makeWorkflow(env)
      return {
        path: `/v2/subscribers/${await makeSubscriber(env)}/preferences/bulk`,
        body: { preferences: [{ workflowId, channels: { in_app: false } }] },
        otherBody: { preferences: [{ workflowId, channels: { in_app: true } }] },
        badBodies: [
          {},
          { preferences: [] },
          { preferences: [{ workflowId }] },
          { preferences: [{ channels: {} }] },
          { preferences: Array.from({ length: 101 }, () => ({ workflowId, channels: {} })) },
        ],
      }
    },
  },
}
