/** A path below a base URL, which may have a path and end in a slash; its query is dropped. */
export function joinUrl(base: string, path: string): string {
  const { origin, pathname } = new URL(base)
  return `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`
}
