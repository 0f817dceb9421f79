import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secretPlaces } from '../../lib/secret-places.ts'

const src = join(import.meta.dirname, '../..')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
)

test('secrets reseal covers every place that holds sealed texts', () => {
  const passes = readFileSync(join(import.meta.dirname, 'reseal-passes.ts'), 'utf8')
  const places = Object.keys(secretPlaces)
  expect(places.length).toBeGreaterThan(12)
  // The key itself proves this one.
  expect(places.filter((name) => !passes.includes(`secretPlaces.${name}(`))).toEqual(['keyCheck'])
})

test('every text is sealed for a place of that list', () => {
  const calls = files.flatMap((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    return [...text.matchAll(/\.(seal|sealWith|sealAlike)\(\s*([\w.]*)/g)].map(([, how, place]) => ({
      file,
      how,
      place,
    }))
  })
  const seals = calls.filter(({ how }) => how === 'seal')
  expect(seals.length).toBeGreaterThan(12)
  expect(seals.filter(({ place }) => !place?.startsWith('secretPlaces.'))).toEqual([])
  // These two choose the key, and links to unsubscribe are stored nowhere.
  expect(calls.filter(({ how }) => how !== 'seal').map(({ file, how }) => `${how} in ${file}`)).toEqual(
    expect.arrayContaining([
      'sealWith in core/operations/check-encryption-keys.ts',
      'sealWith in core/operations/reseal-passes.ts',
      'sealAlike in core/subscribers/unsubscribe.ts',
    ]),
  )
  expect(calls.length - seals.length).toBe(3)
})
