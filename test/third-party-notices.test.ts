import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { packageNotices } from '../dashboard/scripts/package-notices.ts'
import { dashboardPart, serverPackages, thirdPartyNotices } from '../scripts/generated/third-party-notices.ts'

const root = join(import.meta.dirname, '..')
const written = readFileSync(join(root, 'THIRD_PARTY_NOTICES'), 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'tidings-notices-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a package with these files and returns its folder. */
function packageWith(manifest: object, files: Record<string, string>): string {
  const place = mkdtempSync(join(folder, 'package-'))
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'some-package', version: '1.2.3', ...manifest }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text)
  return place
}

test('THIRD_PARTY_NOTICES has the installed packages of the server, and what it said about the dashboard', () => {
  expect(serverPackages().length).toBeGreaterThan(90)
  expect(thirdPartyNotices(dashboardPart(written))).toBe(written)
})

// dashboard/scripts/bundle-notices.test.ts checks after a build that the bundle has no other packages.
test('the part about the dashboard names the installed versions, with their texts', () => {
  const named = dashboardPart(written).matchAll(/^((?:@[\w.-]+\/)?[\w.-]+) \d+\.\d+\.\d+\S*, /gm)
  const folders = [...named].map(([, name]) => join(root, 'node_modules', name ?? ''))
  expect(folders.length).toBeGreaterThan(30)
  expect(packageNotices(folders)).toBe(dashboardPart(written))
})

test('the client package contains only our own code', () => {
  const client = JSON.parse(readFileSync(join(root, 'packages/client/package.json'), 'utf8'))
  expect(client.dependencies).toBeUndefined()
  expect(client.bundleDependencies).toBeUndefined()
})

describe('a package', () => {
  test('without a licence text, or with an empty README section, is refused', () => {
    expect(() => packageNotices([packageWith({ license: 'MIT' }, {})])).toThrow('some-package 1.2.3 (MIT) ships no')
    const readme = packageWith({ license: 'MIT' }, { 'README.md': '# Some package\n\n## License\n\nMIT\n' })
    expect(() => packageNotices([readme])).toThrow('ships no licence text')
    const notice = packageWith({ license: 'MIT' }, { NOTICE: 'a notice is no licence' })
    expect(() => packageNotices([notice])).toThrow('ships no licence text')
  })

  test.each([undefined, 'UNLICENSED', 'GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN LICENSE'])(
    'with the licence %s is refused',
    (license) => {
      const place = packageWith({ license }, { LICENSE: 'a text' })
      expect(() => packageNotices([place])).toThrow('which is not on the list of allowed ones')
    },
  )

  test.each(['ISC', '(MIT OR GPL-3.0-only)', 'MIT AND ISC'])(
    'with the licence %s is listed with all its texts',
    (license) => {
      const files = { LICENSE: 'the text\r\n', NOTICE: 'Who made it.', 'index.js': 'not a licence' }
      expect(packageNotices([packageWith({ license }, files)])).toBe(
        `some-package 1.2.3, ${license}\n\nthe text\n\nWho made it.\n`,
      )
    },
  )

  test('shares an entry with those that have the same text, and is listed once', () => {
    const place = packageWith({ license: 'MIT' }, { LICENSE: 'the text' })
    const other = packageWith({ name: 'other-package', license: 'MIT' }, { LICENCE: 'the text' })
    expect(packageNotices([place, other, place])).toBe(
      'other-package 1.2.3, MIT\nsome-package 1.2.3, MIT\n\nthe text\n',
    )
  })
})
