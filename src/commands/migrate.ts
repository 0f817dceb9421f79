import type { Config } from '../config.ts'
import { prepare, type Say } from './prepare.ts'

export async function migrateCommand(config: Config, say: Say): Promise<void> {
  const { newKey, close } = await prepare(config, say)
  say('The database is up to date.')
  if (newKey) say(`API key of the first environment, shown this once: ${newKey}`)
  await close()
}
