import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, makeIntegration, smtpServer, storyOf } from '../../../test/outside.ts'
import { startSmtpReceiver } from '../../../test/peers/smtp-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const mail = await startSmtpReceiver()
const publicUrl = 'https://notify.example.com'
const h = useHarness({ ...allowing(mail.port), PUBLIC_URL: publicUrl }, { worker: true })
const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'Ada@example.org' }

beforeEach(() => {
  mail.mails.length = 0
})

async function send(env: Client, name = 'hello') {
  const { transactionId } = await trigger(env, { name, to: ada })
  await h.settled()
  return storyOf(env, transactionId)
}

/** The path of the link in the one mail that came. */
async function linkOf(env: Client): Promise<string> {
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  await makeIntegration(env, smtpServer(mail.port))
  await send(env)
  const headers = new Map(mail.mails[0]?.headers.map(([name, value]) => [name.toLowerCase(), value]))
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const [, path = ''] =
    /^<https:\/\/notify\.example\.com(\/v1\/unsubscribe\/[^>]+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? []
  return path
}

const oneClick = (path: string) =>
  h.send('POST', path, {
    raw: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    key: null,
  })
/** Workflows of which Ada gets no more e-mail. */
const refused = async (env: Client): Promise<string[]> => {
  const { body } = await env.get('/v2/subscribers/ada/preferences')
  const off = body.workflows.filter((it: { channels: { email?: boolean } }) => it.channels.email === false)
  return off.map((it: { workflow: { identifier: string } }) => it.workflow.identifier)
}

describe('/v1/unsubscribe/{token}', () => {
  test('one click from the mail client: no more mail of this workflow, others go on, and twice is as good as once', async () => {
    const env = await h.environment()
    const path = await linkOf(env)
    expect((await oneClick(path)).status).toBe(200)
    expect((await oneClick(path)).status).toBe(200)
    expect(await refused(env)).toEqual(['hello'])
    const { jobs, messages } = await send(env)
    expect(messages).toEqual([])
    expect(jobs).toMatchObject([{ status: 'skipped' }])
    await makeWorkflow(env, 'alarm', { steps: [emailStep], critical: true })
    mail.mails.length = 0
    expect((await send(env, 'alarm')).messages).toMatchObject([{ status: 'sent' }])
    const names = mail.mails[0]?.headers.map(([name]) => name.toLowerCase())
    expect(names).not.toContain('list-unsubscribe')
  })

  test('following the link only asks; the page has no script, nothing of the person, and a form that does it', async () => {
    const env = await h.environment()
    const path = await linkOf(env)
    const page = await h.send('GET', path, { key: null })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.text).toContain('<form method="post">')
    expect(page.text).not.toMatch(/<script|<img|<link|https?:|ada/i)
    expect(await refused(env)).toEqual([])
    expect((await oneClick(path)).text).toContain('Unsubscribed')
    expect(await refused(env)).toHaveLength(1)
  })

  test('a link we did not make is 404, and does nothing', async () => {
    const env = await h.environment()
    const path = await linkOf(env)
    const forged = [path.slice(0, -4), `${path}AAAA`, path.replace(/.{8}$/, 'AAAAAAAA'), '/v1/unsubscribe/sealed.t1.']
    // Sealed by us, for another purpose.
    const foreign = h.ctx.sealer.seal(
      ['elsewhere'],
      JSON.stringify({ environmentId: env.environmentId, subscriberId: 'x', workflowId: 'y' }),
    )
    for (const other of [...forged, `/v1/unsubscribe/${foreign}`]) {
      expect((await oneClick(other)).status, other).toBe(404)
      expect((await h.send('GET', other, { key: null })).status, other).toBe(404)
    }
    expect(await refused(env)).toEqual([])
  })
})
