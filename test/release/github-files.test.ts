import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '../..')
const readYaml = (file: string) => parse(readFileSync(join(root, file), 'utf8'))

test('Dependabot looks where there is something to update, and at every example with a lock file', () => {
  type Update = { 'package-ecosystem': string; directory?: string; directories?: string[] }
  const updates: Update[] = readYaml('.github/dependabot.yml').updates
  const patterns: Record<string, RegExp> = {
    npm: /^package-lock\.json$/,
    docker: /dockerfile/i,
    'docker-compose': /^compose\.yaml$/,
    'github-actions': /^\.github$/,
  }
  const places = updates.flatMap(({ 'package-ecosystem': ecosystem, directory, directories = [] }) =>
    [...directories, ...(directory === undefined ? [] : [directory])].map((folder) => ({ ecosystem, folder })),
  )
  expect(places.length).toBeGreaterThan(4)
  const empty = places.filter(
    ({ ecosystem, folder }) => !readdirSync(join(root, folder)).some((name) => patterns[ecosystem]?.test(name)),
  )
  expect(empty).toEqual([])
  const examples = readdirSync(join(root, 'examples')).filter((name) =>
    existsSync(join(root, 'examples', name, 'package-lock.json')),
  )
  expect(examples.length).toBeGreaterThan(1)
  expect(places.map(({ folder }) => folder)).toEqual(
    expect.arrayContaining(examples.map((name) => `/examples/${name}`)),
  )
})

test('every question of an issue form has a name of its own', () => {
  const folder = '.github/ISSUE_TEMPLATE'
  const forms = readdirSync(join(root, folder)).filter((name) => name !== 'config.yml')
  expect(forms.length).toBe(2)
  for (const name of forms) {
    const form: { body: { type: string; id?: string }[] } = readYaml(join(folder, name))
    const questions = form.body.filter(({ type }) => type !== 'markdown').map(({ id }) => id)
    expect(questions).not.toContain(undefined)
    expect(new Set(questions).size).toBe(questions.length)
  }
})

test('the release builds on the pinned base image', () => {
  const release = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
  const [, file = ''] = /awk '\$1 == "FROM" { print \$2 }' (\S+)\)/.exec(release) ?? []
  expect(existsSync(join(root, file))).toBe(true)
  expect(readFileSync(join(root, file), 'utf8')).toMatch(/^FROM node:\S+-slim@sha256:[0-9a-f]{64}$/m)
})
