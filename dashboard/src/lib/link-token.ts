const start = '#token='

/**
 * The token of the link that was opened, out of a mail say. It opens a door, so it leaves the address before anything is
 * drawn: neither the history, nor a bookmark, nor a page that one goes to from here sees it. It lives as long as this
 * page is loaded.
 */
export const linkToken: string | null = takeToken()

function takeToken(): string | null {
  const { hash, pathname, search } = location
  if (!hash.startsWith(start)) return null
  history.replaceState(history.state, '', pathname + search)
  return hash.slice(start.length)
}
