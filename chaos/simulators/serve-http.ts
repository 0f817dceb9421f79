import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { whenOver } from '../lib/clean-up.ts'

type Options = { host?: string; port?: number; onConnection?: () => void }

/** A server of the runner's own process, closed with it. Who calls may die at any moment. Answers its port. */
export async function serveHttp(
  handle: (request: IncomingMessage, response: ServerResponse) => unknown,
  { host = '127.0.0.1', port = 0, onConnection }: Options = {},
): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => void handle(request, response))
  server.keepAliveTimeout = 60_000
  server.on('connection', (socket: Socket) => {
    onConnection?.()
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, host, 512, resolve))
  whenOver(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
