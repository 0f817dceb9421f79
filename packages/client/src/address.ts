export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>

/** Returns the address of an operation such as `GET /v2/topics/{topicKey}`. The query leaves out undefined and null. */
export function addressOf(base: string, path: string, names: Record<string, string> = {}, query: Query = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(names[name] ?? '')
    // An empty name or dots would change the path into that of another operation.
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
