import type { Config } from '../config.ts'
import { countConservation } from '../store/history/conservation.ts'
import { prepare, type Say } from './prepare.ts'

/** `conserve`: nothing lost and nothing doubled, counted per environment. Exits 1 where it does not add up. */
export async function conserveCommand(config: Config, say: Say): Promise<void> {
  const { ctx, close } = await prepare(config, () => {})
  try {
    for (const it of await countConservation(ctx.database.db)) {
      const ok = it.steps === it.jobs
      say(
        `${it.environmentId}  events ${it.events} (${it.waiting} waiting)  notifications ${it.notifications}  steps ${it.steps}  jobs ${it.jobs}  messages ${it.messages}  quarantined ${it.quarantined}  ${ok ? 'ok' : 'DOES NOT ADD UP'}`,
      )
      if (!ok) process.exitCode = 1
    }
  } finally {
    await close()
  }
}
