import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandPaths } from '../scripts/generated/command-paths.ts'
import { readRemote } from '../src/commands/content/door.ts'
import { readConfig } from '../src/config.ts'
import { readGatewayConfig } from '../src/gateway/gateway-config.ts'
import { readImports } from './import-graph.ts'

/** What the guides say about the program, where a machine can check it. */
const root = join(import.meta.dirname, '..')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
const pages = ['README.md', ...inDocs.filter((file) => file.endsWith('.md')).map((file) => join('docs', file))].map(
  (file) => ({ file, text: textOf(file) }),
)
/** Without the decisions, which describe the time they were made. */
const guides = pages.filter(({ file }) => !file.includes('decisions'))

const withoutCode = (text: string) => text.replaceAll(/```.*?```/gs, '').replaceAll(/`[^`\n]*`/g, '')
const codeIn = (text: string) => [...text.matchAll(/```.*?```|`[^`\n]+`/gs)].map(([code]) => code)
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

describe('links', () => {
  const linksOf = (text: string) =>
    matches(withoutCode(text), /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link))

  /** As GitHub names them. */
  const anchorsOf = (text: string) =>
    matches(text, /^#+ (.*)$/gm).map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    )

  function faultOf(file: string, link: string): string | null {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? file : relative(root, join(root, dirname(file), path))
    if (!existsSync(join(root, target))) {
      const hint = target.startsWith(join('docs', 'images')) ? ' (npm run browser takes the pictures)' : ''
      return `${file}: ${target} does not exist${hint}`
    }
    if (anchor === undefined || statSync(join(root, target)).isDirectory()) return null
    return anchorsOf(textOf(target)).includes(anchor) ? null : `${file}: ${target} has no heading #${anchor}`
  }

  test('every link and picture of the README and the guides leads somewhere', () => {
    expect(pages.flatMap(({ file, text }) => linksOf(text).flatMap((link) => faultOf(file, link) ?? []))).toEqual([])
  })

  test('the table of contents names every guide', () => {
    const named = linksOf(textOf('docs/README.md')).map((link) => join('docs', link))
    const missing = guides.map(({ file }) => file).filter((file) => dirname(file) === 'docs' && !named.includes(file))
    expect(missing).toEqual(['docs/README.md'])
  })
})

describe('settings', () => {
  /** Every name that a process reads is a setting. */
  function settingsRead(): string[] {
    const asked = new Set<string>()
    const given: Record<string, string> = {
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      CELLS: 'ca=http://10.0.0.1:3000',
      NODE_ENV: 'development',
    }
    const watched = new Proxy(given, {
      get(target, name) {
        asked.add(String(name))
        return target[String(name)]
      },
    })
    readConfig(watched)
    readGatewayConfig(watched)
    readRemote(watched)
    return [...asked].sort()
  }

  /** The names in the first cells of every table that is headed "setting". */
  const settingsListed = (text: string) =>
    matches(text, /^\| setting \|.*\n((?:\|.*\n)+)/gm).flatMap((rows) =>
      matches(rows, /^\| ([^|]+) \|/gm).flatMap((cell) => matches(cell, /`([A-Z][A-Z0-9_]*)/g)),
    )

  const known = settingsRead()

  test('docs/production.md lists every one, and none that does not exist', () => {
    const text = textOf('docs/production.md')
    const listed = settingsListed(text)
    expect(listed.filter((name) => !known.includes(name))).toEqual([])
    const named = codeIn(text).join(' ')
    expect(known.filter((name) => !new RegExp(`\\b${name}\\b`).test(named))).toEqual([])
  })

  test('no guide names one that does not exist', () => {
    const named = guides.flatMap(({ file, text }) =>
      matches(codeIn(text).join('\n'), /(?<![\w$])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?!\w)/g).map((name) => [file, name]),
    )
    expect(named.length).toBeGreaterThan(40)
    // These are the benchmark's own, and those of proofs.
    const isOfProofs = (name: string) => /^(BENCH|CHAOS|TEST)_/.test(name)
    // The reader's own programs have these: a bridge, and programs that use the client.
    const isOfReader = (name: string) => ['NOVU_SECRET_KEY', 'TIDINGS_KEY'].includes(name)
    expect(named.filter(([, name = '']) => !known.includes(name) && !isOfProofs(name) && !isOfReader(name))).toEqual([])
  })
})

describe('commands and alerts', () => {
  const code = guides.map(({ text }) => codeIn(text).join('\n')).join('\n')

  test('every npm script that a guide names is there', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const named = matches(code, /npm run ([\w-]+)\b(?! -w)/g)
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  test('every command after `npm start --` is there', () => {
    const commands = commandPaths().map(([name]) => name)
    const named = matches(code, /npm start -- ([\w-]+)/g)
    expect(commands.length).toBeGreaterThan(5)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !commands.includes(name))).toEqual([])
  })

  test('every alert links to its section of the operations guide, and every such section has an alert', () => {
    const alerts = matches(textOf('deploy/chart/files/alerts.yml'), /- alert: (\w+)/g)
    const linked = matches(textOf('deploy/chart/files/alerts.yml'), /^ +runbook_url: (.*)$/gm)
    const sections = matches(textOf('docs/operations.md'), /^### (Tidings\w+)$/gm)
    expect(alerts).toHaveLength(21)
    expect(linked).toEqual(alerts.map((name) => `https://docs.example.com/operations#${name.toLowerCase()}`))
    expect(sections).toEqual(alerts)
  })

  test('each of these sections says what the alert means, and what to do first and next', () => {
    const [, ...sections] = textOf('docs/operations.md').split(/^(?=### Tidings)/m)
    const steps = sections.map((text) => matches(text, /^\*\*(Meaning|First|Next)\.\*\*/gm).join())
    expect(steps).toEqual(Array(21).fill('Meaning,First,Next'))
  })
})

describe('docs/architecture.md', () => {
  const page = textOf('docs/architecture.md')
  const inSource = (file: string) => (existsSync(join(root, file)) ? file : `src/${file}`)

  test('every file it names exists', () => {
    const named = new Set(matches(page, /((?:[\w-]+\/)+[\w-]+\.(?:tsx?|md|sql))\b/g))
    expect(named.size).toBeGreaterThan(40)
    expect([...named].filter((file) => !existsSync(join(root, inSource(file))))).toEqual([])
  })

  test('its arrows are imports, but for the two queues and the provider that was chosen', () => {
    const flow = /```mermaid\n(.*?)```/s.exec(page)?.[1] ?? ''
    const files = new Map(
      [...flow.matchAll(/(\w+)\["([^"]+\.ts)"\]/g)].map(([, id = '', file = '']) => [id, inSource(file)]),
    )
    const arrow = /^\s*(\w+)(?:\["[^"]+"\])? --(?: ("[^"]+"|\w+) --)?> (\w+)/gm
    const arrows = [...flow.matchAll(arrow)].map(([, from = '', label = '', to = '']) => ({ from, label, to }))
    expect(files.size).toBe(12)
    expect(arrows).toHaveLength(11)
    const wrong = arrows.filter(({ from, label, to }) => {
      if (label.includes('queue:') || files.get(to)?.startsWith('src/providers/')) return false
      return !readImports(files.get(from) ?? '').some(({ target }) => target === files.get(to))
    })
    expect(wrong).toEqual([])
  })

  test('its tables are those of the migrations', () => {
    const rows = page.slice(page.indexOf('## The tables'), page.indexOf('No foreign keys between'))
    const named = matches(rows, /^\| (.+?) \|/gm).flatMap((cell) => matches(cell, /`([a-z_]+)`/g))
    const made = matches(textOf('src/store/schema.ts'), /^ {2}([a-z_]+): \{$/gm).filter((name) => name !== 'migration')
    expect(named.toSorted()).toEqual(made.toSorted())
  })
})
