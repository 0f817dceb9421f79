import { isPlainObject } from './canonical-json.ts'

// Deeper than any real payload, shallow enough for the recursive code that reads it later.
export const maxDepth = 64

/** `isNumber`: a number past what a double holds; JSON.parse reads it as Infinity, and JSON would write it as null. */
export type RefusedContent = { path: string; reason: string; isNumber?: true }

/**
 * The first thing this service never stores (prototype keys, NUL, lone surrogates, numbers past a double, absurd
 * depth), or null. `only`: for callers that check the rest part by part. Every value of every body passes here: it makes
 * nothing for those that are as they should be.
 */
export function findRefusedContent(root: unknown, only?: 'depth'): RefusedContent | null {
  const path: (string | number)[] = []
  const reason = refusalOf(root, 0, only === 'depth', path)
  if (reason === null) return null
  return { path: path.reverse().join('.'), reason, ...(reason === isPastDouble && { isNumber: true }) }
}

const isPastDouble = 'is a number past what a double can hold'

/** On a refusal `path` holds the way to it, the last key first. */
function refusalOf(value: unknown, depth: number, onlyDepth: boolean, path: (string | number)[]): string | null {
  if (typeof value === 'number') return onlyDepth || Number.isFinite(value) ? null : isPastDouble
  if (typeof value === 'string') return onlyDepth || isStorableText(value) ? null : 'holds a NUL or half a character'
  if (typeof value !== 'object' || value === null) return null
  if (depth >= maxDepth) return `is nested deeper than ${maxDepth} levels`
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const reason = refusalOf(value[index], depth + 1, onlyDepth, path)
      if (reason === null) continue
      path.push(index)
      return reason
    }
    return null
  }
  const keys = Object.keys(value)
  const inner = value as Record<string, unknown>
  for (const key of onlyDepth ? [] : keys) {
    if (!isStorableText(key)) return 'has a key with a NUL or half a character'
    if (isPrototypeKey(key, inner[key])) return `may not hold the key "${key}"`
  }
  for (const key of keys) {
    const reason = refusalOf(inner[key], depth + 1, onlyDepth, path)
    if (reason === null) continue
    path.push(key)
    return reason
  }
  return null
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function isPrototypeKey(key: string, value: unknown): boolean {
  return key === '__proto__' || (key === 'constructor' && isPlainObject(value) && Object.hasOwn(value, 'prototype'))
}
