/** Bounded, so that a page far past the end is empty instead of an error: PostgreSQL's OFFSET is a bigint. */
export function pageOffset(page: number, limit: number): number {
  return Math.min(page * limit, Number.MAX_SAFE_INTEGER)
}
