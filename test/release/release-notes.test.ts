import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const script = join(root, 'scripts/release/release-notes.ts')
const chartFile = 'deploy/chart/Chart.yaml'
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const entry = (number: string, day: string) => `## [${number}] - 2026-03-0${day}\n\n### Upgrading\n\n- Nothing to do.\n`

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-release-'))
  mkdirSync(join(folder, 'packages/client'), { recursive: true })
  mkdirSync(join(folder, 'deploy/chart'), { recursive: true })
  for (const file of ['package.json', 'packages/client/package.json', chartFile])
    cpSync(join(root, file), join(folder, file))
  writeChangelog('- Nothing to do.')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Writes a changelog whose newest version is that of package.json, with this below Upgrading of Unreleased. */
function writeChangelog(unreleased: string): void {
  const text = `# Changelog\n\n## [Unreleased]\n\n### Upgrading\n\n${unreleased}\n\n`
  writeFileSync(join(folder, 'CHANGELOG.md'), `${text}${entry(version, '2')}\n${entry('0.0.1', '1')}`)
}

function run(tag: string): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, [script, tag], { cwd: folder, encoding: 'utf8' })
}

test('the notes of a version are its part of the changelog, without its heading', () => {
  const notes = execFileSync(process.execPath, [script, `v${version}`], { cwd: folder, encoding: 'utf8' })
  expect(notes).toBe('### Upgrading\n\n- Nothing to do.\n')
})

test('a tag that is not the version of the program is refused, with every file that disagrees', () => {
  const { status, stderr } = run('v0.0.1')
  expect(status).toBe(1)
  expect(stderr).toContain(`The tag v0.0.1 is not the version ${version} of package.json.`)
  expect(stderr).toContain(`The tag v0.0.1 is not the version ${version} of packages/client/package.json.`)
  expect(stderr).toContain(`The newest version in CHANGELOG.md is ${version}, not v0.0.1.`)
})

test('a chart of another version is refused', () => {
  expect(run(`v${version}`).status).toBe(0)
  writeFileSync(join(folder, chartFile), `name: tidings\nversion: ${version}\nappVersion: "0.0.1"\n`)
  expect(run(`v${version}`).stderr).toContain('is not the version 0.0.1 of deploy/chart/Chart.yaml (appVersion).')
})

test('a version is refused while entries wait under Unreleased', () => {
  writeChangelog('- Nothing to do.\n\n### Fixed\n\n- A fault.')
  expect(run(`v${version}`)).toMatchObject({ status: 1, stderr: expect.stringContaining('under [Unreleased]') })
  writeChangelog('- Migration 0099.')
  expect(run(`v${version}`)).toMatchObject({ status: 1, stderr: expect.stringContaining('under [Unreleased]') })
})
