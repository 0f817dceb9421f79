import { useEffect, useRef, useState } from 'react'
import { api } from '../../api.ts'
import { toast } from '../../ui/toast.tsx'

export type RedriveFilter = { channel: string | undefined; integrationId: string | undefined }
type Work = { done: number; total: number; running: boolean }
type Reply = { redriven: number; hasMore: boolean }

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

  const run = async (total: number, ask: (done: number) => Promise<Reply>) => {
    stopped.current = false
    let done = 0
    setWork({ done, total, running: true })
    try {
      let more = true
      while (more && !stopped.current) {
        const { redriven, hasMore } = await ask(done)
        done += redriven
        more = hasMore
        setWork({ done, total: Math.max(total, done), running: true })
      }
      setWork({ done, total: Math.max(1, done), running: false })
    } catch (error) {
      toast.fault(error)
      setWork(done > 0 ? { done, total, running: false } : null)
    }
    await onDone()
  }

  const redriveThese = (ids: readonly string[]) => {
    let at = 0
    return run(ids.length, async () => {
      const messageIds = ids.slice(at, at + idsAtOnce)
      at += idsAtOnce
      const { redriven } = await api.post<Reply>('/v1/dead-letters/redrive', { messageIds })
      return { redriven, hasMore: at < ids.length }
    })
  }
  const redriveAll = (filter: RedriveFilter, total: number) =>
    run(total, () => api.post<Reply>('/v1/dead-letters/redrive', { all: true, ...filter }))
  return { work, redriveThese, redriveAll, stop, dismiss: () => setWork(null) }
}
