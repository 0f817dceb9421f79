import { addressGuard } from '../../src/egress/address-guard.ts'
import { createHttp } from '../../src/egress/http.ts'
import type { Http, HttpRequest } from '../../src/lib/outbound.ts'
import type { Outcome } from '../../src/providers/outcome.ts'
import type { Provider } from '../../src/providers/provider.ts'
import type { ProviderTools, TokenCache } from '../../src/providers/provider-tools.ts'
import { type Changes, givenTo, sampleFor } from '../providers/provider-samples.ts'

/** The real door to this machine's ports. `origins`: those of vendors whose address is fixed lead there, too. */
export function openDoor(url: string, origins: readonly string[] = []): Http & { close(): Promise<void> } {
  const port = Number(new URL(url).port)
  const http = createHttp(addressGuard({ allowedRanges: ['127.0.0.0/8'], allowedPorts: [port] }))
  const led = (request: HttpRequest) => {
    const origin = origins.find((it) => request.url.startsWith(`${it}/`))
    return http(origin === undefined ? request : { ...request, url: url + request.url.slice(origin.length) })
  }
  return Object.assign(led, { close: http.close })
}

/** What a provider is called with, besides its credentials. */
export function toolsOf(http: Http, over: { cached?: TokenCache; now?: Date } = {}): ProviderTools {
  const never = () => Promise.reject(new Error('no mail'))
  return {
    http,
    smtp: { send: never, verify: never, compose: never },
    cached: over.cached ?? ((_name, fetch) => fetch()),
    now: over.now ?? new Date(),
  }
}

export async function sendBy(
  provider: Provider,
  tools: ProviderTools,
  { credentials, message }: { credentials: object; message: Changes },
): Promise<Outcome> {
  const outcome = await provider.send?.({
    ...tools,
    credentials: givenTo(provider, credentials),
    message: sampleFor(provider, message),
    mailbox: () => Promise.reject(new Error('no mailbox')),
  })
  if (!outcome || Array.isArray(outcome)) throw new Error(`${provider.id} gave no outcome, or several`)
  return outcome
}
