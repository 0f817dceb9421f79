import { useEffect, useRef, useState } from 'react'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import type { Channel } from '../../lib/channels.ts'
import { toast } from '../../ui/toast.tsx'

export type RedriveFilter = { channel: Channel | undefined; integrationId: string | undefined }
export type Work = { done: number; total: number; running: boolean }
type Part = { redriven: number; hasMore: boolean }
type Ask = () => Promise<Part>

/** Most ids of one request. Fewer than the server takes, so that the bar moves. */
const idsAtOnce = 200

/** One request after another, with what is done so far. Stop ends it after the request that is under way. */
export function useRedrive(onDone: () => Promise<void>) {
  const [work, setWork] = useState<Work | null>(null)
  const stopped = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: who leaves the page stops it
  useEffect(() => () => stop(), [])
  const stop = () => {
    stopped.current = true
  }

  const run = async (total: number, ask: Ask) => {
    stopped.current = false
    const fault = await redriveAll(total, ask, { isStopped: () => stopped.current, onWork: setWork })
    if (fault) toast.fault(fault)
    await onDone()
  }

  return {
    work,
    stop,
    dismiss: () => setWork(null),
    redriveThese: (ids: readonly string[]) => run(ids.length, inParts(ids, post)),
    redriveFiltered: (filter: RedriveFilter, total: number) => run(total, () => post({ all: true, ...filter })),
  }
}

const post = (body: BodyOf<'post', '/v1/dead-letters/redrive'>) => api.post('/v1/dead-letters/redrive', { body })

/** So many ids with each request. */
export function inParts(ids: readonly string[], send: (body: { messageIds: string[] }) => Promise<Part>): Ask {
  let at = 0
  return async () => {
    const messageIds = ids.slice(at, at + idsAtOnce)
    at += idsAtOnce
    const { redriven } = await send({ messageIds })
    return { redriven, hasMore: at < ids.length }
  }
}

type Progress = { isStopped(): boolean; onWork(work: Work | null): void }

/** Asks until nothing is left. Gives the fault that ended it; what was done until then stays in sight. */
export async function redriveAll(total: number, ask: Ask, { isStopped, onWork }: Progress): Promise<unknown> {
  let done = 0
  onWork({ done, total, running: true })
  try {
    let more = true
    while (more && !isStopped()) {
      const { redriven, hasMore } = await ask()
      done += redriven
      more = hasMore
      onWork({ done, total: Math.max(total, done), running: true })
    }
    onWork({ done, total: Math.max(1, done), running: false })
    return null
  } catch (error) {
    onWork(done > 0 ? { done, total, running: false } : null)
    return error
  }
}
