/** A path below a base URL, which may end in a slash and have a path of its own; its query is dropped. */
export function joinUrl(base: string, path: string): string {
  const { origin, pathname } = new URL(base)
  return `${origin}${pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
}
