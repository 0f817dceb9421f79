/** The value at a path such as `messages.0.id` (own properties only), or undefined. */
export function field(json: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    return (at as Record<string, unknown>)[key]
  }, json)
}
