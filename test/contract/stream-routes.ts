import { expect, test } from 'vitest'
import type { StreamRoute } from '../../src/http/define-stream.ts'
import type { Fixture } from '../fixture-makers.ts'
import type { Harness } from '../harness.ts'
import { grantContract } from './grants.ts'
import type { Strangers } from './strangers.ts'
import { wrongKeys } from './wrong-keys.ts'

type Subject = { route: StreamRoute; fixture: Fixture; strangers: Strangers }

/** Routes that answer a key with a stream. Their own tests check its content. */
export function streamContract(h: Harness, { route, fixture, strangers }: Subject): void {
  test('succeeds as its fixture says', async () => {
    const env = await h.environment()
    const { path } = await fixture.arrange(env, h.environment)
    const stop = new AbortController()
    const headers = { authorization: `ApiKey ${env.key}` }
    const reply = await fetch(h.url + path, { method: route.method, headers, signal: stop.signal })
    expect(reply.status).toBe(route.status)
    expect(reply.headers.get('content-type')).toBe(route.of)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    stop.abort()
  })

  grantContract(h, { route, strangers }, async () => {
    const env = await h.environment()
    return { env, ...(await fixture.arrange(env, h.environment)) }
  })

  test('401 without a key, with a malformed, a wrong, a misplaced and a revoked one', async () => {
    const env = await h.environment()
    const { path } = await fixture.arrange(env, h.environment)
    for (const headers of wrongKeys(env)) {
      const reply = await h.send(route.method, path, { headers, key: null })
      expect(reply.status, JSON.stringify(headers)).toBe(401)
    }
    expect((await (await strangers.revoked()).send(route.method, path)).status).toBe(401)
  })
}
