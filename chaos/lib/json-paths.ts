import { isPlainObject } from '../../src/lib/canonical-json.ts'

export type Path = readonly (string | number)[]

/** Every place inside a value that passes the test, the value itself included. */
export function pathsTo(value: unknown, isWanted: (inner: unknown) => boolean, path: Path = []): Path[] {
  const here = isWanted(value) ? [path] : []
  if (Array.isArray(value)) return [...here, ...value.flatMap((item, i) => pathsTo(item, isWanted, [...path, i]))]
  if (!isPlainObject(value)) return here
  return [...here, ...Object.entries(value).flatMap(([key, item]) => pathsTo(item, isWanted, [...path, key]))]
}

/** A copy with the value at the path changed. */
export function changeAt(value: unknown, [step, ...rest]: Path, change: (inner: unknown) => unknown): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value)) return value.map((item, i) => (i === step ? changeAt(item, rest, change) : item))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === step ? changeAt(item, rest, change) : item]),
  )
}
