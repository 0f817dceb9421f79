import type { Host } from './host.ts'
import { prepare, printNewKey } from './prepare.ts'

export async function migrateCommand({ settings, print }: Host): Promise<void> {
  const prepared = await prepare(settings(), print, { migrates: true })
  print('The database is up to date.')
  printNewKey(prepared, print)
  await prepared.close()
}
