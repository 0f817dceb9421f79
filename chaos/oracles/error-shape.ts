import { errorTable } from '../../src/errors.ts'
import type { Reply } from '../lib/http.ts'
import { at, textAt } from '../lib/json.ts'

/** What is wrong with a refusal as clients parse it; null when nothing is. */
export function errorShapeFault({ status, headers, body, text }: Reply): string | null {
  if (!headers.get('content-type')?.startsWith('application/json')) return `not JSON: ${text}`
  const known = new Map<string, readonly [number, string]>(Object.entries(errorTable))
  const entry = known.get(textAt(body, 'code'))
  if (!entry) return `unknown code in ${text}`
  if (entry[0] !== status || at(body, 'statusCode') !== status) return `status ${status}, but ${text}`
  if (!textAt(body, 'message')) return `no message in ${text}`
  if (typeof at(body, 'path') !== 'string') return `no path in ${text}`
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(textAt(body, 'timestamp'))) return `no timestamp in ${text}`
  // A replay is the first reply to the letter: it names the request that was refused then.
  const isReplay = headers.get('idempotency-replay') === 'true'
  if (!isReplay && textAt(body, 'requestId') !== headers.get('x-request-id'))
    return `requestId is not x-request-id in ${text}`
  if (status === 422 && Object.keys(Object(at(body, 'errors'))).length === 0) return `422 without errors: ${text}`
  return null
}
