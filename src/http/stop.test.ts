import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'

const h = useHarness()

/** Says it to a new node, and stops that node; answers after how many seconds it stood still. */
async function stopWhile(text: string): Promise<number> {
  const node = await h.node()
  const { port, hostname } = new URL(node.url)
  const raw = connect(Number(port), hostname)
  raw.on('error', () => {})
  await new Promise((resolve) => raw.on('connect', resolve))
  raw.write(text)
  await sleep(200)
  const began = performance.now()
  await node.server.close()
  raw.destroy()
  return (performance.now() - began) / 1000
}

const whole = 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n'

test.each([
  ['nothing', ''],
  ['a request, and no more', whole],
])('a node stops at once where somebody has said %s', async (_what, text) => {
  expect(await stopWhile(text)).toBeLessThan(4)
})

test('a node waits 5 s and no longer for who has said half of what he wants', async () => {
  const halves = [
    'GET /v1/env',
    'GET /v1/environment HTTP/1.1\r\nhost: x\r\n',
    `${whole}GET /health/live HTTP/1.1\r\n`,
    'POST /v2/topics HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{',
  ]
  for (const seconds of await Promise.all(halves.map((text) => stopWhile(text)))) {
    expect(seconds).toBeGreaterThan(4)
    expect(seconds).toBeLessThan(9)
  }
})
