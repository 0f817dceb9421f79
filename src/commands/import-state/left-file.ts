import { appendFileSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** One line for each thing that was left out, or that differs: nothing is dropped in silence, and no memory holds them. */
export type LeftFile = {
  readonly file: string
  readonly bytes: number
  add(entry: { kind: string; name: string; field?: string; why: string }): void
  flush(): void
}

export function openLeftFile(file: string, keepBytes: number): LeftFile {
  mkdirSync(dirname(file), { recursive: true })
  if (keepBytes > 0 && existsSync(file)) truncateSync(file, keepBytes)
  else writeFileSync(file, '')
  let bytes = keepBytes
  let lines = ''
  return {
    file,
    get bytes() {
      return bytes
    },
    add(entry) {
      lines += `${JSON.stringify(entry)}\n`
    },
    flush() {
      if (lines === '') return
      appendFileSync(file, lines)
      bytes += Buffer.byteLength(lines)
      lines = ''
    },
  }
}
