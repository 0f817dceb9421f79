import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { callServer, NotWorthAnother } from './call-server.ts'

const clear: (() => unknown)[] = []
afterEach(() => {
  for (const it of clear.splice(0)) it()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  clear.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${Object(server.address()).port}`
}

const get = { method: 'GET', headers: {} } as const

test('an answer that drips for ever ends, and is not worth another try', async () => {
  const url = await serve((_request, response) => {
    const timer = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(timer))
  })
  await expect(callServer(url, { ...get, totalMs: 300 })).rejects.toThrow(NotWorthAnother)
})

test('an answer without an end is cut at 64 MB, and is not worth another try', async () => {
  const part = Buffer.alloc(1024 * 1024, ' ')
  const url = await serve((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more)
    more()
  })
  await expect(callServer(url, get)).rejects.toThrow(NotWorthAnother)
})

test('whoever stops it, and a server that is cut off, are as they were', async () => {
  const url = await serve((request) => request.url === '/cut' && request.socket.destroy())
  await expect(callServer(`${url}/cut`, get)).rejects.not.toThrow(NotWorthAnother)
  const stop = AbortSignal.timeout(50)
  await expect(callServer(url, { ...get, signal: stop })).rejects.not.toThrow(NotWorthAnother)
})
