/**
 * A page is written without its environment (`/workflows`, see paths.ts); its address names it: `/env/staging/workflows`.
 * Only the edges know of that: links, the history, and switching.
 */
const place = /^\/env\/([^/?#]+)(.*)$/s
/** Belong to no environment. */
const outside = /^\/(sign-in|accept|reset)(?=[/?#]|$)/

/** The environment that an address names, by its slug; null: none. */
export function environmentIn(address: string): string | null {
  const named = place.exec(address)?.[1]
  return named === undefined ? null : decode(named)
}

/** The page of an address, in whatever environment. */
export function pageIn(address: string): string {
  const rest = place.exec(address)?.[2]
  if (rest === undefined) return address
  // Two slashes would name another server.
  return `/${rest.replace(/^\/+/, '')}`
}

/** Null: no environment is known yet, and the page stays as it is. What is no page of ours stays, too. */
export function addressOf(slug: string | null, page: string): string {
  if (slug === null || !/^\/(?!\/)/.test(page) || environmentIn(page) !== null || outside.test(page)) return page
  return `/env/${encodeURIComponent(slug)}${page.replace(/^\/(?=[?#]|$)/, '')}`
}

/** Where the same list is in another environment; a single thing may not be there, so its page becomes the overview. */
export function pageElsewhere(pathname: string, lists: readonly string[]): string {
  return lists.includes(pathname) ? pathname : '/'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
