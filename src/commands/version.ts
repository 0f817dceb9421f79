import { readMigrations } from '../store/migrate.ts'
import { version } from '../version.ts'
import type { Say } from './prepare.ts'

/** `version`: what runs here. It reads no settings: one asks when they are wrong, too. */
export function versionCommand(say: Say): void {
  say(`Tidings ${version} · schema ${readMigrations().at(-1)?.version} · Node ${process.versions.node}`)
}
