import { type Fault, notBegun, type SmtpReply } from '../lib/outbound.ts'
import { notSent } from './connect.ts'
import type { Session } from './smtp-session.ts'

type Held = { session: Session; mails: number; timer?: NodeJS.Timeout }
/** Connections to one server with one login. */
type ServerConnections = { open: number; idle: Held[]; waiting: (() => void)[] }
type Opened = { kind: 'session'; session: Session } | SmtpReply | Fault
type OutgoingMail = Parameters<Session['deliver']>[0] & { mayBegin: (() => boolean) | undefined }
type Limits = { connectionsPerServer: number; mailsPerConnection: number; idleMs: number }

/** Reuses connections, so that a burst of mails costs a few TLS handshakes and logins, not one each. */
export function createSmtpPool({ connectionsPerServer, mailsPerConnection, idleMs }: Limits) {
  const servers = new Map<string, ServerConnections>()
  let isClosed = false

  async function use(key: string, deadline: number, open: () => Promise<Opened>, mail: OutgoingMail) {
    const server = servers.get(key) ?? { open: 0, idle: [], waiting: [] }
    servers.set(key, server)
    if (!(await enter(server, connectionsPerServer, deadline)))
      return notSent('no connection to the mail server became free in time')
    try {
      if (mail.mayBegin?.() === false) return notSent(notBegun)
      const held = takeIdle(server)
      const first = held && (await deliver(key, server, held, deadline, mail))
      // A kept connection that turns out dead is replaced: before the final dot nothing counts as sent.
      if (first && (!isStale(first) || Date.now() >= deadline)) return first
      const opened = await open()
      return opened.kind === 'session'
        ? await deliver(key, server, { session: opened.session, mails: 0 }, deadline, mail)
        : opened
    } finally {
      server.open--
      const wake = server.waiting.shift()
      if (wake) wake()
      else forgetEmpty(key, server)
    }
  }

  async function deliver(
    key: string,
    server: ServerConnections,
    held: Held,
    deadline: number,
    mail: OutgoingMail,
  ): Promise<SmtpReply | Fault> {
    const { session } = held
    const answer = await session.deliver(mail, deadline)
    held.mails++
    const isClean = answer.kind === 'reply' && answer.code !== 421
    const isReset = isClean && (answer.code < 300 || (await session.reset(deadline)))
    if (isReset && held.mails < mailsPerConnection && session.isUsable() && !isClosed) keep(key, server, held)
    else session.close()
    return answer
  }

  function keep(key: string, server: ServerConnections, held: Held): void {
    held.timer = setTimeout(() => {
      server.idle.splice(server.idle.indexOf(held), 1)
      held.session.close()
      forgetEmpty(key, server)
    }, idleMs)
    server.idle.push(held)
  }

  function forgetEmpty(key: string, server: ServerConnections): void {
    if (server.open === 0 && server.idle.length === 0 && servers.get(key) === server) servers.delete(key)
  }

  function close(): void {
    isClosed = true
    for (const server of servers.values()) {
      for (const { session, timer } of server.idle.splice(0)) {
        clearTimeout(timer)
        session.close()
      }
    }
    servers.clear()
  }

  return { use, close }
}

/** The one used last, so that the others can time out and close. */
function takeIdle(server: ServerConnections): Held | undefined {
  for (let held = server.idle.pop(); held; held = server.idle.pop()) {
    clearTimeout(held.timer)
    if (held.session.isUsable()) return held
    held.session.close()
  }
  return undefined
}

function isStale(answer: SmtpReply | Fault): boolean {
  if (answer.kind === 'reply') return answer.code === 421 && answer.stage === 'envelope'
  return !answer.sent && !answer.refused
}

async function enter(server: ServerConnections, limit: number, deadline: number): Promise<boolean> {
  while (server.open >= limit) {
    const isWoken = await new Promise<boolean>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(
        () => {
          server.waiting.splice(server.waiting.indexOf(wake), 1)
          resolve(false)
        },
        Math.max(1, deadline - Date.now()),
      )
      server.waiting.push(wake)
    })
    if (!isWoken) return false
  }
  server.open++
  return true
}
