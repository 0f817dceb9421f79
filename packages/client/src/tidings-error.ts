type Details = { status: number; body?: unknown; retryAfterMs?: number | undefined; cause?: unknown }

/** A call that was refused or failed. */
export class TidingsError extends Error {
  /** Of HTTP; 0 if no answer came. */
  readonly status: number
  /** What the service said. */
  readonly body: unknown
  /** A stable word for the reason, such as `workflow_not_found`. */
  readonly code: string | undefined
  /** Which fields are wrong, and why (422). */
  readonly fields: Record<string, string[]>
  /** Finds the request in the log of the service. */
  readonly requestId: string | undefined
  /** How long the service asks to wait. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, { status, body, retryAfterMs, cause }: Details) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'TidingsError'
    this.status = status
    this.body = body
    this.code = textOf(body, 'code')
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
