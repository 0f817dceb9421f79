import { readMigrations } from '../store/migrate.ts'
import { version } from '../version.ts'
import type { Output } from './host.ts'

/** Prints what runs here. It reads no settings, because people also ask when the settings are wrong. */
export function versionCommand(print: Output): void {
  print(`Tidings ${version} · schema ${readMigrations().at(-1)?.version} · Node ${process.versions.node}`)
}
