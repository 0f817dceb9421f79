import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import type { Activity } from '../../api-types.ts'
import { type Draft, isObject, type Values } from './draft.ts'

/** Whom and what a preview and a test run are made with. Kept for as long as the window is open. */
export type Sample = {
  person: string
  setPerson(subscriberId: string): void
  text: string
  setText(json: string): void
  payload: Values
  /** Why the text is no payload. */
  fault: string | undefined
  /** False while the last event is being asked for. */
  isReady: boolean
}

type Kept = { person?: string; text?: string }

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
    queryFn: ({ signal }) =>
      api.get<{ data: Activity[] }>('/v1/notifications', { templates: workflowId, limit: 1 }, signal),
    refetchOnWindowFocus: false,
  })
  return { last: data?.data[0], isReady: !isPending }
}

export function parse(text: string): { value?: unknown; fault?: string } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { fault: `This is not JSON: ${error instanceof Error ? error.message : 'unreadable'}` }
  }
}

function readPayload(text: string): { payload: Values; fault: string | undefined } {
  const { value, fault } = parse(text.trim() || '{}')
  if (isObject(value)) return { payload: value, fault: undefined }
  return { payload: {}, fault: fault ?? 'A payload is an object: { … }' }
}

/** Every name that the templates use and the schema has, each with something to look at. */
function samplePayload(draft: Draft): Values {
  const used: Values = {}
  for (const [, path = ''] of JSON.stringify(draft.steps).matchAll(/payload((?:\.[A-Za-z_]\w*)+)/g)) {
    fill(used, path.slice(1).split('.'))
  }
  const known = isObject(draft.payloadSchema) ? exampleOf(draft.payloadSchema, '') : {}
  return { ...used, ...(isObject(known) ? known : {}) }
}

function fill(into: Values, [name = '', ...rest]: string[]): void {
  const present = into[name]
  if (rest.length === 0) into[name] ??= name
  else {
    const inner = isObject(present) ? present : {}
    into[name] = inner
    fill(inner, rest)
  }
}

function exampleOf(schema: Values, name: string, depth = 0): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const { properties, type } = schema
  if (isObject(properties) && depth < 6) {
    return Object.fromEntries(
      Object.entries(properties).map(([key, inner]) => [key, isObject(inner) ? exampleOf(inner, key, depth + 1) : key]),
    )
  }
  if (type === 'object') return {}
  if (type === 'array') return isObject(schema.items) && depth < 6 ? [exampleOf(schema.items, name, depth + 1)] : []
  if (type === 'number' || type === 'integer') return 1
  return type === 'boolean' ? true : name
}
