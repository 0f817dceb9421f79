import { fastify } from 'fastify'
import type { Config } from '../config.ts'

export type HeldPort = { release(): Promise<void> }

/**
 * Takes the port before anything is made, and keeps it until the server takes it over: a start that could never serve
 * makes no database and no key. Who asks meanwhile, also a probe of readiness, is told to come again. Port 0 is any free
 * one, so there is nothing to hold.
 */
export async function holdPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<HeldPort> {
  if (port === 0) return { async release() {} }
  const holder = fastify({ forceCloseConnections: true })
  holder.setNotFoundHandler((_request, reply) => {
    reply.code(503).headers({ 'retry-after': '1', connection: 'close' })
    return { statusCode: 503, message: 'Tidings is starting; try again in a second.' }
  })
  try {
    await holder.listen({ host, port })
  } catch (error) {
    throw new Error(whyNot(error, host, port))
  }
  return { release: () => holder.close() }
}

function whyNot(error: unknown, host: string, port: number): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const next = port < 65_535 ? port + 1 : port - 1
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} is in use, perhaps by another Tidings. Stop that one, or take another port: PORT=${next} npm start`,
    EACCES: `This user may not listen on port ${port}. Take one above 1023: PORT=3000 npm start`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, or to 0.0.0.0 for all of them.`,
    ENOTFOUND: `HOST is "${host}", which cannot be resolved. Set it to an address of this machine, or to 0.0.0.0 for all of them.`,
  }
  return sentences[code] ?? `Cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : error}`
}
