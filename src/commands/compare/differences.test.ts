import { afterEach, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { nothing, startReplay } from '../../../test/import/recorded.ts'
import { runProgram } from '../cli/run-program.ts'
import { readActivity } from './activity.ts'

/** What a comparison must not take for the same. */
const h = useHarness()
const clear: (() => unknown)[] = []
afterEach(async () => {
  for (const it of clear.splice(0)) await it()
})

async function compare(activity: object, to: Client) {
  const from = await startReplay({ ...nothing, activity: [{ ...activity }] })
  clear.push(from.close)
  const said: string[] = []
  const noSettings = () => {
    throw new Error('with a URL no settings of the service are read')
  }
  const places = ['--url', from.url, '--key', 'old-key', '--to', h.url, '--to-key', to.key]
  const code = await runProgram(['compare', '--from-novu', ...places], {
    settings: noSettings,
    print: (line) => said.push(line),
  })
  return { code, said, text: said.join('\n') }
}

const detail = (text: string, status = 'Success') => ({ _id: 'd', status, detail: text })
const job = (type: string, status: string, details: object[] = [], more: object = {}) => ({
  _id: 'j',
  type,
  status,
  executionDetails: details,
  ...more,
})
const activity = (jobs: object[], more: object = {}) => ({
  _id: 'n',
  transactionId: 'tx',
  createdAt: new Date().toISOString(),
  subscriber: { subscriberId: 'ada' },
  template: { name: 'N', triggers: [{ type: 'event', identifier: 'hello' }] },
  payload: { a: 1 },
  jobs,
  ...more,
})
const sent = job('in_app', 'completed', [detail('Message created'), detail('Message sent')])
const inApp = { stepId: 'bell', name: 'Bell', type: 'in_app', controlValues: { body: 'B' } }
const delay = (amount: number, unit: string) => ({
  stepId: 'wait',
  name: 'W',
  type: 'delay',
  controlValues: { type: 'regular', amount, unit },
})

async function target(steps: object[], more: object = {}): Promise<Client> {
  const to = await h.environment()
  const { status } = await to.post('/v2/workflows', { workflowId: 'hello', name: 'Hello', steps, ...more })
  expect(status).toBe(201)
  await to.post('/v2/subscribers', { subscriberId: 'ada' })
  return to
}

describe('what became of a step there', () => {
  test.each([
    ['completed with an error', [detail('Message created'), detail('Unexpected provider error')], 'differs'],
    ['completed, and a detail failed', [detail('Message created'), detail('Something', 'Failed')], 'differs'],
    ['made, and then skipped', [detail('Message created'), detail('Step skipped')], 'differs'],
    ['an error, and sent at the second time', [detail('Provider error', 'Failed'), detail('Message sent')], 'same'],
    ['completed without a word', [], 'same'],
  ])('%s', async (_what, details, word) => {
    const { said, code } = await compare(activity([job('in_app', 'completed', details)]), await target([inApp]))
    expect([said[0]?.split(' ')[0], code]).toEqual([word, word === 'same' ? 0 : 2])
  })

  test('a step of a type that is not here', async () => {
    const { code, text } = await compare(activity([job('http_request', 'completed'), sent]), await target([inApp]))
    expect([code, text]).toEqual([2, expect.stringContaining('http_request there, and none here')])
  })
})

describe('how long delays are', () => {
  const waited = (amount: number, unit: string, status = 'completed') =>
    job('delay', status, [], { digest: { type: 'regular', amount, unit } })

  test.each([
    ['the same', [waited(1, 'hours'), sent], [delay(60, 'minutes'), inApp], 0, 'same '],
    ['another', [waited(1, 'seconds'), sent], [delay(30, 'days'), inApp], 2, '1 s there, 43200 min here'],
    ['none there', [sent], [delay(1, 'hours'), inApp], 2, 'nothing of it there; would wait here'],
    ['none here', [waited(1, 'hours'), sent], [inApp], 2, 'waited there; there is no such step here'],
    ['skipped there', [waited(1, 'hours', 'skipped'), sent], [delay(1, 'hours'), inApp], 2, 'skipped there'],
    ['of a length nobody tells', [job('delay', 'completed'), sent], [delay(1, 'hours'), inApp], 0, 'same '],
  ])('%s', async (_what, jobs, steps, code, words) => {
    const found = await compare(activity(jobs), await target(steps))
    expect([found.code, found.text]).toEqual([code, expect.stringContaining(words)])
    expect(found.text).toContain('Not compared: the texts')
  })
})

test('a workflow that is off here differs if something was sent there', async () => {
  const to = await target([inApp], { active: false })
  const found = await compare(activity([sent]), to)
  expect([found.code, found.text]).toEqual([2, expect.stringContaining('switched off here')])
  expect((await compare(activity([job('in_app', 'skipped')]), to)).code).toBe(0)
})

test('overrides, tenant and context are those of the trigger', async () => {
  const overrides = { email: { to: 'a@example.com' } }
  const tenant = { identifier: 'acme' }
  const contextKeys = ['team:red', 'app:a:b', 'nonsense']
  const { event } = readActivity(activity([job('in_app', 'completed', [], { overrides, tenant })], { contextKeys }))
  expect(event).toEqual({ overrides, tenant: 'acme', context: { team: 'red', app: 'a:b' } })
  expect(readActivity(activity([sent])).event).toEqual({})
  // They reach our explain: nobody here knows this tenant.
  const odd = activity([job('in_app', 'completed', [], { tenant })])
  const to = await target([inApp])
  expect((await compare(odd, to)).text).toMatch(/^cannot be compared.*\n.*no_tenant_found/)
  await to.post('/v1/tenants', tenant)
  expect((await compare(odd, to)).text).toMatch(/^same /)
})
