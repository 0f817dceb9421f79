import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { checkSite } from '../site/check-site.ts'
import { sidebarOf } from '../site/sidebar.ts'
import { readSourcePages, toSite } from '../site/source-pages.ts'

describe('links of the docs site', () => {
  const toText = (file: string, text: string) => toSite({ file, text }).text

  test.each([
    ['docs/delivery.md', '[a](preferences.md#schedule)', '[a](preferences.md#schedule)'],
    ['docs/operations.md', '[a](../SECURITY.md#b)', '[a](security.md#b)'],
    ['docs/scaling.md', '[a](benchmarks/README.md)', '[a](benchmarks/index.md)'],
    ['docs/architecture.md', '[a](decisions/)', '[a](decisions/index.md)'],
    ['docs/README.md', '[a](openapi.json)', '[a](api/index.md)'],
    ['CHANGELOG.md', '[a](docs/metrics.md)', '[a](metrics.md)'],
    ['docs/delivery.md', '[a](https://example.com/b.md) [b](#c)', '[a](https://example.com/b.md) [b](#c)'],
    ['docs/delivery.md', '`[a](../SECURITY.md)`', '`[a](../SECURITY.md)`'],
  ])('%s: %s becomes %s', (file, text, expected) => expect(toText(file, text)).toBe(expected))

  test('one to a file that is no page is refused', () => {
    expect(() => toText('docs/delivery.md', '[a](../src/main.ts)')).toThrow('docs/delivery.md links to src/main.ts')
  })

  test('a picture that there is in light and dark is shown in both', () => {
    const { pictures } = toSite({ file: 'docs/dashboard.md', text: '![Sign-in](images/sign-in-1440-light.png)' })
    expect(pictures).toEqual(['docs/images/sign-in-1440-light.png', 'docs/images/sign-in-1440-dark.png'])
  })
})

test('the sidebar has the sections and the order of docs/README.md', () => {
  const text = '# Guides\n\n**Begin**\n- [Quick start](quick-start.md): soon\n\n**Why**: [decisions](decisions/)\n'
  const decision = { file: 'docs/decisions/0001-a.md', text: '# 0001 A' }
  expect(sidebarOf([{ file: 'docs/README.md', text }, decision], [])).toEqual([
    { text: 'Begin', items: [{ text: 'Quick start', link: '/quick-start' }] },
    {
      text: 'Why',
      items: [
        {
          text: 'Decisions',
          link: '/decisions/',
          collapsed: true,
          items: [{ text: '0001 A', link: '/decisions/0001-a' }],
        },
      ],
    },
  ])
  expect(sidebarOf(readSourcePages(), []).length).toBeGreaterThan(4)
})

describe('what is wrong with a built site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-site-'))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function faultsOf(files: Record<string, string>): string[] {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return checkSite(folder).faults
  }
  const target = '<h1 id="top">A</h1>'

  test('nothing', () => {
    const link =
      '<h1>B</h1><a href="./a.html#top">a</a><a class="b" href="/">home</a><a href="https://example.com/">c</a>'
    expect(faultsOf({ 'a.html': target, 'b.html': link, 'index.html': target })).toEqual([])
  })

  test.each([
    ['a page that is not there', '<h1>B</h1><a href="/c.html">c</a>', 'b/b.html: c.html does not exist'],
    ['an anchor that is not there', '<h1>B</h1><a href="../a.html#c">c</a>', 'b/b.html: a.html has no #c'],
    ['a page without its text', '<p></p>', 'b/b.html is empty'],
    ['a picture from elsewhere', '<h1>B</h1><img src="//x.example/a.png">', 'b/b.html: loads //x.example/a.png'],
  ])('%s is found', (_what, html, fault) => expect(faultsOf({ 'a.html': target, 'b/b.html': html })).toEqual([fault]))

  test('a font from elsewhere is found', () => {
    expect(faultsOf({ 'a.css': 'a{src:url("https://x.example/a.woff2")}' })).toEqual(['a.css: loads from elsewhere'])
  })
})
