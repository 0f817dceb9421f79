/** `Order shipped` → `order-shipped`, by the rule by which the server makes ids from names. Empty without letters or digits. */
export function toSlug(name: string, most = 90): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replaceAll(/^-+|-+$/g, '')
}

/** A slug that nobody has: `e-mail`, then `e-mail-2`. A name without letters or digits becomes the fallback. */
export function freeSlug(name: string, fallback: string, taken: readonly string[]): string {
  const stem = toSlug(name) || fallback
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? stem : `${stem}-${n}`
    if (!taken.includes(candidate)) return candidate
  }
}
