import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changelogFaults, listMigrations, parseChangelog } from '../../scripts/release/changelog.ts'

const root = join(import.meta.dirname, '../..')
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')

const right = `# Changelog

## [Unreleased]

### Upgrading

- Nothing to do.

## [0.10.0] - 2026-03-02

### Upgrading

- Migrations 0002 to 0004 and 0006.

### Fixed

- A fault.

## [0.9.0] - 2026-03-01

### Upgrading

- Migration 0001.
`

describe('CHANGELOG.md', () => {
  test('has the form of Keep a Changelog, and begins with the version of the program', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(changelogFaults(changelog, version)).toEqual([])
    expect(parseChangelog(changelog).length).toBeGreaterThan(18)
  })

  test('names every migration once, in the version that brings it', () => {
    const files = readdirSync(join(root, 'migrations')).map((name) => name.slice(0, 4))
    const named = parseChangelog(changelog).flatMap(listMigrations)
    expect(files.length).toBeGreaterThan(40)
    expect(files.filter((number) => !named.includes(number))).toEqual([])
    expect(named).toHaveLength(new Set(named).size)
  })
})

describe('the form of a changelog', () => {
  test('right', () => expect(changelogFaults(right, '0.10.0')).toEqual([]))

  test.each([
    ['a version without an entry', '# Changelog', '# Changelog', '0.11.0', 'The newest version is not 0.11.0'],
    ['an unknown heading', '### Fixed', '### Mended', '0.10.0', '0.10.0 has the heading "Mended"'],
    [
      'a heading before Upgrading',
      '### Upgrading\n\n- Migration 0001.',
      '### Added\n\n- A.',
      '0.10.0',
      '0.9.0 does not',
    ],
    ['headings in another order', '- A fault.', '- A.\n\n### Added\n\n- B.', '0.10.0', '0.10.0 mixes up its headings'],
    ['a heading twice', '- A fault.', '- A.\n\n### Fixed\n\n- B.', '0.10.0', '0.10.0 has a heading twice'],
    ['text above the headings', '- 2026-03-01\n', '- 2026-03-01\n\nWords.\n', '0.10.0', '0.9.0 has text above'],
    ['a line that is no sentence', '- A fault.', '- A fault', '0.10.0', '0.10.0, Fixed: every line must be'],
    ['an empty heading', '- A fault.', '', '0.10.0', '0.10.0, Fixed: every line must be'],
    ['a day that does not exist', '2026-03-01', '2026-13-01', '0.10.0', '0.9.0 has the date "2026-13-01"'],
    ['a date in words', '2026-03-01', 'March 2026', '0.10.0', '0.9.0 has the date "March 2026"'],
    [
      'a title instead of a version',
      '## [0.9.0] - 2026-03-01',
      '## [Moving] - 2026-03-01',
      '0.10.0',
      '"Moving" is not',
    ],
    ['versions that ascend', '## [0.9.0]', '## [0.11.0]', '0.10.0', '0.10.0 is above 0.11.0'],
    ['no place for what comes', '## [Unreleased]', '## [0.11.0] - 2026-03-03', '0.11.0', 'The first entry is not'],
  ])('%s is found', (_what, before, after, version, fault) => {
    expect(right).toContain(before)
    expect(changelogFaults(right.replace(before, after), version)).toEqual([expect.stringContaining(fault)])
  })

  test('migrations are read one by one and as ranges', () => {
    expect(parseChangelog(right).map(listMigrations)).toEqual([[], ['0002', '0003', '0004', '0006'], ['0001']])
  })
})
