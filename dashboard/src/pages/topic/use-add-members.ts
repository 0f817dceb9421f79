import { useState } from 'react'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'

type Refused = { subscriberId: string; message: string }
export type AddState = {
  status: 'ready' | 'running' | 'done'
  done: number
  total: number
  added: number
  refused: Refused[]
  fault: ApiFault | null
}

// What the server takes in one call.
const mostPerCall = 100

export function useAddMembers(topicKey: string) {
  const [state, setState] = useState<AddState>({
    status: 'ready',
    done: 0,
    total: 0,
    added: 0,
    refused: [],
    fault: null,
  })
  const run = async (ids: readonly string[]) => {
    let now: AddState = { ...state, status: 'running', total: ids.length }
    setState(now)
    while (now.done < ids.length) {
      const subscriptions = ids.slice(now.done, now.done + mostPerCall)
      try {
        const reply = await api.post('/v2/topics/{topicKey}/subscriptions', {
          path: { topicKey },
          body: { subscriptions },
        })
        now = {
          ...now,
          done: now.done + subscriptions.length,
          added: now.added + reply.meta.successful,
          refused: [...now.refused, ...(reply.errors ?? [])],
        }
        setState(now)
      } catch (error) {
        setState({ ...now, status: 'done', fault: toFault(error) })
        return
      }
    }
    setState({ ...now, status: 'done' })
  }
  return { state, run }
}
