import { afterAll, beforeEach, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port), { worker: true })
beforeEach(() => {
  receiver.requests.length = 0
  receiver.answer = { status: 200 }
})
afterAll(() => receiver.close())

const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.org' }
const table = '<table><tr><td>Total</td><td>{{payload.total}}&nbsp;&euro;</td></tr></table>'

async function send(body: string, overrides: object = {}) {
  const env = await h.environment()
  await makeWorkflow(env, 'hello', { steps: [{ ...emailStep, controlValues: { subject: 'Hi', body } }] })
  await makeIntegration(env, emailWebhook(receiver.url))
  const { transactionId } = await trigger(env, { to: ada, payload: { total: 12 }, overrides: { email: overrides } })
  await h.settled()
  const tries = h.admin.selectFrom('attempt').select('number').where('environment_id', '=', env.environmentId)
  return { messages: (await storyOf(env, transactionId)).messages, tries: await tries.execute() }
}

const sentTexts = () => receiver.requests.map(({ json }) => (json as { text: string }).text)

test('an e-mail carries its HTML as text too, with every entity and its cells apart', async () => {
  await send(table)
  expect(sentTexts()).toEqual(['Total 12 €'])
})

test.each([
  ['its own text', { text: 'As I say' }, 'As I say'],
  ['its own HTML, whose text it is then', { html: '<h1>Other</h1>' }, 'Other'],
  ['both', { html: '<h1>Other</h1>', text: 'As I say' }, 'As I say'],
])('a trigger may bring %s', async (_, overrides, text) => {
  await send(table, overrides)
  expect(sentTexts()).toEqual([text])
})

test('a machine too busy to make the text sends later, with the text, and counts no try', async () => {
  const { toText } = h.ctx.renderer
  let asked = 0
  h.ctx.renderer.toText = async (htmls) => (++asked === 1 ? htmls.map(() => null) : toText(htmls))
  const { messages, tries } = await send(table)
  h.ctx.renderer.toText = toText
  expect(asked).toBeGreaterThan(1)
  expect(messages).toMatchObject([{ status: 'sent' }])
  expect(sentTexts()).toEqual(['Total 12 €'])
  expect(tries).toEqual([{ number: 1 }])
})
