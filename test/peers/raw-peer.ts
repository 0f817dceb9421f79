import { type AddressInfo, createServer, type Socket } from 'node:net'

export type RawPeer = { url: string; port: number; answer: string; close(): Promise<void> }

/** A peer on loopback that answers whatever comes with these bytes, and then nothing more. */
export async function startRawPeer(): Promise<RawPeer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => socket.write(peer.answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const peer: RawPeer = {
    url: `http://127.0.0.1:${port}`,
    port,
    answer: '',
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return peer
}
