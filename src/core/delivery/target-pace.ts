import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Admission } from '../integrations/integration-health.ts'

/**
 * Addresses that asked us to wait, as this process has seen it: one chat webhook may take a message a second while the
 * others of its integration take thousands. Each message that has to wait gets a turn of its own, one after the other.
 */
export type TargetPaces = {
  slow(target: string, untilMs: number, nowMs: number): void
  admit(target: string, messageId: string, nowMs: number): Admission
}

type Line = { pausedUntilMs: number; nextMs: number; turns: Map<string, number> }

// What Slack allows one webhook; others allow a little more.
const gapMs = 1_000
// An address that has been quiet for so long is like any other.
const forgottenAfterMs = 10 * 60_000
const mostTargets = 10_000
// Who has not come for its turn by then was sent by another node, or canceled.
const lateMs = 60_000

export function createTargetPaces(): TargetPaces {
  const lines = new LRUCache<string, Line>({ max: mostTargets, ttl: forgottenAfterMs, updateAgeOnGet: true })

  const giveTurn = (line: Line, messageId: string, nowMs: number): Admission => {
    for (const [other, turn] of line.turns) {
      if (turn > nowMs - lateMs) break
      line.turns.delete(other)
    }
    const untilMs = line.nextMs
    line.turns.set(messageId, untilMs)
    line.nextMs += gapMs
    return { kind: 'paused', untilMs }
  }
  return {
    slow(target, untilMs, nowMs) {
      const line = lines.get(target) ?? { pausedUntilMs: 0, nextMs: nowMs, turns: new Map() }
      line.pausedUntilMs = Math.max(line.pausedUntilMs, untilMs)
      line.nextMs = Math.max(line.nextMs, untilMs)
      lines.set(target, line, { ttl: forgottenAfterMs + Math.max(0, untilMs - nowMs) })
    },

    admit(target, messageId, nowMs) {
      const line = lines.get(target)
      if (!line) return { kind: 'ok' }
      const turn = line.turns.get(messageId)
      if (turn !== undefined && turn > nowMs) return { kind: 'paused', untilMs: turn }
      line.turns.delete(messageId)
      // Its turn came in a pause that was asked for after it was given.
      const isTurn = turn !== undefined && nowMs >= line.pausedUntilMs
      if (!isTurn && line.nextMs > nowMs) return giveTurn(line, messageId, nowMs)
      line.nextMs = Math.max(line.nextMs, nowMs + gapMs)
      return { kind: 'ok' }
    },
  }
}

/** A digest: addresses of chats are secrets. */
export function targetOf(integrationId: string, place: readonly (string | null | undefined)[]): string {
  return createHash('sha256')
    .update(JSON.stringify([integrationId, place]))
    .digest('base64url')
}
