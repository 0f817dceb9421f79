import { describe, expect, test } from 'vitest'
import type { Job, SentMessage } from '../../api/types.ts'
import { jobOf, messageOf } from '../../test-data.ts'
import { storyOf } from './story.ts'

type Detail = Job['executionDetails'][number]
const line = (detail: string, fields: Partial<Detail> = {}): Detail => ({
  _id: 'd',
  createdAt: '2026-03-01T12:00:00Z',
  status: 'Success',
  detail,
  isRetry: false,
  isTest: false,
  source: 'Internal',
  ...fields,
})
const attempts: SentMessage['attempts'] = [1, 2].map((number) => ({
  number,
  providerId: 'sendgrid',
  integrationId: 'i1',
  startedAt: '2026-03-01T12:00:00Z',
  integrationRefused: false,
}))

describe('the story of a step that was sent', () => {
  test('names the addresses, each once, and the provider', () => {
    const messages = ['a@x.org', 'b@x.org', 'a@x.org'].map((to) => messageOf({ to, providerId: 'ses' }))
    expect(storyOf(jobOf(), messages)).toEqual({ text: 'Sent to a@x.org, b@x.org by ses.' })
  })

  test('names nobody when there are many', () => {
    const messages = ['a', 'b', 'c', 'd'].map((to) => messageOf({ to }))
    expect(storyOf(jobOf(), messages).text).toBe('Sent.')
  })

  test('into the feed needs neither', () => {
    expect(storyOf(jobOf({ type: 'in_app' }), [messageOf()]).text).toBe('In the feed of the subscriber.')
  })

  test('says what is in doubt', () => {
    expect(storyOf(jobOf(), [messageOf({ delivery: 'sent', errorText: 'no answer' })]).words).toBe('no answer')
  })
})

describe('the story of a step that was not', () => {
  const failed = jobOf({ status: 'failed', executionDetails: [line('No address', { raw: 'raw words' })] })

  test('given up: after how many tries, with the words of the provider', () => {
    const dead = messageOf({ delivery: 'dead', attempts, errorText: '401 key revoked' })
    expect(storyOf(failed, [dead])).toEqual({
      text: 'Given up after 2 tries. It can be redriven.',
      words: '401 key revoked',
    })
  })

  test('refused: for good, after one try', () => {
    const refused = messageOf({ delivery: 'rejected', attempts: attempts.slice(0, 1) })
    expect(storyOf(failed, [refused])).toEqual({ text: 'Refused for good after 1 try.', words: 'raw words' })
  })

  test('never tried: what the server wrote last', () => {
    expect(storyOf(failed, [])).toEqual({ text: 'No address', words: 'raw words' })
  })

  test('under way: when it is tried again, and why that is needed', () => {
    const job = jobOf({ status: 'queued' })
    expect(storyOf(job, [messageOf()]).text).toBe('E-mail is on its way to the provider.')
    const again = messageOf({ attempts, nextTryAt: '2026-03-01T12:00:00Z', delivery: 'open', errorText: 'busy' })
    expect(storyOf(job, [again])).toMatchObject({
      text: expect.stringContaining('E-mail is tried again, next at '),
      words: 'busy',
    })
  })

  test('canceled by somebody: not the line from before', () => {
    const job = jobOf({ status: 'canceled', executionDetails: [line('Waits')] })
    expect(storyOf(job, []).text).toBe('Canceled before it was done.')
    const bySystem = jobOf({ status: 'canceled', executionDetails: [line('Turned off', { status: 'Warning' })] })
    expect(storyOf(bySystem, []).text).toBe('Turned off')
  })

  test('pending: it waits for the steps before it', () => {
    expect(storyOf(jobOf({ status: 'pending' }), []).text).toBe('Waits for the steps before it.')
  })
})
