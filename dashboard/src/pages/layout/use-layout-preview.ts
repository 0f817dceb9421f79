import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BodyOf } from '../../api/calls.ts'
import { api } from '../../api/client.ts'
import { type ApiFault, toFault } from '../../api/fault.ts'
import type { LayoutPreview } from '../../api/types.ts'
import { asReader } from '../workflow/preview/reader.ts'
import { useSettled } from '../workflow/preview/use-preview.ts'
import type { LayoutDraft } from './draft.ts'

type Request = BodyOf<'post', '/v2/layouts/{layoutId}/preview'>

export type LayoutPreviewState = {
  result: LayoutPreview['result'] | undefined
  fault: ApiFault | null
  isFetching: boolean
  person: string
  setPerson(subscriberId: string): void
  /** Nothing: the person's own. */
  locale: string
  setLocale(locale: string): void
}

/** The layout as the server renders it around a sample, asked anew a moment after the last change. */
export function useLayoutPreview(layoutId: string, { body, editorType }: LayoutDraft): LayoutPreviewState {
  const [person, setPerson] = useState('')
  const [locale, setLocale] = useState('')
  const wanted: Request = { controlValues: { email: { body, editorType } }, ...asReader(person, locale, {}) }
  const request = useSettled(JSON.stringify(wanted))
  const { data, error, isFetching } = useQuery({
    queryKey: ['layout-preview', layoutId, request],
    queryFn: ({ signal }) =>
      api.post('/v2/layouts/{layoutId}/preview', { path: { layoutId }, body: JSON.parse(request), signal }),
    placeholderData: keepPreviousData,
    retry: false,
    // Another layout, language or word may have been saved on the way here.
    staleTime: 0,
    gcTime: 30_000,
  })
  const fault = error ? toFault(error) : null
  return { result: data?.result, fault, isFetching, person, setPerson, locale, setLocale }
}
