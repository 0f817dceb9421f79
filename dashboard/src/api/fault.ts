export type FieldErrors = Record<string, { messages: string[]; value?: unknown }>

type FaultBody = { code?: string; message?: string; errors?: FieldErrors; requestId?: string }

/** What a page can say about a request that was not done. */
export class ApiFault extends Error {
  readonly status: number
  readonly code: string
  readonly errors: FieldErrors
  readonly requestId: string | undefined
  /** How long to wait before the next try, where the server says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: FaultBody, retryAfterSeconds?: number) {
    super(body.message ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.code ?? 'unknown'
    this.errors = body.errors ?? {}
    this.requestId = body.requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** What the server says about one field, for the line under it. */
  of(field: string): string | undefined {
    return this.errors[field]?.messages.join(' ')
  }
}

export function toFault(error: unknown): ApiFault {
  if (error instanceof ApiFault) return error
  return new ApiFault(0, { code: 'internal', message: error instanceof Error ? error.message : String(error) })
}
