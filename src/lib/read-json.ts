import { isPlainObject } from './canonical-json.ts'

// Deeper than any honest payload, shallow enough for every recursive reader after us.
const maxDepth = 64

export type RefusedContent = { path: string; reason: string }

/**
 * What this service never stores, found without recursion: prototype keys, NUL, lone surrogates, absurd depth.
 * Returns the first one, or null.
 */
export function findRefusedContent(root: unknown, only?: 'depth'): RefusedContent | null {
  const open: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }]
  for (let item = open.pop(); item; item = open.pop()) {
    const { value, path, depth } = item
    if (!only && typeof value === 'string' && !isStorableText(value))
      return { path, reason: 'holds a NUL or half a character' }
    if (typeof value !== 'object' || value === null) continue
    if (depth >= maxDepth) return { path, reason: `is nested deeper than ${maxDepth} levels` }
    for (const [key, inner] of Object.entries(value)) {
      if (!only && !isStorableText(key)) return { path, reason: 'has a key with a NUL or half a character' }
      if (!only && isPrototypeKey(key, inner)) return { path, reason: `may not hold the key "${key}"` }
      open.push({ value: inner, path: path ? `${path}.${key}` : key, depth: depth + 1 })
    }
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
