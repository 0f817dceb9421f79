import { afterAll, beforeAll } from 'vitest'
import { type HttpReceiver, startHttpReceiver } from '../test/peers/http-receiver.ts'
import { seed } from './seed.ts'
import { answerToHook } from './seed-hooks.ts'
import { useWorld, type World } from './world.ts'

/** The ids of what is looked at. */
export type Seeded = {
  eventId: string
  transactionId: string
  deadEventId: string
  gatewayId: string
  endpointId: string
}

/** A world in which a shop has worked for some weeks; the gateway for its texts does not take our key any more. */
export function useSeededWorld({ isShort = false } = {}): { world: World; seeded: Seeded } {
  let vendor: HttpReceiver
  const seeded: Seeded = { eventId: '', transactionId: '', deadEventId: '', gatewayId: '', endpointId: '' }
  const world = useWorld(async () => {
    vendor = await startHttpReceiver()
    const revoked = { status: 401, json: { error: 'unauthorized', message: 'The API key has been revoked' } }
    vendor.answer = ({ url }) => answerToHook(url) ?? revoked
    return { EGRESS_ALLOWED_RANGES: '127.0.0.0/8', EGRESS_ALLOWED_PORTS: String(vendor.port) }
  })
  beforeAll(async () => {
    const ids = await seed(world, vendor.url, isShort)
    const integrations: { _id: string; providerId: string }[] = await world.api('GET', '/v1/integrations')
    const gateway = integrations.find(({ providerId }) => providerId === 'generic-sms')
    Object.assign(seeded, ids, { gatewayId: gateway?._id })
  }, 90_000)
  afterAll(() => vendor?.close())
  return { world, seeded }
}
