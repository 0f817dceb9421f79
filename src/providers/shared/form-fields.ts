/** A form holds only texts: unset values are left out, objects become JSON. */
export function formFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(set.map(([name, value]) => [name, toText(value)]))
}

function toText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
