import { onSignals } from '../../src/commands/stop-on-signal.ts'
import { NoReply } from './http.ts'

/** What must happen whatever happens: children ended, databases dropped. Last made, first undone. */
type Undo = () => Promise<unknown> | unknown

const pending = new Set<Undo>()
let over = false

/** Nothing may be begun any more: whoever would begin it asks first. */
export function isOver(): boolean {
  return over
}

/** Returns the same work to be called earlier; it runs once, and counts as pending until it is done. */
export function whenOver(undo: Undo): () => Promise<void> {
  let done: Promise<void> | undefined
  const once = () => {
    done ??= (async () => {
      await undo()
    })().finally(() => pending.delete(once))
    return done
  }
  pending.add(once)
  return once
}

let cleaning: Promise<void> | undefined

export function cleanUp(): Promise<void> {
  over = true
  cleaning ??= workOff()
  return cleaning
}

async function workOff(): Promise<void> {
  // A row that is still running may add to the list meanwhile.
  for (let undo = [...pending].at(-1); undo; undo = [...pending].at(-1)) {
    await Promise.resolve(undo()).catch((error: unknown) => console.error('clean-up:', error))
  }
}

/** The whole of a command: whatever becomes of it, nothing is left behind. Ends this process. */
export async function runToEnd(work: () => Promise<void>): Promise<never> {
  cleanUpOnEnd()
  try {
    await work()
  } catch (error) {
    // What ends because the run is being ended is no news.
    if (!over) console.error(error)
    process.exitCode = 1
  } finally {
    await cleanUp()
  }
  process.exit()
}

/** However the run is ended. */
function cleanUpOnEnd(): void {
  const begin = (signal: string) => {
    console.error(`\n${signal}: ending the children and dropping the databases`)
    cleanUp().finally(() => process.exit(130))
  }
  onSignals(begin, () => process.exit(130))
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (error: unknown) => {
      // Rows whose nodes we ended ourselves have reason to complain. A row that went red leaves requests behind whose
      // node is ended next: it has said already what was wrong.
      if (over || error instanceof NoReply) return
      console.error(error)
      cleanUp().finally(() => process.exit(1))
    })
  }
}
