import { afterAll, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { htmlBombs } from '../../../test/html-bombs.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
afterAll(() => receiver.close())

test.each(['blocks in blocks', 'lists in lists', 'line breaks'])(
  'a hostile body is sent, letter for letter the same at every try: %s',
  async (name) => {
    const body = `<p>Hello &amp; bye</p>${htmlBombs[name]?.slice(0, 60_000)}`
    receiver.requests.length = 0
    receiver.answer = () => (receiver.requests.length < 3 ? { status: 503 } : { status: 200 })
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [{ ...emailStep, controlValues: { subject: 'Hi', body } }] })
    await makeIntegration(env, emailWebhook(receiver.url))
    const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.org' } })
    await h.settled()
    expect((await storyOf(env, transactionId)).messages).toMatchObject([{ status: 'sent' }])
    const bodies = receiver.requests.map((request) => request.body.toString())
    expect(bodies).toHaveLength(3)
    expect(new Set(bodies).size).toBe(1)
    expect(receiver.requests[0]?.json).toMatchObject({ text: expect.stringMatching(/^Hello & bye/) })
  },
)
