import type { Fault, SmtpReply } from '../lib/outbound.ts'
import { notSent } from './connect.ts'
import type { Session } from './smtp-session.ts'

type Held = { session: Session; mails: number; timer?: NodeJS.Timeout }
/** Connections to one server with one login. */
type Lane = { open: number; idle: Held[]; waiting: (() => void)[] }
type Opened = { kind: 'session'; session: Session } | SmtpReply | Fault
type Outgoing = Parameters<Session['deliver']>[0]
type Limits = { connectionsPerServer: number; mailsPerConnection: number; idleMs: number }

/** Reuses connections, so that a burst of mails costs a few TLS handshakes and logins, not one each. */
export function createSmtpPool({ connectionsPerServer, mailsPerConnection, idleMs }: Limits) {
  const lanes = new Map<string, Lane>()
  let isClosed = false

  async function use(key: string, deadline: number, open: () => Promise<Opened>, mail: Outgoing) {
    const lane = lanes.get(key) ?? { open: 0, idle: [], waiting: [] }
    lanes.set(key, lane)
    if (!(await enter(lane, connectionsPerServer, deadline)))
      return notSent('no connection to the mail server became free in time')
    try {
      const held = takeIdle(lane)
      const first = held && (await deliver(key, lane, held, deadline, mail))
      // A kept connection that turns out dead is replaced: before the final dot nothing counts as sent.
      if (first && (!isStale(first) || Date.now() >= deadline)) return first
      const opened = await open()
      return opened.kind === 'session'
        ? await deliver(key, lane, { session: opened.session, mails: 0 }, deadline, mail)
        : opened
    } finally {
      lane.open--
      const wake = lane.waiting.shift()
      if (wake) wake()
      else forgetEmpty(key, lane)
    }
  }

  async function deliver(
    key: string,
    lane: Lane,
    held: Held,
    deadline: number,
    mail: Outgoing,
  ): Promise<SmtpReply | Fault> {
    const { session } = held
    const answer = await session.deliver(mail, deadline)
    held.mails++
    const isClean = answer.kind === 'reply' && answer.code !== 421
    const isReset = isClean && (answer.code < 300 || (await session.reset(deadline)))
    if (isReset && held.mails < mailsPerConnection && session.isUsable() && !isClosed) keep(key, lane, held)
    else session.close()
    return answer
  }

  function keep(key: string, lane: Lane, held: Held): void {
    held.timer = setTimeout(() => {
      lane.idle.splice(lane.idle.indexOf(held), 1)
      held.session.close()
      forgetEmpty(key, lane)
    }, idleMs)
    lane.idle.push(held)
  }

  function forgetEmpty(key: string, lane: Lane): void {
    if (lane.open === 0 && lane.idle.length === 0 && lanes.get(key) === lane) lanes.delete(key)
  }

  function close(): void {
    isClosed = true
    for (const lane of lanes.values()) {
      for (const { session, timer } of lane.idle.splice(0)) {
        clearTimeout(timer)
        session.close()
      }
    }
    lanes.clear()
  }

  return { use, close }
}

/** The one used last, so that the others can time out and close. */
function takeIdle(lane: Lane): Held | undefined {
  for (let held = lane.idle.pop(); held; held = lane.idle.pop()) {
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

async function enter(lane: Lane, limit: number, deadline: number): Promise<boolean> {
  while (lane.open >= limit) {
    const isWoken = await new Promise<boolean>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(
        () => {
          lane.waiting.splice(lane.waiting.indexOf(wake), 1)
          resolve(false)
        },
        Math.max(1, deadline - Date.now()),
      )
      lane.waiting.push(wake)
    })
    if (!isWoken) return false
  }
  lane.open++
  return true
}
