import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Area } from '../chaos/lib/area.ts'
import { shortenings } from '../chaos/lib/short-budgets.ts'
import type { Edit } from '../chaos/mutate.ts'
import { mutations as soakMutations } from '../chaos/soak/mutations.ts'

/** The fault proofs break the program by replacing source text: each text to replace must exist exactly once. */
const root = join(import.meta.dirname, '..')
const files = readdirSync(join(root, 'chaos/areas'))
const areas = await Promise.all(
  files.map(async (file): Promise<Area[]> => Object.values(await import(join(root, 'chaos/areas', file)))),
)

const placesOf = ({ file, find }: Edit) => readFileSync(join(root, file), 'utf8').split(find).length - 1

describe.each(areas.flat())('chaos/areas/$name', ({ mutations }) => {
  test.each(mutations.filter(({ edits }) => edits.length > 0))(
    '$name: every text to change stands once',
    ({ edits }) => {
      expect(edits.map((edit) => [edit.file, placesOf(edit)])).toEqual(edits.map(({ file }) => [file, 1]))
    },
  )
})

test('what shortens the tries finds its places too', () => {
  expect(shortenings.map(placesOf)).toEqual(shortenings.map(() => 1))
})

test.each(Object.entries(soakMutations))('chaos/soak, %s: every text to change stands once', (_name, edits) => {
  expect(edits.map((edit: Edit) => [edit.file, placesOf(edit)])).toEqual(edits.map(({ file }) => [file, 1]))
})
