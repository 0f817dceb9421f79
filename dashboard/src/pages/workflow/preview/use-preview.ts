import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BodyOf } from '../../../api/calls.ts'
import { api } from '../../../api/client.ts'
import { type ApiFault, toFault } from '../../../api/fault.ts'
import type { StepPreview } from '../../../api/types.ts'
import type { Step } from '../draft.ts'
import { asReader } from './reader.ts'
import type { Sample } from './sample.ts'

/** What is shown: the step, or one of its variants as if it were the step. */
export type Shown = Pick<Step, 'type' | 'active' | 'controlValues' | 'filters' | 'variants'>
export type PreviewRequest = BodyOf<'post', '/v2/workflows/preview'>
export type Preview = {
  preview: StepPreview | undefined
  fault: ApiFault | null
  isFetching: boolean
  request: PreviewRequest
}

/** So many gathered events are shown after a digest. */
export const gathered = 2

/** The step as the server renders it, asked anew a moment after the last change. */
export function usePreview(
  step: Shown,
  { person, locale, payload, fault, isReady }: Sample,
  { afterDigest, workflowId }: { afterDigest: boolean; workflowId: string },
): Preview {
  const { type, active, controlValues, filters, variants } = step
  const wanted: PreviewRequest = {
    workflowId,
    // A step of code has no page that asks this.
    step: { type: type === 'custom' ? 'in_app' : type, active, controlValues, filters, variants },
    ...asReader(person, locale, {
      payload,
      ...(afterDigest && { steps: { events: Array(gathered).fill(payload) } }),
    }),
  }
  const request = useSettled(isReady && !fault ? JSON.stringify(wanted) : '')
  const { data, error, isFetching } = useQuery({
    queryKey: ['step-preview', request],
    queryFn: ({ signal }) => api.post('/v2/workflows/preview', { body: JSON.parse(request), signal }),
    placeholderData: keepPreviousData,
    enabled: request !== '',
    retry: false,
    staleTime: 30_000,
    gcTime: 30_000,
  })
  const fits = data?.result.type === type
  return { preview: fits ? data : undefined, fault: error ? toFault(error) : null, isFetching, request: wanted }
}

const settleMs = 350

/** The value once it rests; the first one at once. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settled === '' ? 0 : settleMs)
    return () => clearTimeout(timer)
  }, [value, settled])
  return settled
}
