import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dashboardPart } from '../../scripts/generated/third-party-notices.ts'
import { noticesFile } from './bundle-notices.ts'

/** Checks the build that `npm run test:dashboard` makes before its tests. */
const dist = join(import.meta.dirname, '../dist')
const notices = readFileSync(join(dist, noticesFile), 'utf8')

test('the licences of everything in the bundle are in THIRD_PARTY_NOTICES (npm run generate)', () => {
  expect(dashboardPart(readFileSync(join(import.meta.dirname, '../../THIRD_PARTY_NOTICES'), 'utf8'))).toBe(notices)
  // One package of each kind: scripts, a font, a style sheet, a chart with its own styles, and the helpers of the bundler.
  for (const name of ['react', '@fontsource-variable/geist', 'tailwindcss', 'uplot', 'vite', 'rolldown']) {
    expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'))
  }
})

test('every built script leads to them', () => {
  const scripts = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(50)
  const comment = `/*! Licences: /${noticesFile} */`
  expect(scripts.filter((file) => !readFileSync(join(dist, 'assets', file), 'utf8').includes(comment))).toEqual([])
})
