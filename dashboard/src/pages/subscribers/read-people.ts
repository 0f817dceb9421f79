import { readCsv } from './csv.ts'

export type Entry = Record<string, unknown>
export type Source =
  | { kind: 'empty' }
  | { kind: 'fault'; text: string }
  | { kind: 'json'; entries: Entry[] }
  | { kind: 'csv'; head: string[]; rows: string[][] }

/** What was pasted or loaded: JSON by its first character, else a table with a head. */
export function readSource(text: string): Source {
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (!start) return { kind: 'empty' }
  if (start.startsWith('[') || start.startsWith('{')) return readJson(start)
  const [head = [], ...rows] = readCsv(text)
  if (rows.length === 0)
    return { kind: 'fault', text: 'A table needs a line of column names and at least one more line.' }
  return { kind: 'csv', head, rows }
}

/** A list, an object with a list, or one object per line. */
function readJson(text: string): Source {
  const whole = parse(text)
  const value = whole ?? parseLines(text)
  const list = Array.isArray(value)
    ? value
    : isObject(value)
      ? (Object.values(value).find(Array.isArray) ?? [value])
      : null
  if (!list) return { kind: 'fault', text: 'This starts like JSON but cannot be read as JSON.' }
  const entries = list.filter(isObject)
  if (entries.length === 0) return { kind: 'fault', text: 'There is no object in this JSON.' }
  return { kind: 'json', entries }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseLines(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim())
  const values = lines.map(parse)
  return values.every(isObject) ? values : undefined
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const targets = [
  { value: 'subscriberId', label: 'Subscriber id' },
  { value: 'firstName', label: 'First name' },
  { value: 'lastName', label: 'Last name' },
  { value: 'email', label: 'E-mail' },
  { value: 'phone', label: 'Phone' },
  { value: 'locale', label: 'Locale' },
  { value: 'timezone', label: 'Time zone' },
  { value: 'avatar', label: 'Avatar (URL)' },
  { value: 'data', label: 'Own data' },
  { value: '', label: 'Leave out' },
]

const guesses: Record<string, string> = {
  id: 'subscriberId',
  userid: 'subscriberId',
  subscriberid: 'subscriberId',
  externalid: 'subscriberId',
  firstname: 'firstName',
  givenname: 'firstName',
  lastname: 'lastName',
  surname: 'lastName',
  familyname: 'lastName',
  email: 'email',
  mail: 'email',
  emailaddress: 'email',
  phone: 'phone',
  phonenumber: 'phone',
  mobile: 'phone',
  locale: 'locale',
  language: 'locale',
  timezone: 'timezone',
  tz: 'timezone',
  avatar: 'avatar',
}

/** What each column most likely is; each of our fields is guessed once. */
export function guessColumns(head: readonly string[]): string[] {
  const taken = new Set<string>()
  return head.map((name) => {
    const guess = guesses[name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')] ?? 'data'
    if (guess === 'data' || taken.has(guess)) return 'data'
    taken.add(guess)
    return guess
  })
}

/** Empty cells are left out, so that they clear nothing. */
export function toEntries(head: readonly string[], rows: readonly string[][], columns: readonly string[]): Entry[] {
  return rows.map((row) => {
    const entry: Entry = {}
    const data: Entry = {}
    for (const [index, column] of columns.entries()) {
      const value = row[index] ?? ''
      if (!column || value === '') continue
      if (column === 'data') data[head[index] ?? `column${index + 1}`] = value
      else entry[column] = value
    }
    return Object.keys(data).length > 0 ? { ...entry, data } : entry
  })
}
