import type { InboundCall } from '../inbound.ts'
import { sameText } from '../shared/same-text.ts'

/** Of vendors that sign nothing: the address they were given ends in `?key=…`, and nobody else knows it. */
export function hasKeyInUrl({ url, signingKey }: Pick<InboundCall, 'url' | 'signingKey'>): boolean {
  const given = URL.parse(url)?.searchParams.get('key') ?? ''
  return signingKey !== '' && sameText(given, signingKey)
}

export const urlKey = {
  label: 'Key in the address',
  help: 'Any long random text; it becomes a part of the callback address.',
}
