import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

/** Takes its time and keeps nothing: what is in memory is ours. */
const open = { now: 0, most: 0, done: 0 }
const server = createServer(async (request, response) => {
  open.most = Math.max(open.most, ++open.now)
  request.resume()
  await sleep(150)
  open.now--
  open.done++
  response.end('{}')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
afterAll(() => server.close())
const h = useHarness(allowing(port), { worker: true })

test('six mails with 6 MB each, and many with little: at most 16 MB of files are in hand, and all are sent', async () => {
  const env = await h.environment()
  await makeIntegration(env, emailWebhook(`http://127.0.0.1:${port}/`))
  const delay = { name: 'Wait', type: 'delay', controlValues: { amount: 1, unit: 'seconds' } }
  await makeWorkflow(env, 'hello', { steps: [delay, emailStep] })
  const attachments = [{ name: 'a.bin', mime: 'application/octet-stream', file: Buffer.from('x').toString('base64') }]
  const to = Array.from({ length: 6 }, (_, n) => ({ subscriberId: `p${n}`, email: `p${n}@example.org` }))
  await trigger(env, { to, payload: { attachments }, transactionId: 'large' })
  await sql`update event_attachment set content = convert_to(repeat('x', ${6 * 1024 * 1024}), 'UTF8')
    where environment_id = ${env.environmentId}`.execute(h.admin)
  let peak = 0
  const before = process.memoryUsage().rss
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  await expect.poll(() => open.done, { timeout: 50_000, interval: 20 }).toBe(6)
  clearInterval(watch)
  console.log(`resident memory rose by ${Math.round((peak - before) / 1024 / 1024)} MB, ${open.most} at once`)
  expect(open.most).toBeLessThanOrEqual(2)
  await h.settled()
  const { body } = await env.get('/v1/messages?transactionId=large&limit=10')
  expect(body.data.map((it: { status: string }) => it.status)).toEqual(Array(6).fill('sent'))
  Object.assign(open, { most: 0, done: 0 })
  await trigger(env, { to, payload: { attachments }, transactionId: 'small' })
  await expect.poll(() => open.done, { timeout: 50_000, interval: 20 }).toBe(6)
  expect(open.most).toBe(6)
}, 120_000)
