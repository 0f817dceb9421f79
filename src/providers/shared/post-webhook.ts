import { createPauses } from '../../lib/chunks.ts'
import type { Http } from '../../lib/outbound.ts'
import { type Outcome, readReply } from '../outcome.ts'
import { signWebhook } from './standard-webhooks.ts'
import { withoutUrl } from './without-url.ts'

type Webhook = {
  url: string
  /** The same at every attempt, so that the receiver recognises a repetition. */
  id: string
  secret: string | undefined
  content: object
  now: Date
  /** `gone`: the URL is the recipient's own. `integration`: it is in the credentials. A 410 means that. */
  goneIs: 'gone' | 'integration'
}

/**
 * Our own format, signed as Standard Webhooks asks (410 is also from there). The URL is a secret and is kept out of
 * reasons.
 */
export async function postWebhook(http: Http, { url, id, secret, content, now, goneIs }: Webhook): Promise<Outcome> {
  const pause = createPauses()
  const body = JSON.stringify(content)
  // Writing and signing 20 MB take an eighth of a second each.
  await pause()
  const headers = { 'content-type': 'application/json', ...(await signWebhook({ id, secret, body, now })) }
  const outcome = readReply(await http({ url, headers, body }), {
    ...(goneIs === 'gone' && { ofTarget: true }),
    failure: ({ status }) =>
      status === 410 ? { kind: 'rejected', reason: '410 the endpoint is gone', because: goneIs } : undefined,
  })
  return withoutUrl(outcome, url)
}
