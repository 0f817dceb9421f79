import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Logger } from 'pino'
import type { Places } from './places.ts'

/** The exceptions on disk, so that a gateway starts while the control database is away. */
export type Snapshot = { read(): number; write(): void }

const shape = /^[a-z0-9]{1,16}$/

/** One line for each environment: id, cell, generation. Also for other proxies: it is their map file. */
export function createSnapshot(file: string, places: Places, log: Logger): Snapshot {
  return {
    read() {
      let count = 0
      for (const line of linesOf(file)) {
        const [environmentId = '', cell = '', generation = ''] = line.split(' ')
        if (!/^[0-9a-f-]{36}$/.test(environmentId) || !shape.test(cell) || !/^\d{1,9}$/.test(generation)) continue
        places.move(environmentId, { cell, generation: Number(generation) })
        count++
      }
      return count
    },
    write() {
      try {
        const lines = [...places.exceptions].map(([id, { cell, generation }]) => `${id} ${cell} ${generation}\n`)
        writeWhole(file, lines.join(''))
      } catch (error) {
        log.error({ err: error }, 'the map could not be kept on disk')
      }
    },
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    // There is none before the first move.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Whoever reads it sees the former or the new text, also after a power cut. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  const opened = openSync(draft, 'w', 0o600)
  try {
    writeFileSync(opened, text)
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  renameSync(draft, file)
}
