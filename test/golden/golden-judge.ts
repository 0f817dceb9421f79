import { names, type Table, tables, unions } from './golden-tables.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where a value differs from the specification of this type; empty when nowhere. */
export function departures(value: unknown, type: string, path = ''): string[] {
  const alias = names[type]
  if (alias !== undefined) return departures(value, alias, path)
  if (value === null) return type.endsWith('|null') ? [] : [`${path} is null`]
  const plain = type.replace(/\|null$/, '')
  if (plain.startsWith("'")) return plain.split('|').includes(`'${value}'`) ? [] : [`${path} is ${value}`]
  const item = /^array<(.*)>$/.exec(plain)?.[1]
  if (item !== undefined) {
    if (!Array.isArray(value)) return [`${path} is no array`]
    return value.flatMap((it, index) => departures(it, item, `${path}[${index}]`))
  }
  if (plain === 'time') return isTime(value) ? [] : [`${path} is no time: ${value}`]
  if (plain === 'object') return isObject(value) ? [] : [`${path} is no object`]
  const faults = unions[plain]?.map((member) => departures(value, member, path))
  if (faults) return faults.some((list) => list.length === 0) ? [] : faults.flat()
  const known = tables[plain]
  if (!known) return typeof value === plain ? [] : [`${path} is a ${typeof value}, not a ${plain}`]
  return isObject(value) ? departuresOfObject(value, known, path) : [`${path} is no object`]
}

function departuresOfObject(value: Record<string, unknown>, { rows, extra }: Table, path: string): string[] {
  const missing = Object.entries(rows).filter(([name, { required }]) => required && !Object.hasOwn(value, name))
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(rows, name) && !extra.includes(name))
  return [
    ...missing.map(([name]) => `${path}.${name} is missing`),
    ...unknown.map((name) => `${path}.${name} is not in the specification`),
    ...Object.entries(rows).flatMap(([name, { type }]) =>
      Object.hasOwn(value, name) ? departures(value[name], type, `${path}.${name}`) : [],
    ),
  ]
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
}
