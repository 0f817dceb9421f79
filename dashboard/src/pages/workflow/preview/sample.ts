import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import type { Activity } from '../../../api/types.ts'
import { type Draft, isObject, type Values } from '../draft.ts'
import { parse, readPayload, samplePayload } from './sample-payload.ts'

/** Whom and what a preview and a test run are made with. Kept for as long as the window is open. */
export type Sample = {
  person: string
  setPerson(subscriberId: string): void
  /** In place of the person's own language; nothing is their own. */
  locale: string
  setLocale(locale: string): void
  text: string
  setText(json: string): void
  payload: Values
  /** Why the text is no payload. */
  fault: string | undefined
  /** False while the last event is being asked for. */
  isReady: boolean
}

type Kept = { person?: string; locale?: string; text?: string }

export function useSample(draft: Draft): Sample {
  const key = `tidings-sample-${draft._id}`
  const [kept, setKept] = useState<Kept>(() => readKept(key))
  const { last, isReady } = useLastEvent(draft._id)
  const keep = (change: Kept) => {
    const next = { ...kept, ...change }
    setKept(next)
    sessionStorage.setItem(key, JSON.stringify(next))
  }
  const text = kept.text ?? JSON.stringify({ ...samplePayload(draft), ...last?.payload }, null, 2)
  const { payload, fault } = readPayload(text)
  return {
    person: kept.person ?? last?.subscriber?.subscriberId ?? '',
    setPerson: (person) => keep({ person }),
    locale: kept.locale ?? '',
    setLocale: (locale) => keep({ locale }),
    text,
    setText: (json) => keep({ text: json }),
    payload,
    fault,
    isReady,
  }
}

function readKept(key: string): Kept {
  const { value } = parse(sessionStorage.getItem(key) ?? '{}')
  return isObject(value) ? (value as Kept) : {}
}

/** What really came last shows more than anything made up. */
function useLastEvent(workflowId: string): { last: Activity | undefined; isReady: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['workflow-last-event', workflowId],
    queryFn: ({ signal }) => api.get('/v1/notifications', { query: { templates: [workflowId], limit: 1 }, signal }),
    refetchOnWindowFocus: false,
  })
  return { last: data?.data[0], isReady: !isPending }
}
