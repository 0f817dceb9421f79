import type { FastifyInstance } from 'fastify'

/** True, or false, or in words why not. */
type Check = () => Promise<boolean | string> | boolean | string
export type Checks = Record<string, Check>

/**
 * `live`: the process answers. `ready`: the parts of this process can work and it is not stopping; other processes do
 * not count.
 */
export function addHealth(server: FastifyInstance, checks: Checks, drain = { begun: false }): void {
  server.get('/health/live', async () => ({ status: 'ok' }))
  server.get('/health/ready', async (_request, reply) => {
    if (drain.begun) {
      reply.code(503)
      return { status: 'stopping', checks: {} }
    }
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await answerOf(check)] as const),
    )
    const ready = results.every(([, answer]) => answer === true)
    const reasons = results.filter(([, answer]) => typeof answer === 'string')
    reply.code(ready ? 200 : 503)
    return {
      status: ready ? 'ok' : 'not ready',
      checks: Object.fromEntries(results.map(([name, answer]) => [name, answer === true])),
      ...(reasons.length > 0 && { reasons: Object.fromEntries(reasons) }),
    }
  })
}

// Probes give up after a few seconds; the answer must come before that.
const answerWithinMs = 2_000

async function answerOf(check: Check): Promise<boolean | string> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, answerWithinMs, false).unref())
  return Promise.race([Promise.resolve().then(check), late]).catch(() => false)
}
