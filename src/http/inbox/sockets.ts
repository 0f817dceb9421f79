import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Ctx } from '../../context.ts'
import type { FindPerson } from '../../core/inbox/find-people.ts'
import type { LiveFeeds } from '../../core/inbox/live-feeds.ts'
import { ApiError } from '../../errors.ts'
import { answerAndCut } from '../read-on.ts'
import { toSocketEvents } from './live-json.ts'
import { type Speech, speechOf } from './socket-speech.ts'
import type { IdentifyToken } from './who-asks.ts'

// The published client expects a word from us this often, and answers at once.
export const pingEveryMs = 25_000
const pongWithinMs = 20_000
// Until it has said who it is.
const introduceWithinMs = 10_000
// Past this nobody reads on the other side.
const mostUnsentBytes = 256 * 1024
// Clients say next to nothing.
const mostBytes = 8 * 1024
// In a second. A browser says one in 25 seconds.
const mostPackets = 20
// Why it is closed when the node stops, or its environment moves: "service restart".
const comeAgain = 1_012

const notFound = 'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

type Parts = { identify: IdentifyToken; findPerson: FindPerson; feeds: LiveFeeds }

type Connection = { token: string; pingAt: number; answeredAt: number; leave(): void }

/** Sockets of browsers: at /socket.io/ for the stock client, at / for one that speaks plain JSON. */
export function addSockets(server: FastifyInstance, ctx: Ctx, { identify, findPerson, feeds }: Parts): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: mostBytes,
    perMessageDeflate: false,
    // Answered below, unless nobody reads the answers.
    autoPong: false,
  })
  const connections = new Map<WebSocket, Connection>()
  const speeches = new WeakMap<WebSocket, Speech>()
  let closing = false

  server.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Nobody else listens to it any more: one that breaks would end the process.
    socket.on('error', () => {})
    const speech = speechOf(request.url ?? '')
    if (!speech || closing) return answerAndCut(notFound, socket)
    sockets.handleUpgrade(request, socket, head, (accepted) => welcome(accepted, speech))
  })

  function welcome(socket: WebSocket, speech: Speech): void {
    speeches.set(socket, speech)
    const hurry = setTimeout(() => socket.terminate(), introduceWithinMs)
    let isKnown = false
    const meet = (token: string) => {
      // Once: a second introduction would leave a listener behind.
      if (isKnown) return
      isKnown = true
      // From here on it waits for us.
      clearTimeout(hurry)
      void introduce(socket, speech, token)
    }
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(hurry)
      forget(socket)
    })
    const isCalm = createPacketLimit()
    /** False: it talks too much, and is cut. */
    const noteSign = () => {
      const connection = connections.get(socket)
      if (connection) connection.answeredAt = performance.now()
      if (!isCalm()) socket.terminate()
      return socket.readyState === socket.OPEN
    }
    socket.on('pong', noteSign)
    socket.on('ping', (data) => {
      if (noteSign()) sayWith(socket, () => socket.pong(data))
    })
    socket.on('message', (data) => {
      if (!noteSign()) return
      const heard = speech.hear(String(data))
      if (heard.reply !== undefined) say(socket, heard.reply)
      if (heard.leaves) socket.close()
      if (heard.token !== undefined) meet(heard.token)
    })
    if (speech.greeting !== undefined) socket.send(speech.greeting)
    if (speech.token !== undefined) meet(speech.token)
  }

  function forget(socket: WebSocket): void {
    const connection = connections.get(socket)
    if (!connection) return
    connection.leave()
    connections.delete(socket)
  }

  async function introduce(socket: WebSocket, speech: Speech, token: string): Promise<void> {
    try {
      const { env, claims } = await identify(token)
      await ctx.database.held.refuse(env.environmentId)
      const subscriber = await findPerson(env, claims.subscriberId)
      if (!subscriber) throw new ApiError('person_deleted')
      if (!feeds.hasRoom(subscriber.id)) throw new ApiError('too_many_requests')
      if (socket.readyState !== socket.OPEN) return
      // The stop may have begun meanwhile.
      if (closing) return socket.close(comeAgain)
      socket.send(speech.accept(randomBytes(15).toString('base64url')))
      const { environmentId, contextKeys, lookOnly } = claims
      const feed = { environmentId, subscriberId: subscriber.id, contextKeys, lookOnly }
      const leave = feeds.join(feed, subscriber, {
        end: () => dismiss(socket),
        comeAgain: () => socket.close(comeAgain),
        tell(news) {
          for (const event of toSocketEvents(news, ctx.clock())) say(socket, speech.event(event))
        },
      })
      const now = performance.now()
      // Not all at the same moment, however many came at once.
      const pingAt = now + pingEveryMs * (0.5 + Math.random() / 2)
      rounds ??= setInterval(goRound, 1_000)
      connections.set(socket, { token, pingAt, answeredAt: now, leave })
    } catch (error) {
      // A refusal in these words makes the client stop. A fault of ours does not: it comes again.
      if (error instanceof ApiError) say(socket, speech.refuse(error.message))
      else ctx.log.warn({ err: error }, 'a socket could not be opened')
      socket.close(error instanceof ApiError ? 4_401 : 1_013)
    }
  }

  function say(socket: WebSocket, text: string): void {
    sayWith(socket, () => socket.send(text))
  }

  /** Whoever does not read is cut. */
  function sayWith(socket: WebSocket, send: () => void): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > mostUnsentBytes) socket.terminate()
    else send()
  }

  async function ping(socket: WebSocket, connection: Connection): Promise<void> {
    const speech = speeches.get(socket)
    connection.pingAt = performance.now() + pingEveryMs
    try {
      // A key may be revoked while the socket is open.
      await identify(connection.token)
      if (speech?.ping !== undefined) say(socket, speech.ping)
      else sayWith(socket, () => socket.ping())
    } catch (error) {
      if (error instanceof ApiError) dismiss(socket)
    }
  }

  /** It does not come again. */
  function dismiss(socket: WebSocket): void {
    const speech = speeches.get(socket)
    if (speech) say(socket, speech.dismiss)
    socket.close(4_401)
  }

  /** Only while somebody is there. */
  let rounds: NodeJS.Timeout | undefined
  function goRound(): void {
    const now = performance.now()
    for (const [socket, connection] of connections) {
      if (now - connection.answeredAt > pingEveryMs + pongWithinMs) socket.terminate()
      else if (connection.pingAt <= now) void ping(socket, connection)
    }
    if (connections.size > 0) return
    clearInterval(rounds)
    rounds = undefined
  }

  server.addHook('preClose', async () => {
    closing = true
    clearInterval(rounds)
    // They come again, to another node; the client itself spreads that over some seconds.
    for (const socket of connections.keys()) socket.close(comeAgain)
    setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate()
    }, 1_000).unref()
    await feeds.close()
  })
}

/** How often it may be called in a second, before it says no. */
function createPacketLimit(): () => boolean {
  let [since, count] = [0, 0]
  return () => {
    const now = performance.now()
    if (now - since > 1_000) [since, count] = [now, 0]
    count++
    return count <= mostPackets
  }
}
