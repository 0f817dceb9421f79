import { Type } from 'typebox'
import { defineRoute } from '../../http/define-route.ts'
import { nullable } from '../../lib/schemas.ts'
import { findBridge } from '../../store/bridge/bridges.ts'

const time = Type.String({ format: 'date-time' })

export default defineRoute({
  method: 'GET',
  path: '/v1/bridge',
  summary: 'The bridge of the environment, and whether it answers',
  response: Type.Object(
    {
      bridgeUrl: nullable(Type.String({ description: 'Null: no bridge was told of.' })),
      syncedAt: Type.Optional(time),
      failingSince: Type.Optional(Type.String({ format: 'date-time', description: 'Since then it has not answered.' })),
      failingReason: Type.Optional(Type.String()),
    },
    { title: 'Bridge' },
  ),
  async handler({ db, env }) {
    const bridge = await findBridge(db, env)
    if (!bridge) return { bridgeUrl: null }
    const { url, synced_at: synced, failing_since: since, failing_reason: reason } = bridge
    return {
      bridgeUrl: url,
      syncedAt: synced.toISOString(),
      ...(since && { failingSince: since.toISOString() }),
      ...(reason !== null && { failingReason: reason }),
    }
  },
})
