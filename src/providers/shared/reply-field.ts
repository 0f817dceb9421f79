/** The value at a path such as `messages.0.id` (own properties only), or undefined. */
export function field(json: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    return (at as Record<string, unknown>)[key]
  }, json)
}

/** The list at a path, or an empty one. */
export function listField(json: unknown, path: string): unknown[] {
  const found = field(json, path)
  return Array.isArray(found) ? found : []
}

/** The text at a path; a number as text, and nothing for anything else, which may not even be turned into one. */
export function textField(json: unknown, path: string): string {
  const found = field(json, path)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}
