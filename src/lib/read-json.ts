import { isAscii } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { isPlainObject } from './canonical-json.ts'
import { createPauses } from './chunks.ts'

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

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

// Some 5 ms of JSON.parse.
const portionBytes = 512 * 1024

export type Scanned = {
  values: number
  depth: number
  /** The most escaped characters between two cuts: in one portion, or outside of all. */
  escapes: number
  /** Where the items of long lists that are fields of the whole stand, from and to, some in each portion. */
  portions: (readonly [from: number, to: number])[]
}

/** JSON.parse takes a fifth of a microsecond for each. No payload within its limit has as many, nor a file in base64. */
export const mostEscapes = 500_000

/**
 * How many values a JSON text holds at least, and how deeply they are nested, without reading it: JSON.parse cannot be
 * interrupted, and 25 MB of tiny values take it more than a second. It stops after `mostValues` or `mostEscapes`. Each
 * value follows a comma or opens a list or an object.
 */
export function scanJson(json: Buffer, mostValues: number): Scanned {
  let [values, level, depth] = [1, 0, 0]
  const texts = createTexts(json)
  const lists = createPortions(texts.cut)
  for (let at = 0; at < json.length && values <= mostValues && texts.escapes() <= mostEscapes; at++) {
    switch (json[at]) {
      case quote:
        at = texts.end(at + 1)
        break
      case comma:
        values += 1
        if (level === 2) lists.comma(at)
        break
      case openList:
      case openObject:
        values += 1
        level += 1
        if (level > depth) depth = level
        if (level === 2) lists.open(at, json[at] === openList)
        break
      case closeList:
      case closeObject:
        if (level === 2) lists.close(at)
        level -= 1
        break
    }
  }
  return { values, depth, escapes: texts.escapes(), portions: lists.portions }
}

/** Finds the ends of texts, and counts what is escaped in them. Both marks are looked for once, from start to end. */
function createTexts(json: Buffer) {
  let [escapes, most] = [0, 0]
  let slash = next(json, backslash, 0)
  return {
    escapes: () => Math.max(most, escapes),
    cut() {
      most = Math.max(most, escapes)
      escapes = 0
    },
    /** Where the closing quote stands; the end of all if there is none, or too much is escaped. */
    end(from: number): number {
      if (slash < from) slash = next(json, backslash, from)
      for (let at = from; ; ) {
        const end = next(json, quote, at)
        let escaped = -1
        for (; slash < end; slash = next(json, backslash, escaped + 1)) {
          escaped = slash + 1
          escapes += 1
          if (escapes > mostEscapes) return json.length
        }
        if (escaped !== end) return end
        at = end + 1
      }
    },
  }
}

function next(json: Buffer, mark: number, from: number): number {
  const at = json.indexOf(mark, from)
  return at < 0 ? json.length : at
}

/** Cuts a list at its commas. */
function createPortions(cut: () => void) {
  const portions: (readonly [number, number])[] = []
  let [from, isList, isCut] = [0, false, false]
  return {
    portions,
    open(at: number, opensList: boolean) {
      ;[from, isList, isCut] = [at + 1, opensList, false]
    },
    comma(at: number) {
      if (!isList || at - from < portionBytes) return
      portions.push([from, at])
      cut()
      ;[from, isCut] = [at + 1, true]
    },
    close(at: number) {
      if (!isCut) return
      portions.push([from, at])
      cut()
    },
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
// Most bodies are, and are read five times as fast.
const decode = (bytes: Buffer) => (isAscii(bytes) ? bytes.toString('latin1') : utf8.decode(bytes))
const parse = (bytes: Buffer): unknown => JSON.parse(decode(bytes))

/**
 * JSON.parse of a large body, in turns: the events of a bulk are read some at a time. Throws if it is no JSON.
 *
 * Each portion is cut out and a name put in its place; both must be JSON, and then so is the whole.
 */
export async function parseInTurns(json: Buffer, portions: Scanned['portions']): Promise<unknown> {
  if (portions.length === 0) return parseWhole(json)
  const name = randomUUID()
  const pieces: Buffer[] = []
  let end = 0
  for (const [n, [from, to]] of portions.entries()) {
    pieces.push(json.subarray(end, from), Buffer.from(`"${name}${n}"`))
    end = to
  }
  const whole = parse(Buffer.concat([...pieces, json.subarray(end)]))
  if (!isPlainObject(whole)) return whole
  const pause = createPauses()
  for (const list of Object.values(whole)) {
    if (!Array.isArray(list) || !String(list[0]).startsWith(name)) continue
    const items: unknown[] = []
    for (const placed of list.splice(0)) {
      await pause()
      const [from, to] = portions[Number(String(placed).slice(name.length))] ?? [0, 0]
      const read = parse(Buffer.from(`[${json.subarray(from, to).toString('latin1')}]`, 'latin1'))
      if (!Array.isArray(read) || read.length === 0) throw new SyntaxError('nothing between two commas')
      for (const item of read) items.push(item)
    }
    for (const item of items) list.push(item)
  }
  return whole
}

async function parseWhole(json: Buffer): Promise<unknown> {
  const pause = createPauses()
  const text = decode(json)
  await pause()
  return JSON.parse(text)
}
