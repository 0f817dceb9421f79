import { chunksByWeight } from '../../lib/chunks.ts'
import type { Sized } from './sized.ts'

// In memory for one reply at a time: a page may hold a gigabyte.
const mostBytes = 4 * 1024 * 1024

/** The items of a page, loaded portion by portion while the reply is written. `mostRows`: of a portion. */
export async function* inPortions<T>(
  page: readonly Sized[],
  load: (ids: string[]) => Promise<T[]>,
  mostRows = 1000,
): AsyncGenerator<T[]> {
  const weigh = ({ bytes }: Sized) => Math.max(bytes, mostBytes / mostRows)
  for (const portion of chunksByWeight(page, mostBytes, weigh)) yield await load(portion.map(({ id }) => id))
}
