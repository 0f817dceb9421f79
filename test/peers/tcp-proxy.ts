import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type TcpProxy = {
  url: string
  /** Connections made so far. */
  total: number
  /** Cuts what is open now; what comes later is let through. */
  cut(): void
  /** Nothing passes any more on what is open now, and nobody is told. */
  silence(): void
  /** The next reply is lost: the service sent it, and the connection is cut. */
  loseReply(): void
  /** Leads what comes from now on to another node. */
  leadTo(url: string): void
  /** Refuses whoever comes, until it leads somewhere again. */
  refuse(): void
  close(): Promise<void>
}

/** The network between a client and the service, with its faults. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let to: URL | null = new URL(target)
  let isLosing = false
  const server = createServer((inner) => {
    proxy.total++
    if (!to) return void inner.destroy()
    const outer = connect(Number(to.port), to.hostname)
    const pair = [inner, outer] as const
    pairs.add(pair)
    inner.pipe(outer)
    outer.once('data', () => {
      if (isLosing) inner.destroy()
      isLosing = false
    })
    outer.pipe(inner)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
  })
  const proxy: TcpProxy = {
    url: '',
    total: 0,
    cut() {
      for (const [inner, outer] of pairs) for (const socket of [inner, outer]) socket.destroy()
    },
    silence() {
      for (const [inner, outer] of pairs) {
        inner.unpipe(outer)
        outer.unpipe(inner)
      }
    },
    loseReply() {
      isLosing = true
    },
    leadTo(url) {
      to = new URL(url)
    },
    refuse() {
      to = null
    },
    close() {
      proxy.cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
