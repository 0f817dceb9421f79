/** JSON with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((inner) => canonicalJson(inner) || 'null').join()}]`
  if (!isPlainObject(value)) return JSON.stringify(value) ?? ''
  // A Date, for example: JSON.stringify calls its toJSON.
  if (typeof value.toJSON === 'function') return JSON.stringify(value) ?? ''
  let text = ''
  for (const key of Object.keys(value).sort()) {
    const inner = canonicalJson(value[key])
    if (inner !== '') text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${inner}`
  }
  return `{${text}}`
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
