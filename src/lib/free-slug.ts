/** `SendGrid EU` → `sendgrid-eu`, then `sendgrid-eu-2`. A name without letters or digits becomes the fallback. */
export function freeSlug(name: string, fallback: string, taken: ReadonlySet<string>): string {
  const slug = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 90)
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  const stem = slug || fallback
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? stem : `${stem}-${n}`
    if (!taken.has(candidate)) return candidate
  }
}
