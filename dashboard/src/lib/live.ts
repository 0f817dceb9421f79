import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PathWith } from '../api/calls.ts'
import { ownEnvironment } from './environment.ts'
import { toSearch } from './to-search.ts'

const streamPath: PathWith<'get'> = '/v1/activity/stream'

/**
 * Listens to the server's "something changed". It carries no data: what is shown is asked again, through the same
 * queries as before. Without `onChange`, every query whose key starts with 'live' is asked again.
 */
export function useLive(onChange?: () => void): { connected: boolean } {
  const queries = useQueryClient()
  const [connected, setConnected] = useState(false)
  const handler = useRef(onChange)
  handler.current = onChange
  useEffect(() => {
    const stream = new EventSource(streamPath + toSearch({ environment: ownEnvironment() }))
    const changed = () => {
      if (handler.current) handler.current()
      else void queries.invalidateQueries({ queryKey: ['live'] })
    }
    stream.addEventListener('open', () => setConnected(true))
    stream.addEventListener('error', () => setConnected(false))
    stream.addEventListener('message', changed)
    return () => stream.close()
  }, [queries])
  return { connected }
}
