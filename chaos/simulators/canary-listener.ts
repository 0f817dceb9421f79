import { createServer, type Server, type Socket } from 'node:net'
import { whenOver } from '../lib/clean-up.ts'

/** Something inside that nobody may reach. It counts who does. */
export type CanaryListener = { port: number; connections: { to: string }[] }

/** On these addresses, all at one port; `::` takes every address of this machine, of both families. */
export async function startCanaryListener(hosts: readonly string[] = ['::']): Promise<CanaryListener> {
  const sockets = new Set<Socket>()
  const canary: CanaryListener = { port: 0, connections: [] }
  const onConnection = (socket: Socket) => {
    sockets.add(socket)
    canary.connections.push({ to: String(socket.localAddress) })
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    // Enough of an answer for HTTP clients to come to an end.
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nhi'))
  }
  const servers: Server[] = []
  for (const host of hosts) {
    const server = createServer(onConnection)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(canary.port, host, resolve))
    const address = server.address()
    canary.port = typeof address === 'object' && address ? address.port : 0
    servers.push(server)
  }
  whenOver(() => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
  })
  return canary
}
