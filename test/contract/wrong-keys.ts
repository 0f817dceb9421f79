import { newApiKey } from '../../src/lib/api-key.ts'
import type { Client } from '../harness.ts'

/** Headers without a key, with a malformed, a wrong and a misplaced one. */
export function wrongKeys({ key }: Client): Record<string, string>[] {
  const otherSecret = newApiKey('c1', new Date()).text.slice(-51)
  return [
    {},
    { authorization: 'ApiKey ' },
    { authorization: `ApiKey ${key.slice(0, -1)}` },
    { authorization: `ApiKey ${key.slice(0, -51)}${otherSecret}` },
    { authorization: `ApiKey ${newApiKey('c1', new Date()).text}` },
    { authorization: `Bearer ${key}` },
    { authorization: `apikey ${key}` },
    { authorization: key },
    { 'x-api-key': key },
  ]
}
