import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { makeWorkflow, trigger } from '../../test/pipeline.ts'

const h = useHarness({}, { worker: true })

test('a node that stops waits 30 s for who does not read his reply, and no longer', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const text = 'abcdefghij'.repeat(50_000)
  await trigger(env, { to: Array.from({ length: 60 }, (_, n) => `p${n}`), payload: { text } })
  await h.drain()
  const node = await h.node()
  const { port, hostname } = new URL(node.url)
  const raw = connect(Number(port), hostname)
  raw.on('error', () => {})
  raw.write(`GET /v1/messages?limit=60 HTTP/1.1\r\nhost: x\r\nauthorization: ApiKey ${env.key}\r\n\r\n`)
  await new Promise((resolve) => raw.once('data', resolve))
  raw.pause()
  const began = performance.now()
  await node.server.close()
  const seconds = (performance.now() - began) / 1000
  raw.destroy()
  expect(seconds).toBeGreaterThan(29)
  expect(seconds).toBeLessThan(40)
}, 90_000)
