import { ListRefusal } from '../from-novu/lists.ts'
import { SourceRefusal, whyUnread } from '../from-novu/source.ts'
import type { Left, Run } from './run.ts'

// One thing that breaks the other service is left out; when nothing can be read any more, going on is of no use.
const mostBroken = 10

/** What belongs to one thing. If it cannot be read, that is listed, and the others are. */
export async function tryRead<T>(
  run: Run,
  field: string,
  read: () => Promise<T>,
): Promise<{ found: T } | { left: Left }> {
  try {
    const found = await read()
    run.broken = 0
    return { found }
  } catch (error) {
    const why = error instanceof ListRefusal ? error.message : whyUnread(error)
    if (why === null) throw error
    const isBroken = error instanceof SourceRefusal && (error.status === 0 || error.status >= 500)
    run.broken = isBroken ? run.broken + 1 : 0
    if (run.broken > mostBroken) throw error
    return { left: { field, why: `could not be read: ${why}`, isUnread: true } }
  }
}
