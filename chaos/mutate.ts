/**
 * Changes the program's own source while it is loaded: `node --import chaos/mutate.ts src/main.ts api`. Nothing of this
 * stands in the program itself; CHAOS_MUTATION holds the edits as JSON. Each edit that was made is said on stderr, and
 * whoever started the process waits for that line: a mutation that changes nothing would prove nothing.
 */
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type Edit = { file: string; find: string; replace: string }

export const mutatedLine = (file: string) => `chaos: mutated ${file}`

const root = join(import.meta.dirname, '..')
const edits: Edit[] = JSON.parse(process.env.CHAOS_MUTATION ?? '[]')

if (edits.length > 0) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const ours = edits.filter((edit) => url === pathToFileURL(join(root, edit.file)).href)
      if (ours.length === 0) return loaded
      const source = ours.reduce(apply, textOf(loaded.source))
      for (const file of new Set(ours.map((edit) => edit.file))) process.stderr.write(`${mutatedLine(file)}\n`)
      return { ...loaded, source }
    },
  })
}

function apply(source: string, { file, find, replace }: Edit): string {
  const places = source.split(find).length - 1
  if (places !== 1) throw new Error(`chaos: the text to change stands ${places} times in ${file}: ${find}`)
  return source.replace(find, () => replace)
}

function textOf(source: unknown): string {
  if (typeof source === 'string') return source
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return Buffer.from(source as Uint8Array).toString()
  throw new Error('chaos: a source that is no text')
}
