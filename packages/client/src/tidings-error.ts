type Details = { status: number; body?: unknown; code?: string; retryAfterMs?: number | undefined; cause?: unknown }

/** The error of a call that was refused or failed. */
export class TidingsError extends Error {
  /** The HTTP status, or 0 if no answer came. Browsers also report 0 for a redirect. */
  readonly status: number
  /** The body of the answer. */
  readonly body: unknown
  /** A stable word for the reason, such as `workflow_not_found`. It is `redirected` if the address redirects. */
  readonly code: string | undefined
  /** The messages about each wrong field (status 422). */
  readonly fields: Record<string, string[]>
  /** The id under which the service logged the request. */
  readonly requestId: string | undefined
  /** How long the service asks you to wait. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, { status, body, code, retryAfterMs, cause }: Details) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'TidingsError'
    this.status = status
    this.body = body
    this.code = code ?? textOf(body, 'code')
    this.requestId = textOf(body, 'requestId')
    this.fields = fieldsOf(body)
    this.retryAfterMs = retryAfterMs
  }
}

function partOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
}

export function textOf(body: unknown, name: string): string | undefined {
  const value = partOf(body, name)
  return typeof value === 'string' ? value : undefined
}

function fieldsOf(body: unknown): Record<string, string[]> {
  const entries = Object.entries(partOf(body, 'errors') ?? {}).map(([field, fault]) => {
    const messages = partOf(fault, 'messages')
    return [field, Array.isArray(messages) ? messages.map(String) : []]
  })
  return Object.fromEntries(entries)
}
