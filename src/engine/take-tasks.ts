import { chunks } from '../lib/chunks.ts'
import type { Task } from './define-task.ts'
import { type Lane, lanes, lanesFrom } from './lanes.ts'
import type { TakenTask } from './run-batch.ts'
import type { Taker } from './taker.ts'
import { waitAtMost } from './wait-at-most.ts'

type Options = {
  task: Pick<Task, 'name' | 'batchSize' | 'workers'>
  claim(how: { minPriority: number; batchSize: number; ignoreGroups: string[] }): Promise<TakenTask[]>
  /** Never fails. Whoever only waits frees its worker before it ends. */
  work(tasks: TakenTask[], freeWorker: () => void): Promise<void>
  groupOf(task: TakenTask): string
  /** Others of its group would only wait. */
  isFull?(task: TakenTask): boolean
  onFault(error: unknown): void
}

// A connection whose other end is gone says nothing for a minute: others may be sound.
const patienceMs = 5_000

// A claim that passes over most of what waits reads all of it.
const smallClaimsAfterVain = 30

/**
 * Takes the tasks of one queue for the workers that a process has for it. One claim is under way at a time, and only
 * when there may be something: a signal came since the last one began, or it came back full. A claim that nobody asked
 * for finds nothing and costs as much as one that does.
 */
export function takeTasks({ task, claim, work, groupOf, isFull: wouldWait, onFault }: Options): Taker {
  const free = { ...task.workers }
  const due = new Set<Lane>()
  /** Groups that had enough in hand, and the lanes in which tasks of them may have been passed over. */
  const passedOver = { groups: new Set<string>(), lanes: new Set<Lane>() }
  const ofGroup = new Map<string, { count: number; newest: TakenTask }>()
  const working = new Map<Promise<void>, readonly TakenTask[]>()
  const most = tasksAtOnce(task)
  let [isMixed, smallClaims] = [false, 0]
  let isTaking = false
  let stopped = false

  const freeFor = (lane: Lane) => lanesFrom(lane).find((it) => free[it] > 0)
  const isFull = (group: string, size = task.batchSize) => {
    const known = ofGroup.get(group)
    return known !== undefined && ((most !== null && known.count + size > most) || wouldWait?.(known.newest) === true)
  }

  async function look(): Promise<void> {
    if (isTaking) return
    isTaking = true
    for (let lane = freeLane(); lane && !stopped; lane = freeLane()) await takeFor(lane)
    isTaking = false
  }

  /** Of the workers that may take what is due, those of the least urgent lane: what they claim includes all others. */
  function freeLane(): Lane | null {
    const lane = (Object.keys(lanes) as Lane[]).findLast((it) => due.has(it) && freeFor(it))
    return (lane && freeFor(lane)) ?? null
  }

  async function takeFor(lane: Lane): Promise<void> {
    const covered = (Object.keys(lanes) as Lane[]).filter((it) => lanes[it] >= lanes[lane])
    const size = sizeFor(lane)
    const ignoreGroups = [...ofGroup.keys()].filter((group) => isFull(group, size))
    for (const it of covered) due.delete(it)
    const claiming = claim({ minPriority: lanes[lane], batchSize: size, ignoreGroups })
      .then((tasks) => {
        learn(size, tasks)
        // The most urgent are claimed first: of lanes above the least urgent of them nothing is left.
        const least = tasks.length === size ? Math.min(...tasks.map((it) => it.priority)) : Number.NEGATIVE_INFINITY
        // A group that had enough may have room again by now.
        const hasRoom = !ignoreGroups.every((group) => isFull(group))
        for (const it of covered) {
          if (hasRoom || lanes[it] <= least) due.add(it)
          else if (ignoreGroups.length > 0) passedOver.lanes.add(it)
        }
        for (const group of ignoreGroups) passedOver.groups.add(group)
        for (const batch of chunks(tasks, task.batchSize)) begin(lane, batch)
      })
      .catch(onFault)
      .finally(() => {
        working.delete(claiming)
        // For one that nobody waited for any more.
        void look()
      })
    working.set(claiming, [])
    await waitAtMost(patienceMs, claiming)
  }

  /**
   * Where a group has no limit, one claim serves all who are free. Where it has one, a claim must not bring more of a group
   * than it leaves room for, so a large one passes over groups of which there is little in hand: it pays only while
   * tasks of many groups wait. And whether a group is full after a batch is known when that has begun.
   */
  function sizeFor(lane: Lane): number {
    const whole = task.batchSize * free[lane]
    if (wouldWait) return task.batchSize
    if (most === null) return whole
    return isMixed && smallClaims === 0 ? Math.min(whole, most) : task.batchSize
  }

  function learn(size: number, tasks: readonly TakenTask[]): void {
    isMixed = tasks.length === size && new Set(tasks.map(groupOf)).size >= task.batchSize
    if (size > task.batchSize && tasks.length < size) smallClaims = smallClaimsAfterVain
    else if (smallClaims > 0) smallClaims--
  }

  function begin(lane: Lane, batch: TakenTask[]): void {
    let hasWorker = true
    const freeWorker = () => {
      if (hasWorker) free[lane]++
      hasWorker = false
      if (![...passedOver.groups].every((group) => isFull(group))) {
        for (const it of passedOver.lanes) due.add(it)
        passedOver.lanes.clear()
        passedOver.groups.clear()
      }
      void look()
    }
    free[lane]--
    for (const it of batch) ofGroup.set(groupOf(it), { count: (ofGroup.get(groupOf(it))?.count ?? 0) + 1, newest: it })
    const over = work(batch, freeWorker).finally(() => {
      working.delete(over)
      for (const it of batch) leave(groupOf(it))
      freeWorker()
    })
    working.set(over, batch)
  }

  function leave(group: string): void {
    const known = ofGroup.get(group)
    if (known && --known.count === 0) ofGroup.delete(group)
  }

  return {
    queue: task.name,
    wake(lane) {
      for (const it of lane ? [lane] : (Object.keys(lanes) as Lane[])) due.add(it)
      // Of a group that has enough in hand here, others may take more.
      const isAnyFull = Array.from(ofGroup.keys()).some((group) => isFull(group))
      const isFree = !stopped && freeFor(lane ?? 'bulk') !== undefined && !isAnyFull
      void look()
      return isFree
    },
    inHand: () => [...working.values()].flat(),
    isTaking: () => !stopped,
    async stop() {
      stopped = true
      while (working.size > 0) await Promise.all(working.keys())
    },
  }
}

/**
 * How many tasks of one environment a process may work on per lane, so that another environment finds a worker at once:
 * at most half of the bulk workers, with full batches. So this is only for small batches.
 */
function tasksAtOnce({ workers, batchSize }: Options['task']): number | null {
  return batchSize > 1 && batchSize * 2 <= workers.bulk ? workers.bulk : null
}
