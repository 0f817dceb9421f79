import { chunks } from '../../lib/chunks.ts'

// Of the whole process, as stored. A provider's request holds a file several times over (as it is, as base64, in its
// body): 10 MB of files cost some 70 MB while they are sent.
const mostBytes = 16 * 1024 * 1024
// Whoever waits holds a worker. After this long the message waits in the database instead.
const waitMs = 5_000

type Waiting = { bytes: number; begin: (taken: boolean) => void }

let inHand = 0
const waiting: Waiting[] = []

/** Runs `send` while these bytes of files may be in memory, in order of arrival. False: not now, there is no room. */
export async function withRoomForFiles(bytes: number, send: () => Promise<void>): Promise<boolean> {
  if (!(await takeRoom(bytes))) return false
  try {
    await send()
  } finally {
    inHand -= bytes
    letNextBegin()
  }
  return true
}

function takeRoom(bytes: number): Promise<boolean> {
  return new Promise((resolve) => {
    const one: Waiting = {
      bytes,
      begin(taken) {
        clearTimeout(timer)
        waiting.splice(waiting.indexOf(one), 1)
        if (taken) inHand += bytes
        resolve(taken)
      },
    }
    const timer = setTimeout(() => one.begin(false), waitMs)
    waiting.push(one)
    letNextBegin()
  })
}

/** What is larger than all the room goes alone. */
function letNextBegin(): void {
  for (let next = waiting[0]; next && (inHand === 0 || inHand + next.bytes <= mostBytes); next = waiting[0]) {
    next.begin(true)
  }
}

/** Messages with the same files, as many together as there is room for. */
export function groupsThatFit<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
  eventOf: (item: T) => string,
): T[][] {
  return [...Map.groupBy(items, eventOf).values()].flatMap((ofEvent) => {
    const [first] = ofEvent
    return first !== undefined ? chunks(ofEvent, Math.max(1, Math.floor(mostBytes / bytesOf(first)))) : []
  })
}
