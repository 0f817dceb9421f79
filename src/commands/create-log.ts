import { type Logger, pino } from 'pino'

/** The log of a process: lines of JSON on standard output. */
export function createLog({ logLevel }: { logLevel: string }): Logger {
  return pino({ level: logLevel, base: { pid: process.pid }, serializers: { err: toLoggedError } })
}

/** Keeps only these fields, because an error of PostgreSQL also carries the row that it refused. */
function toLoggedError(error: unknown) {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const code = 'code' in error ? String(error.code) : undefined
  return { type: error.name, code, message: error.message.slice(0, 300), stack: error.stack?.slice(0, 3000) }
}
