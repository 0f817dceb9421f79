import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { launch } from '../browser/launch.ts'
import { openShop } from '../browser/shop.ts'
import { whenOver } from '../chaos/lib/clean-up.ts'
import type { ApiNode } from '../chaos/lib/process.ts'

type Stage = { triggerAt: ApiNode; browserAt: ApiNode; key: string; rounds: number }

// Notes when the dot of the bell comes and goes, by the clock of the machine, which is ours too.
const observe = `
  let isThere = false
  new MutationObserver(() => {
    const isNow = document.querySelector('.nv-bellDot') !== null
    if (isNow === isThere) return
    isThere = isNow
    window.bellChanged(isNow, Date.now())
  }).observe(document, { subtree: true, childList: true })`

/**
 * Milliseconds from just before the trigger's call to the moment the bell changes: the page of examples/react-inbox, at
 * another node. The stock component asks for the count after each event, so that is in it.
 */
export async function measureBell({ triggerAt, browserAt, key, rounds }: Stage): Promise<number[]> {
  const shop = await openShop({ url: browserAt.url, key })
  whenOver(shop.stop)
  const browser = await launch()
  whenOver(() => browser.close())
  const page = await browser.newPage()
  const dot = await watchDot(page)
  const connected = page.waitForEvent('websocket')
  await page.goto(shop.url)
  await connected
  const readAll = await readerOf(triggerAt, key)
  const times: number[] = []
  for (let round = -10; round < rounds; round++) {
    const shown = dot.becomes(true)
    const started = Date.now()
    await send(triggerAt, key, round)
    const shownAt = await shown
    if (round >= 0) times.push(shownAt - started)
    const gone = dot.becomes(false)
    await readAll()
    await gone
    // The component asks twice after each change; the next round begins when it has come to rest.
    await sleep(100)
  }
  return times
}

async function watchDot(page: Page): Promise<{ becomes(there: boolean): Promise<number> }> {
  let waiting: { there: boolean; resolve: (at: number) => void } | undefined
  await page.exposeFunction('bellChanged', (isThere: boolean, at: number) => {
    if (waiting?.there === isThere) waiting.resolve(at)
  })
  await page.addInitScript(observe)
  return {
    becomes(there) {
      const changed = new Promise<number>((resolve) => {
        waiting = { there, resolve }
      })
      const late = sleep(20_000, null, { ref: false }).then(() => {
        throw new Error(`the bell ${there ? 'shows nothing' : 'is not silent'} after 20 s`)
      })
      return Promise.race([changed, late])
    },
  }
}

async function send({ url }: ApiNode, key: string, round: number): Promise<void> {
  const body = JSON.stringify({ name: 'hello', to: 'ada', payload: { message: `${round}` } })
  const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
  const reply = await fetch(`${url}/v1/events/trigger`, { method: 'POST', headers, body })
  if (!reply.ok) throw new Error(await reply.text())
}

/** Reads everything of Ada's, as another browser of hers would. */
async function readerOf({ url }: ApiNode, key: string): Promise<() => Promise<void>> {
  const environment = await fetch(`${url}/v1/environment`, { headers: { authorization: `ApiKey ${key}` } })
  const { data } = (await environment.json()) as { data: { identifier: string } }
  const subscriberHash = createHmac('sha256', key).update('ada').digest('hex')
  const ask = async (path: string, body: object, headers = {}) => {
    const sent = { 'content-type': 'application/json', ...headers }
    const reply = await fetch(`${url}/v1/inbox${path}`, { method: 'POST', headers: sent, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(await reply.text())
    return reply
  }
  const session = await ask('/session', { applicationIdentifier: data.identifier, subscriberId: 'ada', subscriberHash })
  const { token } = ((await session.json()) as { data: { token: string } }).data
  return async () => void (await ask('/notifications/read', {}, { authorization: `Bearer ${token}` }))
}
