export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>

/** The address of an operation such as `GET /v2/topics/{topicKey}`. What is undefined or null is left out of the query. */
export function addressOf(base: string, path: string, names: Record<string, string> = {}, query: Query = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(names[name] ?? '')
    // An address without it, or with dots, would be that of another operation.
    if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} cannot be "${value}"`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  const text = String(search)
  return `${base.replace(/\/+$/, '')}${filled}${text && `?${text}`}`
}
