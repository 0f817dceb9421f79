import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { believing, roaming } from '../../../test/people/attackers.ts'
import { makeMailbox, resetMails } from '../../../test/people/mails.ts'
import { addPerson, makeInvitation, makeMember, ofDashboard, type SignedIn } from '../../../test/people/people.ts'

// What sends our mails reads links that open accounts. Whoever is less than an owner must not become one by them.
const h = useHarness(believing, { worker: true })
let env: Client
let send: typeof h.send
let mailbox: Json
let owner: SignedIn
const others: SignedIn[] = []
beforeAll(async () => {
  send = roaming(h.send)
  env = await h.environment()
  await giveReach(h, env)
  mailbox = await makeMailbox(env)
  owner = await makeMember(env, { role: 'owner' })
  for (const role of ['admin', 'author', 'operator', 'viewer'] as const)
    others.push(await addPerson(h, env.organizationId, { role }))
})

const ask = () => send('POST', '/session/reset/ask', { body: { email: owner.email }, headers: ofDashboard })
const as = (who: SignedIn, method: string, path: string, body?: unknown) =>
  send(method, path, { headers: who.headers, ...(body !== undefined && { body }) })

describe('a mail with a link', () => {
  test('is read in the mailbox of a developer by owners alone', async () => {
    expect((await ask()).status).toBe(202)
    const [mail] = await resetMails(env, owner.email)
    const secret = /#token=([\w.-]+)/.exec(mail.content)?.[1] ?? ''
    expect(secret).not.toBe('')
    expect((await as(owner, 'GET', '/v1/dev/mailbox')).text).toContain(secret)
    const paths = [
      '/v1/dev/mailbox',
      `/v1/dev/mailbox?to=${encodeURIComponent(owner.email)}`,
      '/v1/messages?page=0',
      '/v1/changes?of=organization',
      '/v1/members/invitations',
      `/v1/notifications?page=0`,
    ]
    for (const who of others) {
      for (const path of paths) expect((await as(who, 'GET', path)).text, path).not.toContain(secret)
    }
    // A key that opens one environment is no owner either.
    const made = await as(owner, 'POST', '/v1/api-keys', { name: 'reads', scope: 'read' })
    expect(made.status, made.text).toBe(201)
    const seen = await send('GET', '/v1/dev/mailbox', { key: made.body.key })
    expect([seen.status, seen.text.includes(secret)]).toEqual([200, false])
  })

  test('is led nowhere else by who is less: neither by another choice, nor by changing what was chosen', async () => {
    const chosen = { environmentId: env.environmentId, integrationId: mailbox._id }
    expect((await as(owner, 'PATCH', '/v1/organization', { mail: chosen })).status).toBe(200)
    const path = `/v1/integrations/${mailbox._id}`
    for (const who of others) {
      for (const [method, at, body] of [
        ['PATCH', '/v1/organization', { mail: null }],
        ['PATCH', '/v1/organization', { mail: chosen }],
        ['PATCH', '/v1/organization', { passwords: 'owners-only' }],
        ['PUT', path, { name: 'Mine' }],
        ['PUT', path, { credentials: { from: 'eve@example.com' } }],
        ['PUT', path, { active: false }],
        ['DELETE', path],
      ] as [string, string, unknown?][]) {
        const reply = await as(who, method, at, body)
        expect(reply.status, `${method} ${at} ${JSON.stringify(body)}: ${reply.text}`).toBe(403)
      }
    }
    expect((await as(owner, 'PUT', path, { name: 'Ours' })).status).toBe(200)
  })

  test('of an invitation is shown to whoever invites, and to nobody who looks later', async () => {
    const { token, body } = await makeInvitation(env, { role: 'owner' })
    const secret = token.split('.')[2] ?? ''
    for (const who of others) {
      for (const path of ['/v1/members/invitations', '/v1/members', '/v1/changes?of=organization', '/v1/dev/mailbox'])
        expect((await as(who, 'GET', path)).text, path).not.toContain(secret)
      // An owner's invitation is neither renewed nor taken back by who is less.
      const at = `/v1/members/invitations/${body.id}`
      expect((await as(who, 'POST', `${at}/renew`)).status).toBe(403)
    }
  })
})
