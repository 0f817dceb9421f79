import type { FastifyInstance } from 'fastify'

type Check = () => Promise<boolean> | boolean

/** `live`: the process answers. `ready`: the parts of this process can work; other processes do not count. */
export function addHealth(server: FastifyInstance, checks: Record<string, Check>): void {
  server.get('/health/live', async () => ({ status: 'ok' }))
  server.get('/health/ready', async (_request, reply) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await passes(check)] as const),
    )
    const ready = results.every(([, ok]) => ok)
    reply.code(ready ? 200 : 503)
    return { status: ready ? 'ok' : 'not ready', checks: Object.fromEntries(results) }
  })
}

// Probes give up after a few seconds; the answer must come before that.
const answerWithinMs = 2_000

async function passes(check: Check): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, answerWithinMs, false).unref())
  return Promise.race([Promise.resolve().then(check), late]).catch(() => false)
}
