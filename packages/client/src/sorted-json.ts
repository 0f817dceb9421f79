/** Returns a value as JSON with sorted keys and no spaces, so that equal values always give equal text. */
export function toSortedJson(value: unknown): string {
  return sorted(JSON.parse(JSON.stringify(value)))
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => `${JSON.stringify(name)}:${sorted(own)}`)
  return `{${inner.join()}}`
}
