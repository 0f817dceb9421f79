export type FieldErrors = Record<string, { messages: string[]; value?: unknown }>

/** What a page can say about a request that was not done. */
export class ApiFault extends Error {
  readonly status: number
  readonly code: string
  readonly errors: FieldErrors
  readonly requestId: string | undefined

  constructor(status: number, body: { code?: string; message?: string; errors?: FieldErrors; requestId?: string }) {
    super(body.message ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.code ?? 'unknown'
    this.errors = body.errors ?? {}
    this.requestId = body.requestId
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
