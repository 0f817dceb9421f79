import type { HttpRequest } from '../../src/lib/outbound.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { givenTo, now, sampleFor } from './provider-samples.ts'

/** What a vendor is sent when somebody listens at an address, or nobody does. */
export async function sendWithCallback(provider: Provider, callbackUrl?: string): Promise<HttpRequest> {
  const requests: HttpRequest[] = []
  const unused = async () => ({ kind: 'fault', sent: false, reason: 'this test sends by HTTP' }) as const
  await provider.send?.({
    http: async (request) => {
      requests.push(request)
      return { kind: 'reply', status: 200, headers: {}, text: '', json: undefined }
    },
    smtp: { send: unused, verify: unused, compose: unused },
    cached: (_name, fetch) => fetch(),
    now,
    credentials: givenTo(provider, { baseUrl: 'https://xxxxx.api.infobip.com' }),
    message: sampleFor(provider, undefined),
    mailbox: async () => {},
    ...(callbackUrl !== undefined && { callbackUrl }),
  })
  const [request] = requests
  if (!request) throw new Error(`${provider.id} sent nothing`)
  return request
}
