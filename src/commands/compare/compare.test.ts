import * as shapes from '@novu/api-newest/models/components/index.js'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { nothing, startReplay } from '../../../test/import/recorded.ts'
import { runProgram } from '../cli/run-program.ts'
import { readSince } from './compare.ts'

const h = useHarness({}, { worker: true })
let sourceUrl = ''
beforeAll(async () => {
  sourceUrl = (await h.node({ VENDOR_NAMES: 'novu' })).url
})
const clear: (() => unknown)[] = []
afterEach(async () => {
  for (const it of clear.splice(0)) await it()
})

async function compare(url: string, key: string, to: Client, ...args: string[]) {
  const said: string[] = []
  const places = ['--url', url, '--key', key, '--to', h.url, '--to-key', to.key]
  const noSettings = () => {
    throw new Error('with a URL no settings of the service are read')
  }
  const code = await runProgram(['compare', '--from-novu', ...places, ...args], {
    settings: noSettings,
    print: (line) => said.push(line),
  })
  return { code, said, text: said.join('\n'), last: said.at(-1) }
}

const inApp = { stepId: 'bell', name: 'Bell', type: 'in_app', controlValues: { body: 'B' } }
const sms = { stepId: 'sms', name: 'SMS', type: 'sms', controlValues: { body: 'B' } }
const hello = { workflowId: 'hello', name: 'Hello', steps: [inApp, sms] }

test('what really happened there is the same here, until somebody wants something else here', async () => {
  const [from, to] = [await h.environment(), await h.environment()]
  for (const env of [from, to]) {
    await env.post('/v2/workflows', hello)
    await env.post('/v2/subscribers', { subscriberId: 'ada', phone: '+4915000000000' })
  }
  await from.post('/v2/subscribers', { subscriberId: 'bob' })
  await from.post('/v1/events/trigger', { name: 'hello', to: ['ada', 'bob'], payload: { a: 1 } })
  await h.settled()
  const same = await compare(sourceUrl, from.key, to)
  expect(same.said).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^same +\d{4}-.* hello to ada$/),
      expect.stringMatching(/^cannot be compared .* hello to bob$/),
      '    there is no such subscriber here',
    ]),
  )
  expect([same.code, same.last]).toEqual([0, '1 would be the same, 0 differ, 1 cannot be compared. Nothing was sent.'])
  await to.patch('/v2/subscribers/ada/preferences', { channels: { in_app: false } })
  const differs = await compare(sourceUrl, from.key, to)
  expect([differs.code, differs.text]).toEqual([
    2,
    expect.stringMatching(/differs .*hello to ada\n +bell \(in_app\): sent there; here: skip, .*turned off/),
  ])
  expect((await to.get('/v1/notifications')).body.data).toEqual([])
  expect((await compare(sourceUrl, from.key, to, '--last', '1')).last).toMatch(
    /^0 would be the same, (1 differ, 0|0 differ, 1) cannot/,
  )
})

describe('as the published client reads activity', () => {
  const ids = { _environmentId: 'e', _organizationId: 'o', _subscriberId: 's' }
  const stepOf = { _id: 't', active: true, filters: [], _templateId: 'm' }
  const detail = (text: string) => ({
    _id: 'd',
    status: 'Success',
    detail: text,
    isRetry: false,
    isTest: false,
    source: 'Internal',
  })
  const job = (type: string, status: string, ...details: string[]) => ({
    _id: 'j',
    type,
    status,
    providerId: 'novu',
    step: stepOf,
    executionDetails: details.map(detail),
  })
  const activity = (identifier: string, jobs: object[], more: object = {}) => ({
    _id: 'n',
    ...ids,
    transactionId: 'tx',
    createdAt: new Date().toISOString(),
    subscriber: { subscriberId: 'ada', _id: 's' },
    template: { name: 'N', triggers: [{ type: 'event', identifier, variables: [] }] },
    payload: { __source: 'theirs', a: 1 },
    jobs,
    ...more,
  })

  test.each([
    [
      'sent',
      [
        job('trigger', 'completed'),
        job('in_app', 'completed', 'Message created', 'Message sent'),
        job('sms', 'failed', 'Subscriber does not have an active integration'),
      ],
      'same',
      '',
    ],
    [
      'left out by a preference',
      [job('in_app', 'completed', 'Step was filtered based on subscriber preferences')],
      'differs',
      'not sent there (Step was filtered',
    ],
    ['skipped', [job('in_app', 'skipped')], 'differs', 'would be sent here'],
    [
      'in a digest',
      [job('digest', 'merged'), job('in_app', 'merged')],
      'cannot be compared',
      'digest of another trigger',
    ],
    ['not over', [job('in_app', 'delayed')], 'cannot be compared', 'not over there'],
    [
      'a step that is not here',
      [job('in_app', 'completed', 'Message sent'), job('push', 'completed', 'Message sent')],
      'differs',
      'there is no such step here',
    ],
  ])('%s', async (_what, jobs, word, why) => {
    const to = await h.environment()
    await to.post('/v2/workflows', hello)
    await to.post('/v2/subscribers', { subscriberId: 'ada', phone: '+4915000000000' })
    const recorded = activity('hello', jobs)
    expect(shapes.ActivityNotificationResponseDto$inboundSchema.safeParse(recorded).error).toBeUndefined()
    const from = await startReplay({ ...nothing, activity: [recorded] }, { isWrapped: true })
    clear.push(from.close)
    const { said, text } = await compare(from.url, 'old-key', to)
    expect(said[0]?.startsWith(word)).toBe(true)
    expect(text).toContain(why)
  })

  test('an unknown workflow, nobody, hostile names; only as old as asked for', async () => {
    const to = await h.environment()
    const old = new Date(Date.now() - 3 * 3_600_000).toISOString()
    const list = [
      activity('none', []),
      activity('hello', [], { subscriber: undefined, to: undefined }),
      activity('\u001b[31mred', []),
      activity('hello', [], { template: undefined }),
      activity('old', [], { createdAt: old }),
    ]
    const from = await startReplay({ ...nothing, activity: list })
    clear.push(from.close)
    const { text, last } = await compare(from.url, 'old-key', to, '--since', '2h')
    expect(last).toBe('0 would be the same, 0 differ, 4 cannot be compared. Nothing was sent.')
    expect(text).not.toContain('\u001b')
    expect(text).not.toContain('old to ada')
    expect(text).toContain('does not say whom it reached')
  })
})

test('since when', () => {
  const now = new Date('2026-01-02T00:00:00Z')
  expect(readSince('24h', now)).toEqual(new Date('2026-01-01T00:00:00Z'))
  expect(readSince('30m', now)).toEqual(new Date('2026-01-01T23:30:00Z'))
  expect(readSince('2026-01-01', now)).toEqual(new Date('2026-01-01T00:00:00Z'))
  expect(() => readSince('soon', now)).toThrow('--since takes')
})
