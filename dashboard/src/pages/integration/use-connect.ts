import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { ChannelConnection, Integration } from '../../api/types.ts'
import { useReturn } from '../../lib/use-return.ts'
import { hasNews, type Wish, wishBody } from './connection-words.ts'

/** Somebody agrees in another tab, and the list here shows it. */
const everyMs = 3_000

/** Sends somebody to the vendor, and looks for what came of it. */
export function useConnect(integration: Integration, connections: readonly ChannelConnection[]) {
  const queries = useQueryClient()
  const [waiting, setWaiting] = useState<{ url: string; before: readonly ChannelConnection[] } | null>(null)
  const ask = useMutation({
    mutationFn: (wish: Wish) =>
      api.post('/v1/integrations/channel-connections/oauth', { body: wishBody(integration.identifier, wish) }),
  })
  const lookAgain = () => void queries.invalidateQueries({ queryKey: ['connections'] })
  const start = async (wish: Wish) => {
    const tab = openTab()
    try {
      const { url } = await ask.mutateAsync(wish)
      setWaiting({ url, before: connections })
      if (isWebAddress(url)) tab?.location.replace(url)
    } catch {
      // Shown by `fault`.
      setWaiting(null)
      tab?.close()
    }
  }
  const isDone = waiting !== null && hasNews(waiting.before, connections)
  useEffect(() => {
    if (isDone) setWaiting(null)
  }, [isDone])
  const isWaiting = waiting !== null
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => void queries.invalidateQueries({ queryKey: ['connections'] }), everyMs)
    return () => clearInterval(timer)
  }, [isWaiting, queries])
  useReturn(lookAgain)
  const fault = ask.error && toFault(ask.error)
  return { start, isPending: ask.isPending, fault, url: waiting?.url ?? null, onDone: () => setWaiting(null) }
}

/**
 * Opened while the click still counts: browsers open none for an answer that comes later. The vendor's page must not
 * reach back to this one. Null where even that is blocked: the address is shown in any case.
 */
function openTab(): Window | null {
  const tab = window.open('about:blank', '_blank')
  if (tab) tab.opener = null
  return tab
}

const isWebAddress = (url: string) => /^https?:\/\//i.test(url)
