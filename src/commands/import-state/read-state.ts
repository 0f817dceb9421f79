import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Counts } from '../import/counts.ts'

/**
 * How far one kind has come. `next`: the place in its list to go on at; null: at the beginning. `isLeft`: its list could
 * not be read, so it was left out.
 */
export type KindState = { next: string | null; done: boolean; isLeft: boolean; counts: Counts }

export type Stored = { kinds: Record<string, KindState>; leftBytes: number; toComplete: string[]; at: string }

/** Null: it is not as we write it. Somebody has changed it, or it is of another version. */
export function readStored(text: string): Stored | null {
  const value = parsed(text)
  if (!isPlainObject(value) || !isPlainObject(value.kinds)) return null
  const { leftBytes, toComplete, at } = value
  const kinds = Object.entries(value.kinds).flatMap(([name, it]) => (isKind(it) ? [[name, it] as const] : []))
  if (kinds.length < Object.keys(value.kinds).length) return null
  if (!isCount(leftBytes) || !isTexts(toComplete) || typeof at !== 'string') return null
  return { kinds: Object.fromEntries(kinds), leftBytes, toComplete, at }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isKind(value: unknown): value is KindState {
  if (!isPlainObject(value) || typeof value.done !== 'boolean' || typeof value.isLeft !== 'boolean') return false
  const { next, counts } = value
  return (next === null || (typeof next === 'string' && /^(after|page|offset):/.test(next))) && isCounts(counts)
}

function isCounts(value: unknown): value is Counts {
  if (!isPlainObject(value) || !isPlainObject(value.left)) return false
  const numbers = ['there', 'created', 'updated', 'unchanged', 'failed', 'unread']
  return (
    numbers.every((name) => isCount(value[name])) &&
    Object.values(value.left).every((it) => isPlainObject(it) && isCount(it.count) && typeof it.example === 'string')
  )
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((it) => typeof it === 'string')
}
