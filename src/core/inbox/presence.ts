import { randomUUID } from 'node:crypto'
import type { Ctx } from '../../context.ts'
import { addPresent, nodeDeadAfterMs, type Present, removePresent, tellNode } from '../../store/presence.ts'

export type Presence = {
  /** Somebody opened his inbox here. Returns how to leave. */
  come(who: Present): () => void
  close(): Promise<void>
}

const usual = {
  // Who looks in for a moment does not count, and who loads a page anew was not away.
  comesAfterMs: 1_000,
  leavesAfterMs: 10_000,
  lookEveryMs: 1_000,
  tellEveryMs: 15_000,
  // In one transaction. A crowd that comes at once is written over some seconds.
  mostAtOnce: 500,
  // After a node was told to stop: time for its people to come to another one.
  comeAgainMs: 20_000,
}

type Person = Present & { connections: number; since: number; isTold: boolean }

/** Keeps `isOnline` of subscribers true to the inboxes that are open, over all nodes. Asks nothing while none is open here. */
export function createPresence(ctx: Ctx, settings = usual): Presence {
  const nodeId = randomUUID()
  const people = new Map<string, Person>()
  let timer: NodeJS.Timeout | undefined
  let toldAt = Number.NEGATIVE_INFINITY
  let telling: Promise<void> | undefined

  const due = (now: number, hasCome: boolean) =>
    [...people.values()]
      .filter(({ connections, isTold, since }) =>
        hasCome
          ? connections > 0 && !isTold && now - since >= settings.comesAfterMs
          : connections === 0 && now - since >= settings.leavesAfterMs,
      )
      .slice(0, settings.mostAtOnce)

  async function tell(): Promise<void> {
    const now = performance.now()
    const [came, left] = [due(now, true), due(now, false)]
    const { db } = ctx.database
    if (came.length > 0 || now - toldAt >= settings.tellEveryMs) {
      // The others gave this node up while the database was out of reach, or are about to: everybody here is told anew.
      const isNew = await tellNode(db, nodeId, ctx.clock())
      const wasSilent = now - toldAt > nodeDeadAfterMs
      if (isNew || wasSilent) for (const person of people.values()) person.isTold = false
      toldAt = now
    }
    // Those of an environment that is being moved are told when that is over, here or where it lives then.
    const written = came.length > 0 ? await addPresent(db, nodeId, came, ctx.clock()) : []
    for (const person of written) person.isTold = true
    const gone = left.filter((person) => person.connections === 0)
    const told = gone.filter((person) => person.isTold)
    const removed = new Set(told.length > 0 ? await removePresent(db, nodeId, told, ctx.clock()) : [])
    for (const person of gone.filter((it) => !it.isTold || removed.has(it))) {
      person.isTold = false
      // Somebody may have come back meanwhile; then he is told again.
      if (person.connections === 0) people.delete(keyOf(person))
    }
  }

  function look(): void {
    telling ??= tell()
      .catch((error: unknown) => ctx.log.debug({ err: error }, 'who is online could not be written'))
      .finally(() => {
        telling = undefined
        if (people.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
  }

  return {
    come(who) {
      const key = keyOf(who)
      const person = people.get(key) ?? { ...who, connections: 0, since: performance.now(), isTold: false }
      people.set(key, person)
      person.connections++
      timer ??= setInterval(look, settings.lookEveryMs).unref()
      let isHere = true
      return () => {
        if (!isHere) return
        isHere = false
        person.connections--
        if (person.connections === 0) person.since = performance.now()
      }
    },
    async close() {
      clearInterval(timer)
      await telling
      if (toldAt === Number.NEGATIVE_INFINITY) return
      const seenAt = new Date(ctx.clock().getTime() - nodeDeadAfterMs + settings.comeAgainMs)
      await tellNode(ctx.database.db, nodeId, seenAt).catch(() => {})
    },
  }
}

function keyOf({ environmentId, subscriberId }: Present): string {
  return `${environmentId} ${subscriberId}`
}
