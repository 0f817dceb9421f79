import type { Tenant } from '../../lib/http.ts'
import { equipTenant, type MixedLoad, startMixedLoad, untilMore } from './mixed-load.ts'
import type { CellStage } from './stage.ts'
import { type StateWatch, watchStates } from './watch-states.ts'

export type UnderLoad = { tenant: Tenant; load: MixedLoad; watch: StateWatch }

/** An environment in the first cell, watched and in use: so many of its events are acknowledged. */
export async function startUnderLoad(stage: CellStage, acknowledged: number): Promise<UnderLoad> {
  const { world, gatewayUrl } = stage
  const tenant = await stage.tenant('ca')
  await equipTenant(gatewayUrl, tenant, stage.providers)
  const load = startMixedLoad({ url: gatewayUrl, tenant, random: world.random })
  const watch = watchStates(stage, tenant.environmentId)
  await untilMore(load, acknowledged)
  return { tenant, load, watch }
}
