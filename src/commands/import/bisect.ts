import type { Item } from '../from-novu/lists.ts'
import { TargetRefusal } from './target.ts'

/**
 * A call with many entries that is refused as a whole (too deep, too large) is tried again in halves, until only those are
 * left out that are the cause.
 */
export async function bisect<T extends Item>(
  items: readonly T[],
  call: (some: readonly T[]) => Promise<unknown[]>,
  refused: (one: T, why: string) => unknown,
): Promise<unknown[]> {
  if (items.length === 0) return []
  try {
    return await call(items)
  } catch (error) {
    if (!(error instanceof TargetRefusal) || ![400, 413, 422].includes(error.status)) throw error
    const [first] = items
    if (items.length === 1 && first) return [refused(first, error.message)]
    const middle = Math.ceil(items.length / 2)
    return [
      ...(await bisect(items.slice(0, middle), call, refused)),
      ...(await bisect(items.slice(middle), call, refused)),
    ]
  }
}
