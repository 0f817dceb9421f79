import type { Config } from '../config.ts'
import { prepare, type Say, sayNewKey } from './prepare.ts'

export async function migrateCommand(config: Config, say: Say): Promise<void> {
  const prepared = await prepare(config, say, { migrates: true })
  say('The database is up to date.')
  sayNewKey(prepared, say)
  await prepared.close()
}
