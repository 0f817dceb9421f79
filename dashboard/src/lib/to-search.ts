export type Query = Record<string, string | number | boolean | readonly string[] | null | undefined>

/** The query of an address, with its question mark. What is empty is left out. */
export function toSearch(query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  const text = search.toString()
  return text ? `?${text}` : ''
}
