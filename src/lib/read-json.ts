import { isPlainObject } from './canonical-json.ts'

// Deeper than any real payload, shallow enough for the recursive code that reads it later.
const maxDepth = 64

/** `isNumber`: a number past what a double holds; JSON.parse reads it as Infinity, and JSON would write it as null. */
export type RefusedContent = { path: string; reason: string; isNumber?: true }

type Pending = { value: unknown; depth: number; key: string; parent: Pending | null }

/**
 * The first thing this service never stores (prototype keys, NUL, lone surrogates, numbers past a double, absurd
 * depth), or null. Without recursion, because of the depth. `only`: for callers that check the rest part by part.
 */
export function findRefusedContent(root: unknown, only?: 'depth'): RefusedContent | null {
  const open: Pending[] = [{ value: root, depth: 0, key: '', parent: null }]
  for (let item = open.pop(); item; item = open.pop()) {
    const reason = only ? depthRefusal(item) : (depthRefusal(item) ?? contentRefusal(item))
    if (reason) return { path: pathOf(item), reason, ...(typeof item.value === 'number' && { isNumber: true }) }
    const { value, depth } = item
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (needsCheck(inner)) open.push({ value: inner, depth: depth + 1, key, parent: item })
    }
  }
  return null
}

function depthRefusal({ value, depth }: Pending): string | null {
  const isTooDeep = typeof value === 'object' && value !== null && depth >= maxDepth
  return isTooDeep ? `is nested deeper than ${maxDepth} levels` : null
}

function contentRefusal({ value }: Pending): string | null {
  if (typeof value === 'string') return isStorableText(value) ? null : 'holds a NUL or half a character'
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'is a number past what a double can hold'
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return null
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorableText(key)) return 'has a key with a NUL or half a character'
    if (isPrototypeKey(key, inner)) return `may not hold the key "${key}"`
  }
  return null
}

/** Usual numbers, booleans and nulls are skipped: a megabyte may hold half a million of them. */
function needsCheck(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}

function pathOf(item: Pending): string {
  const keys: string[] = []
  for (let at: Pending | null = item; at?.parent; at = at.parent) keys.unshift(at.key)
  return keys.join('.')
}

/** PostgreSQL stores neither NUL nor half a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function isPrototypeKey(key: string, value: unknown): boolean {
  return key === '__proto__' || (key === 'constructor' && isPlainObject(value) && Object.hasOwn(value, 'prototype'))
}
