import { expect, test } from 'vitest'
import { freeSlug } from './free-slug.ts'

test.each([
  ['SendGrid EU', [], 'sendgrid-eu'],
  ['SendGrid EU', ['sendgrid-eu', 'sendgrid-eu-2'], 'sendgrid-eu-3'],
  ['  Größe & Änderung!  ', [], 'gro-e-anderung'],
  ['Éclair ﬁn', [], 'eclair-fin'],
  ['日本', [], 'step'],
  ['', ['step'], 'step-2'],
  ['a'.repeat(300), [], 'a'.repeat(90)],
  [`${'a'.repeat(89)} b`, [], 'a'.repeat(89)],
])('%j, where %j are taken', (name, taken, slug) => {
  expect(freeSlug(name, 'step', new Set(taken))).toBe(slug)
})
