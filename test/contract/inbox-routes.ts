import { expect, test } from 'vitest'
import { makeInboxToken } from '../../src/core/inbox/inbox-token.ts'
import type { InboxRoute, InboxSessionRoute } from '../../src/http/inbox/define-inbox-route.ts'
import { createSealer } from '../../src/lib/seal.ts'
import { uuid7 } from '../../src/lib/uuid7.ts'
import { openInbox } from '../client/inbox-session.ts'
import type { Fixture } from '../fixture-makers.ts'
import { type Client, type Harness, underRowLevelSecurity } from '../harness.ts'
import type { Strangers } from './strangers.ts'
import { rowsOf } from './tenant-rows.ts'

type Subject = { route: InboxRoute; fixture: Fixture; strangers: Strangers }

/** Routes that a subscriber's token opens. */
export function inboxContract(h: Harness, { route, fixture, strangers }: Subject): void {
  const arrange = async () => {
    const env = await h.environment({ organizationId: await strangers.organizationId() })
    return { env, ...(await fixture.arrange(env, h.environment)) }
  }
  const call = (path: string, body: unknown, headers: Record<string, string>) =>
    h.send(route.method, path, { body, headers, key: null })
  const withToken = (token: string) => ({ authorization: `Bearer ${token}` })

  test('succeeds as its fixture says, from any origin, with and without a slash at the end', async () => {
    for (const slash of ['', '/']) {
      const { path, body, headers = {} } = await arrange()
      const [place = '', query] = path.split('?')
      const sent = { ...headers, origin: 'https://app.example.com' }
      const reply = await call(`${place}${slash}${query ? `?${query}` : ''}`, body, sent)
      expect(reply.status, reply.text).toBe(fixture.withoutVendor ?? route.status)
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
      if (fixture.reply) expect(reply.body).toMatchObject(fixture.reply)
    }
  })

  test('401 without a token, with a key, and with one that is forged, expired, unknown or vouched for by nobody', async () => {
    const { env, path, body, headers = {} } = await arrange()
    const before = await rowsOf(h, env)
    const good = (headers.authorization ?? '').slice('Bearer '.length)
    const claims = {
      environmentId: env.environmentId,
      subscriberId: uuid7(new Date()),
      contextKeys: [],
      vouchedBy: 'x',
      lookOnly: false,
    }
    const later = new Date(Date.now() + 60_000)
    const strange = createSealer([{ id: 'other', bytes: Buffer.alloc(32, 9) }])
    const wrong = [
      {},
      { authorization: `ApiKey ${env.key}` },
      { authorization: good },
      { cookie: `tidings_session=${good}` },
      ...[
        '',
        'ti_',
        `${good}x`,
        good.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
        good.replace('ti_W', 'ti_X'),
        makeInboxToken(strange, { ...claims, expiresAt: later }),
        makeInboxToken(h.ctx.sealer, { ...claims, expiresAt: later }),
        makeInboxToken(h.ctx.sealer, { ...claims, vouchedBy: null, expiresAt: new Date(Date.now() - 1) }),
        makeInboxToken(h.ctx.sealer, { ...claims, environmentId: uuid7(new Date()), expiresAt: later }),
      ].map(withToken),
    ]
    for (const each of wrong) expect((await call(path, body, each)).status, JSON.stringify(each)).toBe(401)
    expect(await rowsOf(h, env)).toEqual(before)
  })

  test("somebody else's token, of this environment or another, finds and changes nothing of the owner's", async () => {
    const { env: owner, path, body } = await arrange()
    const before = await rowsOf(h, owner)
    const others: [Client, string][] = [[owner, 'somebody-else']]
    for (const env of await strangers.fresh()) others.push([env, 'ada'])
    for (const [env, who] of others) {
      const { token } = await openInbox(env, who)
      const reply = await call(path, body, withToken(token))
      const isOwn = env === owner && fixture.foreign !== 'not found'
      const status = fixture.foreignStatus ?? fixture.withoutVendor ?? route.status
      // Elsewhere the workflow that is named may be unknown.
      expect(isOwn ? [status] : [404, ...(fixture.foreign === 'not found' ? [] : [status])]).toContain(reply.status)
      if (fixture.foreignReply) expect(reply.body).toMatchObject(fixture.foreignReply)
    }
    expect(await rowsOf(h, owner)).toEqual(expect.arrayContaining(before))
  })

  test.runIf(route.body && !underRowLevelSecurity)(
    'a body that is none, or not as it should be, is refused and changes nothing',
    async () => {
      const { env, path, headers = {}, badBodies = [] } = await arrange()
      const before = await rowsOf(h, env)
      for (const bad of [[], 'x', 7, null, ...badBodies]) {
        const reply = await call(path, bad, headers)
        expect([400, 422], JSON.stringify(bad)).toContain(reply.status)
      }
      expect(await rowsOf(h, env)).toEqual(before)
    },
  )
}

/** The route that gives tokens. */
export function inboxSessionContract(
  h: Harness,
  { route, fixture }: { route: InboxSessionRoute; fixture: Fixture },
): void {
  test('succeeds as its fixture says, and without its proof nothing happens', async () => {
    const env = await h.environment()
    const { path, body, badBodies = [] } = await fixture.arrange(env, h.environment)
    const before = await rowsOf(h, env)
    for (const bad of [[], 'x', 7, null, ...badBodies]) {
      const { status } = await h.send(route.method, path, { body: bad, key: null })
      expect([400, 422, 429], JSON.stringify(bad)).toContain(status)
    }
    expect(await rowsOf(h, env)).toEqual(before)
    expect((await h.send(route.method, path, { body, key: null })).status).toBe(route.status)
  })
}
