import type { ServerResponse } from 'node:http'

/** What the gateway says by itself. Everything else is said by cells. */
export const gatewayErrors = {
  malformed_request: [400, 'The request could not be read.'],
  route_not_found: [404, 'There is no such route; /openapi.json lists them all.'],
  metrics_private: [403, 'Without METRICS_TOKEN this answers only loopback and private addresses.'],
  unauthorized: [401, 'Send METRICS_TOKEN as "Authorization: Bearer <token>".'],
  request_timeout: [408, 'The request took too long to arrive; send it again.'],
  headers_too_large: [431, 'The path and headers are larger than this service reads.'],
  no_answer: [
    502,
    'The service took the request and did not answer. It may have done it: send it again with the same transactionId or idempotency-key.',
  ],
  cell_unavailable: [
    503,
    'The part of the service that this belongs to cannot be reached; nothing was done, send it again.',
  ],
  cell_busy: [503, 'The part of the service that this belongs to has too much to do; nothing was done, send it again.'],
  environment_held: [503, 'This environment is being moved; nothing was done, send it again.'],
  place_unknown: [503, 'It cannot be found out just now whose this is; nothing was done, send it again.'],
  gateway_loop: [508, 'A gateway was sent to a gateway: CELLS must name cells.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type GatewayError = keyof typeof gatewayErrors

const retryAfterSeconds = '1'
export const jsonType = 'application/json; charset=utf-8'

type About = { id: string; path: string }

export function refuse(response: ServerResponse, code: GatewayError, about: About): void {
  if (response.headersSent || response.destroyed) return
  const text = errorText(code, about)
  response.writeHead(gatewayErrors[code][0], {
    ...errorHeaders(code, about),
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** The same on a connection without a response object. */
export function refusalText(code: GatewayError, about: About): string {
  const text = errorText(code, about)
  const headers = { ...errorHeaders(code, about), 'content-length': Buffer.byteLength(text), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${gatewayErrors[code][0]} ${code}\r\n${lines.join('')}\r\n${text}`
}

/** In the shape of the cells' own. */
function errorText(code: GatewayError, { id, path }: About): string {
  const [statusCode, message] = gatewayErrors[code]
  return JSON.stringify({ statusCode, code, message, path, timestamp: new Date().toISOString(), requestId: id })
}

function errorHeaders(code: GatewayError, { id, path }: About): Record<string, string> {
  const [status] = gatewayErrors[code]
  return {
    'content-type': jsonType,
    'x-request-id': id,
    ...((status === 502 || status === 503) && { 'retry-after': retryAfterSeconds }),
    // Pages of any origin call the inbox, and must be able to read why not.
    ...(path.startsWith('/v1/inbox/') && {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after, x-request-id',
    }),
  }
}
