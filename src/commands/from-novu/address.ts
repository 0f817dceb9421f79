/** An id that no address over HTTP can have in it. */
export class NoAddress extends Error {}

/**
 * An address with ids in it. `.` and `..` are steps in one, whatever they are written as, and an empty id leaves the
 * address of something else: what that answers would be taken for what was asked.
 */
export function address(parts: TemplateStringsArray, ...ids: readonly unknown[]): string {
  return parts.reduce((made, part, at) => made + segment(ids[at - 1]) + part)
}

function segment(given: unknown): string {
  const id = typeof given === 'string' ? given : ''
  if (['', '.', '..'].includes(id) || !id.isWellFormed())
    throw new NoAddress(`its id ${JSON.stringify(id)} can be in no address`)
  return encodeURIComponent(id)
}
