import type { Http } from '../../lib/outbound.ts'
import { type Outcome, readReply } from '../outcome.ts'
import { signWebhook } from './standard-webhooks.ts'
import { withoutUrl } from './without-url.ts'

type Webhook = {
  url: string
  /** The same at every try: a receiver that knows it has the message. */
  id: string
  secret: string | undefined
  content: object
  now: Date
  /** Whose end it is when the endpoint wants no more: this address's, or everybody's. */
  goneIs: 'gone' | 'integration'
}

/** Our own format, signed by Standard Webhooks, of which 410 is a word too; the URL is a secret and stays one. */
export async function postWebhook(http: Http, { url, id, secret, content, now, goneIs }: Webhook): Promise<Outcome> {
  const body = JSON.stringify(content)
  const headers = { 'content-type': 'application/json', ...signWebhook({ id, secret, body, now }) }
  const outcome = readReply(await http({ url, headers, body }), {
    failure: ({ status }) =>
      status === 410 ? { kind: 'rejected', reason: '410 the endpoint is gone', because: goneIs } : undefined,
  })
  return withoutUrl(outcome, url)
}
