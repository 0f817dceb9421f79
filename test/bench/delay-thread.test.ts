import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startDelay } from '../../bench/lib/delay-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidings-delay-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('what goes over the line arrives in order and no sooner than the delay, both ways', async () => {
  const target = join(folder, 'socket')
  const echo = createServer((socket) => socket.pipe(socket)).listen(target)
  await once(echo, 'listening')
  const line = await startDelay({ target, delayMs: 40 })
  const socket = connect(line.port, '127.0.0.1')
  await once(socket, 'connect')

  const began = performance.now()
  const sent = Array.from({ length: 200 }, (_, n) => `${n};`).join('')
  let received = ''
  const firstAfter = once(socket, 'data').then(() => performance.now() - began)
  socket.on('data', (chunk) => {
    received += chunk
  })
  for (const part of sent.split(/(?<=;)/)) socket.write(part)
  await expect.poll(() => received).toBe(sent)
  // A timer may fire a fraction of a millisecond early.
  expect(await firstAfter).toBeGreaterThan(78)

  // Who is gone at one end is gone at the other.
  const gone = once(socket, 'close')
  echo.close()
  socket.end()
  await gone
  await line.stop()
})
