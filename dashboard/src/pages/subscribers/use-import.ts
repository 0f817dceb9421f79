import { useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { Entry } from './read-people.ts'

export type Failed = { subscriberId?: string; message: string }
export type ImportState = {
  status: 'ready' | 'running' | 'stopped' | 'done'
  done: number
  total: number
  created: number
  updated: number
  failed: Failed[]
  fault: ApiFault | null
}

const nothing = { done: 0, total: 0, created: 0, updated: 0, failed: [], fault: null }
// What the server takes in one call, and well under the size of a body it reads.
const mostPerCall = 500
const mostBytes = 500_000

/** The next part of the list that fits into one call; always at least one entry. */
export function nextPart(entries: readonly Entry[], from: number): Entry[] {
  const part: Entry[] = []
  let size = 0
  for (const entry of entries.slice(from, from + mostPerCall)) {
    size += JSON.stringify(entry).length
    if (part.length > 0 && size > mostBytes) break
    part.push(entry)
  }
  return part
}

/** Sends the list part by part. It can be stopped, and goes on where it stopped; a part sent twice does no harm. */
export function useImport() {
  const [state, setState] = useState<ImportState>({ status: 'ready', ...nothing })
  const wanted = useRef(false)
  const run = async (entries: readonly Entry[]) => {
    wanted.current = true
    const send = (subscribers: Entry[]) => api.post('/v1/subscribers/bulk', { body: { subscribers } })
    await importAll(entries, state, { send, isWanted: () => wanted.current, onState: setState })
  }
  return {
    state,
    run,
    stop: () => {
      wanted.current = false
    },
  }
}

type Part = { created: unknown[]; updated: unknown[]; failed: Failed[] }
type Import = { send(entries: Entry[]): Promise<Part>; isWanted(): boolean; onState(state: ImportState): void }

/** From where `state` says, part by part, until it is done, unwanted, or a part fails. */
export async function importAll(entries: readonly Entry[], state: ImportState, { send, isWanted, onState }: Import) {
  let now: ImportState = { ...state, status: 'running', total: entries.length, fault: null }
  onState(now)
  while (isWanted() && now.done < entries.length) {
    const part = nextPart(entries, now.done)
    try {
      const { created, updated, failed } = await send(part)
      now = {
        ...now,
        done: now.done + part.length,
        created: now.created + created.length,
        updated: now.updated + updated.length,
        failed: [...now.failed, ...failed],
      }
      onState(now)
    } catch (error) {
      return onState({ ...now, status: 'stopped', fault: toFault(error) })
    }
  }
  onState({ ...now, status: now.done < entries.length ? 'stopped' : 'done' })
}
