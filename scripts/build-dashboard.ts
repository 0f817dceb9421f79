/**
 * Builds the dashboard beside its place and moves it there whole: a server that starts meanwhile finds either nothing or
 * all of it. `npm start` runs this in the background when there is none.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'vite'
import { isAlive } from '../test/find-postgres.ts'

const root = join(import.meta.dirname, '../dashboard')
const place = join(root, 'dist')
const lock = join(root, '.building')
const draft = join(root, `.dist-${process.pid}`)

// A build for development would be three times as large.
process.env.NODE_ENV = 'production'

if (await isMineToBuild()) {
  try {
    await build({ root, logLevel: 'warn', build: { outDir: draft, emptyOutDir: true } })
    rmSync(place, { recursive: true, force: true })
    renameSync(draft, place)
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(lock, { recursive: true, force: true })
  }
}

/** Of several that start together one builds; the others wait until it is done. A builder that died is followed. */
async function isMineToBuild(): Promise<boolean> {
  for (let waited = false; ; waited = true) {
    try {
      mkdirSync(lock)
      writeFileSync(join(lock, 'pid'), String(process.pid))
      if (!waited || !existsSync(place)) return true
      rmSync(lock, { recursive: true, force: true })
      return false
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    await sleep(500)
    if (!isBuilding()) rmSync(lock, { recursive: true, force: true })
  }
}

function isBuilding(): boolean {
  try {
    return isAlive(Number(readFileSync(join(lock, 'pid'), 'utf8')))
  } catch {
    // Gone, or its owner has not yet written who it is.
    return existsSync(lock)
  }
}
