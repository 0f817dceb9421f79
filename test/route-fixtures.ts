import { feedFixtures } from './feed-fixtures.ts'
import {
  credentialsCall,
  type Fixture,
  makeIntegration,
  makeMember,
  makeMessage,
  makeSubscriber,
  makeTenant,
  makeTopic,
  makeWorkflow,
  unique,
  workflowBody,
} from './fixture-makers.ts'
import { apiKeyFixtures } from './fixtures/api-keys.ts'
import { eventFixtures } from './fixtures/events.ts'
import { numbersFixtures } from './numbers-fixtures.ts'
import { outsideFixtures } from './outside-fixtures.ts'
import { preferenceFixtures } from './preference-fixtures.ts'

/** By route name. A route without one fails test/system.test.ts. */
export const fixtures: Record<string, Fixture> = {
  ...numbersFixtures,
  ...outsideFixtures,
  ...feedFixtures,
  ...preferenceFixtures,
  ...apiKeyFixtures,
  'subscribers-create': {
    foreign: 'nothing named',
    arrange: async () => {
      const subscriberId = unique('subscriber')
      return {
        path: '/v2/subscribers',
        body: { subscriberId, firstName: 'Ada' },
        otherBody: { subscriberId, firstName: 'Eve' },
        badBodies: [{}, { subscriberId: 7 }, { subscriberId: '' }, { subscriberId: 'a', email: 'nobody' }],
      }
    },
  },
  'subscribers-bulk': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/subscribers/bulk',
      body: { subscribers: [{ subscriberId: unique('subscriber') }] },
      otherBody: { subscribers: [{ subscriberId: unique('subscriber') }] },
      badBodies: [{}, { subscribers: [] }, { subscribers: 'all' }],
    }),
  },
  'subscribers-search': { foreign: 'nothing named', arrange: async () => ({ path: '/v2/subscribers' }) },
  'subscribers-get': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${await makeSubscriber(env)}` }),
  },
  'subscribers-export': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${await makeSubscriber(env)}/export` }),
  },
  'subscribers-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/subscribers/${await makeSubscriber(env)}`,
      body: { lastName: 'Lovelace' },
      otherBody: { lastName: 'Byron' },
      badBodies: [{ firstName: 1 }, { timezone: 'Mars/Olympus' }, { data: [] }],
    }),
  },
  'subscribers-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${await makeSubscriber(env)}` }),
  },
  'subscribers-online-status': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v1/subscribers/${await makeSubscriber(env)}/online-status`,
      body: { isOnline: true },
      otherBody: { isOnline: false },
      badBodies: [{}, { isOnline: 'yes' }],
    }),
  },
  'subscribers-credentials-update': { foreign: 'not found', arrange: credentialsCall },
  'subscribers-credentials-append': { foreign: 'not found', arrange: credentialsCall },
  'subscribers-credentials-delete': {
    foreign: 'not found',
    arrange: async (env) => {
      const { path, body } = await credentialsCall(env)
      await env.put(path, body)
      return { path: `${path}/fcm` }
    },
  },
  'subscribers-subscriptions-list': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/subscribers/${(await makeMember(env)).subscriberId}/subscriptions` }),
  },
  'topics-create': {
    foreign: 'nothing named',
    arrange: async () => {
      const key = unique('topic')
      return {
        path: '/v2/topics',
        body: { key, name: 'News' },
        otherBody: { key, name: 'Sport' },
        badBodies: [{}, { key: '' }, { key: 'no blanks' }, { key: 'k', name: 1 }],
      }
    },
  },
  'topics-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v2/topics' }) },
  'topics-get': { foreign: 'not found', arrange: async (env) => ({ path: `/v2/topics/${await makeTopic(env)}` }) },
  'topics-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/topics/${await makeTopic(env)}`,
      body: { name: 'Sport' },
      otherBody: { name: 'Weather' },
      badBodies: [{ name: 5 }, { name: 'x'.repeat(101) }],
    }),
  },
  'topics-delete': { foreign: 'not found', arrange: async (env) => ({ path: `/v2/topics/${await makeTopic(env)}` }) },
  'topics-subscriptions-list': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/topics/${(await makeMember(env)).key}/subscriptions` }),
  },
  'topics-subscriptions-add': {
    // Clients subscribe people to topics nobody made before.
    foreign: 'made',
    arrange: async (env) => ({
      path: `/v2/topics/${await makeTopic(env)}/subscriptions`,
      body: { subscriptions: [await makeSubscriber(env)] },
      otherBody: { subscriptions: [await makeSubscriber(env)] },
      badBodies: [{}, { subscriptions: [] }, { subscriptions: [{}] }, { subscriptions: [1] }],
    }),
  },
  'topics-subscriptions-remove': {
    foreign: 'not found',
    arrange: async (env) => {
      const { key, subscriberId } = await makeMember(env)
      return {
        path: `/v2/topics/${key}/subscriptions`,
        body: { subscriptions: [subscriberId] },
        otherBody: { subscriptions: ['somebody-else'] },
        badBodies: [{}, { subscriberIds: [] }, { subscriptions: 'all' }],
      }
    },
  },
  'topics-subscriptions-get': {
    foreign: 'not found',
    arrange: async (env) => {
      const { key, subscriberId } = await makeMember(env)
      return { path: `/v2/topics/${key}/subscriptions/tk_${key}:si_${subscriberId}` }
    },
  },
  'topics-subscribers-get': {
    foreign: 'not found',
    arrange: async (env) => {
      const { key, subscriberId } = await makeMember(env)
      return { path: `/v1/topics/${key}/subscribers/${subscriberId}` }
    },
  },
  'integrations-create': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/integrations',
      body: { providerId: 'sendgrid', channel: 'email', name: unique('mail') },
      otherBody: { providerId: 'sendgrid', channel: 'email', name: unique('mail') },
      badBodies: [
        {},
        { providerId: 'sendgrid' },
        { providerId: 'sendgrid', channel: 'fax' },
        { providerId: 'sendgrid', channel: 'email', credentials: { port: 25 } },
      ],
    }),
  },
  'integrations-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/integrations' }) },
  'integrations-active': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/integrations/active' }) },
  'integrations-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v1/integrations/${await makeIntegration(env)}`,
      body: { name: 'Renamed' },
      otherBody: { name: 'Renamed again' },
      badBodies: [{ active: 'yes' }, { conditions: {} }, { credentials: { apiKey: null } }],
    }),
  },
  'integrations-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/integrations/${await makeIntegration(env)}` }),
  },
  'integrations-set-primary': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/integrations/${await makeIntegration(env)}/set-primary` }),
  },
  ...eventFixtures,
  'messages-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/messages' }) },
  'messages-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/messages/${(await makeMessage(env))._id}` }),
  },
  'notifications-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/notifications' }) },
  'notifications-get': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/notifications/${(await makeMessage(env))._notificationId}` }),
  },
  'subscribers-notifications-feed': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/subscribers/${await makeSubscriber(env)}/notifications/feed` }),
  },
  'tenants-create': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/tenants',
      body: { identifier: unique('tenant') },
      otherBody: { identifier: unique('tenant') },
      badBodies: [{}, { identifier: '' }, { identifier: 'a', data: 'b' }],
    }),
  },
  'tenants-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/tenants' }) },
  'tenants-get': { foreign: 'not found', arrange: async (env) => ({ path: `/v1/tenants/${await makeTenant(env)}` }) },
  'tenants-update': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v1/tenants/${await makeTenant(env)}`,
      body: { name: 'Umbrella' },
      otherBody: { name: 'Initech' },
      badBodies: [{ name: 1 }, { identifier: '' }],
    }),
  },
  'tenants-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/tenants/${await makeTenant(env)}` }),
  },
  'workflows-create': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v2/workflows',
      body: { workflowId: unique('workflow'), ...workflowBody },
      otherBody: { workflowId: unique('workflow'), ...workflowBody },
      badBodies: [
        {},
        workflowBody,
        { ...workflowBody, workflowId: '' },
        { workflowId: 'a', name: 'A' },
        { ...workflowBody, workflowId: 'a', steps: [{ name: 'A', type: 'fax' }] },
      ],
    }),
  },
  'workflows-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v2/workflows' }) },
  'workflows-get': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/workflows/${await makeWorkflow(env)}` }),
  },
  'workflows-replace': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/workflows/${await makeWorkflow(env)}`,
      body: { ...workflowBody, name: 'Renamed' },
      otherBody: { ...workflowBody, name: 'Renamed again' },
      badBodies: [{}, { name: 'A' }, { ...workflowBody, steps: [{ name: 'A', type: 'sms', controlValues: {} }] }],
    }),
  },
  'workflows-patch': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v2/workflows/${await makeWorkflow(env)}`,
      body: { active: false },
      otherBody: { active: true },
      badBodies: [{ active: 'no' }, { name: '' }, { payloadSchema: { type: 'rock' } }],
    }),
  },
  'workflows-delete': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v2/workflows/${await makeWorkflow(env)}` }),
  },
}
