import { describe, expect, test } from 'vitest'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import { loadProviders } from '../provider.ts'
import { withoutUrl } from './without-url.ts'

const url = 'https://hooks.slack.com/services/T012345678/B012345678/abcdefghijklmnopqrstuvwx?key=p%40ssw0rd1'

describe('withoutUrl', () => {
  test.each([
    ['the URL', `404 Cannot POST ${url}`],
    ['the path', '404 Cannot POST /services/T012345678/B012345678/abcdefghijklmnopqrstuvwx?key=p%40ssw0rd1 here'],
    ['the path without the query', '404 /services/T012345678/B012345678/abcdefghijklmnopqrstuvwx'],
    ['one piece of the path', '403 token abcdefghijklmnopqrstuvwx is revoked'],
    ['a query value as it was meant', '403 key p@ssw0rd1 is revoked'],
    ['JSON that escapes its slashes', `answered 200: {"url":"${url.replaceAll('/', '\\/')}"}`],
    ['a reason that was cut in the middle of it', '403 token abcdefghijklmnop'],
  ])('hides %s', (_name, reason) => {
    const hidden = withoutUrl({ kind: 'rejected', reason }, url)
    const words = hidden.kind === 'sent' ? '' : hidden.reason
    expect(words).toContain('…')
    for (const secret of ['T012345678', 'B0123', 'abcdefgh', 'p%40ssw0rd1', 'p@ssw0rd1']) {
      expect(words).not.toContain(secret)
    }
  })

  test('keeps the words that tell what happened, and the rest of the outcome', () => {
    const outcome = { kind: 'retry', reason: '429 no_service for these services', afterMs: 5, paces: true } as const
    expect(withoutUrl(outcome, url)).toEqual(outcome)
  })

  test('hides a text that is no URL, and leaves what was sent alone', () => {
    expect(withoutUrl({ kind: 'unknown', reason: 'bad: no url' }, 'no url')).toEqual({
      kind: 'unknown',
      reason: 'bad: …',
    })
    expect(withoutUrl({ kind: 'sent', id: '/services/x' }, url)).toEqual({ kind: 'sent', id: '/services/x' })
  })
})

describe('every chat provider that posts to the URL of a subscriber', async () => {
  const chat = (await loadProviders()).ofChannel('chat')
  const posting = chat.filter(({ send, address = 'webhookUrl' }) => send && address === 'webhookUrl')

  test('there are some', () => {
    expect(posting.map(({ id }) => id)).toContain('slack')
  })

  test.each(posting)('$id keeps it out of its reasons', async (provider) => {
    for (const status of [200, 400, 401, 404, 410, 429, 500]) {
      const words = { message: `nothing at ${url}`, ok: false }
      const { outcome } = await trySend(provider, {
        credentials: { baseUrl: url },
        message: { webhookUrl: url },
        http: () => reply(status, words),
      })
      expect(JSON.stringify(outcome)).not.toMatch(/T012345678|abcdefghij|ssw0rd1/)
      if (status === 500) expect(outcome).toMatchObject({ kind: 'unknown', reason: '500 nothing at …' })
    }
  })
})
