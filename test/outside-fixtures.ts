import { unsubscribeToken } from '../src/core/subscribers/unsubscribe.ts'
import { createSealer } from '../src/lib/seal.ts'
import { type Fixture, unique, workflowBody } from './fixture-makers.ts'
import type { Client } from './harness.ts'

async function makeMailbox(env: Client): Promise<string> {
  const made = await env.post('/v1/integrations', { providerId: 'platform-email', channel: 'email' })
  return made.body._id
}

async function suppress(env: Client): Promise<string> {
  const address = `bounced-${Math.random().toString(36).slice(2)}@example.com`
  await env.post('/v1/suppressions', { channel: 'email', address })
  return address
}

/** A link as the harness would make it: its servers all have this key. */
async function unsubscribePath(env: Client): Promise<string> {
  const sealer = createSealer([{ id: 't1', bytes: Buffer.alloc(32, 1) }])
  const { body } = await env.post('/v2/subscribers', { subscriberId: 'unsubscriber' })
  const { environmentId } = env
  const workflow = await env.post('/v2/workflows', { workflowId: unique('workflow'), ...workflowBody })
  const link = { environmentId, subscriberId: body._id, workflowId: workflow.body._id }
  return `/v1/unsubscribe/${unsubscribeToken(sealer, link)}`
}

/** Routes about what leaves the house, and what comes back. */
export const outsideFixtures: Record<string, Fixture> = {
  'integrations-test': {
    foreign: 'not found',
    arrange: async (env) => ({
      path: `/v1/integrations/${await makeMailbox(env)}/test`,
      body: { to: 'ada@example.com' },
      otherBody: { to: 'eve@example.com' },
      badBodies: [{}, { to: 'nobody' }, { to: 7 }, { to: 'ada@example.com', content: '' }],
    }),
  },
  'dead-letters-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/dead-letters' }) },
  'dead-letters-redrive': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/dead-letters/redrive',
      body: { all: true },
      otherBody: { all: true, channel: 'email' },
      badBodies: [{}, { all: false }, { messageIds: [] }, { messageIds: 'all' }, { all: true, messageIds: ['a'] }],
    }),
  },
  'suppressions-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/suppressions' }) },
  'suppressions-add': {
    foreign: 'nothing named',
    arrange: async () => ({
      path: '/v1/suppressions',
      body: { channel: 'email', address: 'Ada@example.com' },
      otherBody: { channel: 'sms', address: '+491701234567' },
      badBodies: [
        {},
        { channel: 'email' },
        { channel: 'push', address: 'token' },
        { channel: 'email', address: 'nobody' },
        { channel: 'email', address: 'ada@example.com', reason: 'bored' },
      ],
    }),
  },
  'suppressions-remove': {
    foreign: 'not found',
    arrange: async (env) => ({ path: `/v1/suppressions/email/${await suppress(env)}` }),
  },
  'dev-mailbox': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/dev/mailbox' }) },
  'webhooks-receive': {
    foreign: 'nothing named',
    arrange: async (env) => {
      const made = await env.post('/v1/integrations', {
        providerId: 'postmark',
        channel: 'email',
        configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'hook:password-of-the-hook' },
      })
      return {
        path: `/v1/webhooks/${made.body._id}`,
        body: { RecordType: 'Delivery', MessageID: 'unknown-to-us', Recipient: 'ada@example.com' },
        headers: { authorization: `Basic ${Buffer.from('hook:password-of-the-hook').toString('base64')}` },
      }
    },
  },
  'unsubscribe-show': {
    foreign: 'nothing named',
    arrange: async (env) => ({ path: await unsubscribePath(env) }),
  },
  'unsubscribe-confirm': {
    foreign: 'nothing named',
    arrange: async (env) => ({ path: await unsubscribePath(env), body: {} }),
  },
}
