import { availableParallelism, loadavg } from 'node:os'

/**
 * The least of up to five results of `work`, or more: its real cost, however busy the machine is. Stops at the first run
 * below the limit. Assertions in `work` must hold in every run.
 */
export async function fastest(limit: number, work: () => number | Promise<number>, runs = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && least >= limit; run++) least = Math.min(least, await work())
  return least
}

/** For a test that judges a time and cannot do twice what it measures: it is run again, and the best of five counts. */
export const bestOfFive = { retry: 4 }

/** As `fastest`, for shares of an allowed time that holds on a machine that is not overloaded: by how crowded this one is. */
export async function fastestShare(work: () => number | Promise<number>): Promise<number> {
  let crowded = crowding()
  const measured = async () => {
    const share = await work()
    crowded = Math.max(crowded, crowding())
    return share / crowded
  }
  return fastest(1, measured, 15)
}

/** How much longer than on a quiet machine everything takes just now, for two threads that want a core each. */
function crowding(): number {
  const [cpu, started] = [process.cpuUsage(), performance.now()]
  while (performance.now() - started < 50) {}
  const { user, system } = process.cpuUsage(cpu)
  const longer = ((performance.now() - started) * 1000) / Math.max(1, user + system)
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism(), 2 * longer - 1)
}
