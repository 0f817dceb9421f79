import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { giveReach } from '../../../test/contract/reach.ts'
import { unique } from '../../../test/fixture-makers.ts'
import { type Client, type Json, sender, useHarness } from '../../../test/harness.ts'
import { believing, roaming } from '../../../test/people/attackers.ts'
import { makeMailbox, resetToken } from '../../../test/people/mails.ts'
import {
  addPerson,
  cookieOf,
  goodPassword,
  makeInvitation,
  makeMember,
  ofDashboard,
} from '../../../test/people/people.ts'
import { setUpTwoFactor } from '../../../test/people/second-proof.ts'

const h = useHarness(believing, { worker: true })
let [send, elsewhere]: [typeof h.send, typeof h.send] = [h.send, h.send]
beforeAll(async () => {
  send = roaming(h.send)
  elsewhere = roaming(sender((await h.node()).url))
})

async function organization(): Promise<Client> {
  const env = await h.environment()
  await giveReach(h, env)
  return env
}

const accept = (token: string, more: object = {}, by = send) =>
  by('POST', '/session/accept', { body: { token, name: 'Eve', password: goodPassword, ...more }, headers: ofDashboard })
const refused = { status: 401, body: { code: 'invitation_refused' } }

describe('an invitation', () => {
  test('is worth one member, over two nodes at once, and nothing afterwards', async () => {
    const env = await organization()
    const { token } = await makeInvitation(env)
    const replies = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => accept(token, {}, n % 2 ? send : elsewhere)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await accept(token)).toMatchObject(refused)
    expect((await send('POST', '/session/invitation', { body: { token }, headers: ofDashboard })).status).toBe(401)
    expect((await env.get('/v1/members')).body.data).toHaveLength(1)
  })

  test('of somebody else takes nobody in: neither who is signed in, nor who names another address', async () => {
    const [env, other] = [await organization(), await organization()]
    const eve = await makeMember(other)
    const { token, body } = await makeInvitation(env, { role: 'owner' })
    const join = await send('POST', '/session/join', { body: { token }, headers: eve.headers })
    expect(join).toMatchObject(refused)
    // There is no such field: the address is that of the invitation.
    const accepted = await accept(token, { email: eve.email })
    expect(accepted.body.person.email).toBe(body.email)
    expect((await send('GET', '/session', { headers: eve.headers })).body.person.email).toBe(eve.email)
  })

  test('that was revoked, renewed or has expired opens nothing, while its page is open, too', async () => {
    const env = await organization()
    const [revoked, renewed, expired] = [
      await makeInvitation(env),
      await makeInvitation(env),
      await makeInvitation(env),
    ]
    for (const { token } of [revoked, renewed, expired])
      expect((await send('POST', '/session/invitation', { body: { token }, headers: ofDashboard })).status).toBe(200)
    await env.delete(`/v1/members/invitations/${revoked.body.id}`)
    await env.post(`/v1/members/invitations/${renewed.body.id}/renew`)
    await sql`update invitation set expires_at = now() where id = ${expired.body.id}`.execute(h.admin)
    for (const { token } of [revoked, renewed, expired]) expect(await accept(token)).toMatchObject(refused)
    expect((await env.get('/v1/members')).body.data).toEqual([])
  })

  test('gives what it names now: who invited became less meanwhile, and it stays theirs to revoke', async () => {
    const env = await organization()
    const admin = await addPerson(h, env.organizationId, { role: 'admin' })
    const invited = await send('POST', '/v1/members/invitations', {
      body: { email: `${unique('x')}@example.com`, role: 'admin' },
      headers: admin.headers,
    })
    expect(invited.status).toBe(201)
    await env.patch(`/v1/members/${admin.personId}`, { role: 'viewer' })
    const { data } = (await env.get('/v1/members/invitations')).body
    expect(data).toMatchObject([{ id: invited.body.id, role: 'admin', invitedBy: admin.name }])
    expect((await env.delete(`/v1/members/invitations/${invited.body.id}`)).status).toBe(204)
    expect(await accept(invited.body.link.split('#token=')[1])).toMatchObject(refused)
  })
})

describe('who invites an address that is not theirs', () => {
  // Whoever invites is shown the link, so they hold what proves the mailbox.
  test('sets no password of somebody known, and needs it: the link alone opens nothing', async () => {
    const [env, theirs] = [await organization(), await organization()]
    const ada = await makeMember(env, { role: 'owner' })
    const { token } = await makeInvitation(theirs, { email: ada.email })
    const reply = await accept(token, { password: 'the password of a thief' })
    expect(reply).toMatchObject({ status: 401, body: { code: 'sign_in_refused' } })
    const signIn = { email: ada.email, password: goodPassword, organizationId: env.organizationId }
    expect((await send('POST', '/session', { body: signIn, headers: ofDashboard })).status).toBe(200)
  })

  test('does not get past a second proof by it either', async () => {
    const [env, theirs] = [await organization(), await organization()]
    const ada = await makeMember(env)
    await setUpTwoFactor(send, ada)
    const { token } = await makeInvitation(theirs, { email: ada.email })
    const reply = await accept(token)
    expect(reply).toMatchObject({ status: 401, body: { code: 'sign_in_first' } })
    expect(reply.headers.get('set-cookie')).toBeNull()
  })

  test('gets nothing of an organization that the same person comes to without a password', async () => {
    const [env, theirs] = [await organization(), await organization()]
    const ada = await addPerson(h, env.organizationId, { role: 'owner' })
    await sql`update member set through = ${ada.personId} where person_id = ${ada.personId}`.execute(h.admin)
    const { token } = await makeInvitation(theirs, { email: ada.email, role: 'owner' })
    const thief = await accept(token, { password: 'the password of a thief' })
    const enter = (organizationId?: string) =>
      send('POST', '/session', {
        body: { email: ada.email, password: 'the password of a thief', organizationId },
        headers: ofDashboard,
      })
    expect((await enter(env.organizationId)).status).not.toBe(200)
    expect((await enter()).body.organization?.id).not.toBe(env.organizationId)
    const headers = { ...ofDashboard, cookie: cookieOf(thief) }
    const go = await send('POST', '/session/organization', { body: { organizationId: env.organizationId }, headers })
    expect(go.status).not.toBe(200)
  })

  test('reads no mail that opens what somebody has elsewhere', async () => {
    const [env, theirs] = [await organization(), await organization()]
    await makeMailbox(env)
    await makeMailbox(theirs)
    const ada = await makeMember(env)
    const { token } = await makeInvitation(theirs, { email: ada.email })
    expect((await send('POST', '/session/join', { body: { token }, headers: ada.headers })).status).toBe(200)
    await send('POST', '/session/reset/ask', { body: { email: ada.email }, headers: ofDashboard })
    // Asked after it, and answered.
    await resetToken(env, send, (await makeMember(env)).email)
    const { rows } = await sql`
      select 1 from own_mail where recipient = ${ada.email} and kind = 'password-reset'
        and organization_id in (${env.organizationId}, ${theirs.organizationId})`.execute(h.admin)
    expect(rows).toEqual([])
    const { data } = (await theirs.get(`/v1/dev/mailbox?to=${ada.email}`)).body
    expect(data.filter(({ content }: Json) => content.includes('/reset#'))).toEqual([])
  })
})
