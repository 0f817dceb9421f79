import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** This program's version, as in package.json and the changelog. */
export const version = readVersion()

function readVersion(): string {
  const manifest: { version: string } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
  return manifest.version
}
