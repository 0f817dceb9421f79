import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { fastest } from '../../../test/fastest.ts'
import { type Client, sender, useHarness } from '../../../test/harness.ts'
import { hostileBodies, signers, strangersHeaders } from '../../../test/providers/hostile-callbacks.ts'
import { loadProviders } from '../../providers/provider.ts'

const h = useHarness()
const listening = (await loadProviders()).all.filter(({ inbound }) => inbound)
// Of the whole process: the server is not the only one in it.
const mostDelayMs = 250

async function listenTo(env: Client, providerId: string, channel: string): Promise<string> {
  const configurations = { inboundWebhookEnabled: true, inboundWebhookSigningKey: signers[providerId]?.signingKey }
  const made = await env.post('/v1/integrations', { providerId, channel, active: false, configurations })
  expect(made.status, made.text).toBe(201)
  return `/v1/webhooks/${made.body._id}`
}

/** The longest that anything else in this process had to wait during `work`. */
async function longestDelayMs(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await work()
  // Until the last delay was seen.
  await new Promise((resolve) => setTimeout(resolve, 10))
  delays.disable()
  return delays.max / 1e6
}

test.each(listening)('whoever calls as $id, and whatever with, others are answered meanwhile', async (provider) => {
  const env = await h.environment()
  const path = await listenTo(env, provider.id, provider.channel)
  const call = (url: string, body: string, headers: Record<string, string>) =>
    sender('')('POST', url, { raw: body, headers: { 'content-type': 'text/plain', ...headers }, key: null })
  const now = new Date()
  const signer = signers[provider.id]
  const isRead = (body: string) => body.length <= (provider.inbound?.mostBytes ?? 0)
  // What is too large is refused unread, whatever it is: one of it is enough.
  const tooLarge = hostileBodies.filter(([, body]) => !isRead(body)).slice(0, 1)
  for (const [name, given] of [...hostileBodies.filter(([, body]) => isRead(body)), ...tooLarge]) {
    const url = h.url + path
    const signed = isRead(given) && signer?.sign({ body: given, url, now })
    const calls = [{ url, body: given, headers: strangersHeaders(now)[1] ?? {}, statuses: [401, 413] }]
    // 413: it has grown by its signature. 503: its proof has to be fetched, and is not there.
    if (signed) calls.push({ url, ...signed, statuses: [200, 401, 413, ...(signer?.http ? [503] : [])] })
    for (const { url, body, headers, statuses } of calls) {
      const delayMs = await fastest(mostDelayMs, () =>
        longestDelayMs(async () => {
          const { status } = await call(url, body, headers)
          expect(statuses, `${name}: ${status}`).toContain(status)
        }),
      )
      expect(delayMs, name).toBeLessThan(mostDelayMs)
    }
  }
})
