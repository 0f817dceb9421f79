import { setTimeout as sleep } from 'node:timers/promises'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import { type CellName, type CellStage, cellNames } from './stage.ts'

type Look = { cell: CellName; state: string | null; at: number }

/** Who holds an environment: it writes for it, or may again when a lease runs out. */
const holding = ['active', 'draining', 'frozen']

export type StateWatch = {
  /** Throws if two cells held it at one moment; says how many looks there were, and how long nobody served it. */
  stop(): Promise<string>
}

/**
 * Asks all cells in turn, over and over. A cell that holds the environment in two looks held it between them too: so
 * another one that holds it in between is a second one, whatever the delays of the looks.
 */
export function watchStates({ cells }: CellStage, environmentId: string): StateWatch {
  const last = new Map<CellName, Look>()
  const faults = collectFaults()
  let [looks, unserved, longestUnserved] = [0, performance.now(), 0]
  let stopped = false

  const lookAt = async (cell: CellName): Promise<Look> => {
    const rows = await cells.get(cell)?.cluster.sql<{ state: string; at: string }>(
      `select effective_state(state, frozen_until) as state, extract(epoch from clock_timestamp()) * 1000 as at
       from environment where id = $1`,
      [environmentId],
    )
    return { cell, state: rows?.[0]?.state ?? null, at: Number(rows?.[0]?.at ?? 0) }
  }
  const isHeldBy = (look: Look | undefined): look is Look => holding.includes(look?.state ?? '')

  const run = async () => {
    while (!stopped) {
      for (const cell of cellNames) {
        const look = await lookAt(cell).catch(() => null)
        if (!look) {
          last.delete(cell)
          continue
        }
        looks++
        const before = last.get(cell)
        if (isHeldBy(look) && isHeldBy(before)) {
          for (const other of last.values()) {
            if (other.cell !== cell && isHeldBy(other) && other.at > before.at && other.at < look.at)
              faults.add(`TWO CELLS: ${cell} was ${look.state} while ${other.cell} was ${other.state}`)
          }
        }
        last.set(cell, look)
      }
      const isServed = [...last.values()].some(({ state }) => state === 'active' || state === 'draining')
      if (isServed) unserved = performance.now()
      else longestUnserved = Math.max(longestUnserved, performance.now() - unserved)
      await sleep(5)
    }
  }
  const done = run()
  return {
    async stop() {
      stopped = true
      await done
      faults.end()
      expectAtLeast(looks, 100, 'looks at the states')
      return `never two cells in ${looks} looks, served by none for ${(longestUnserved / 1000).toFixed(1)} s at most`
    },
  }
}
