/** A page past the end, however far, is an empty page: PostgreSQL's OFFSET is a bigint, a caller's page is not. */
export function pageOffset(page: number, limit: number): number {
  return Math.min(page * limit, Number.MAX_SAFE_INTEGER)
}
