import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licences that ask for nothing but a copy of their text. A person must read any other licence first. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
])

/** The packages that name the MIT licence and their author in package.json, but ship no text of it. */
const withoutText = new Map([
  ['abstract-logging', 'James Sumners'],
  ['http_ece', 'Martin Thomson'],
])

type Manifest = { name: string; version: string; license?: unknown }
type Notice = { package: string; license: string; text: string }

const line = '-'.repeat(80)

/**
 * Returns the licences of the packages in these folders as text. Packages that share a text share an entry. Throws if a package
 * has no licence text, or a licence that is not allowed.
 */
export function packageNotices(folders: Iterable<string>): string {
  const byText = new Map<string, Notice[]>()
  for (const notice of [...folders].map(readNotice).sort((a, b) => (a.package < b.package ? -1 : 1))) {
    const others = byText.get(notice.text) ?? []
    if (!others.some((other) => other.package === notice.package)) byText.set(notice.text, [...others, notice])
  }
  const entries = [...byText].map(([text, notices]) => {
    const packages = notices.map((notice) => `${notice.package}, ${notice.license}`).join('\n')
    return `${packages}\n\n${text}\n`
  })
  return entries.join(`\n${line}\n`)
}

function readNotice(folder: string): Notice {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const { name, version, license } = manifest
  if (typeof license !== 'string' || !isAllowed(license)) {
    throw new Error(
      `${name} ${version} has the licence ${JSON.stringify(license)}, which is not on the list of allowed ones`,
    )
  }
  const text = licenseFiles(folder) ?? readmeSection(folder) ?? declaredText(name, license)
  if (!text) throw new Error(`${name} ${version} (${license}) ships no licence text`)
  return { package: `${name} ${version}`, license, text }
}

function isAllowed(expression: string): boolean {
  const names = expression.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /)
  const isChoice = expression.includes(' OR ') && !expression.includes(' AND ')
  return isChoice ? names.some((name) => allowed.has(name)) : names.every((name) => allowed.has(name))
}

function licenseFiles(folder: string): string | null {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  if (!files.some((file) => /^(licen[cs]e|copying)/i.test(file))) return null
  return files
    .sort()
    .map((file) => ownPart(readFileSync(join(folder, file), 'utf8')))
    .join('\n\n')
}

/** Cuts off the second part of Vite's file: the licences of its command line tools, which are not in the bundle. */
function ownPart(text: string): string {
  return clean(text.split(/^# Licenses of bundled dependencies$/m)[0] ?? '')
}

function readmeSection(folder: string): string | null {
  const readme = readdirSync(folder).find((file) => /^readme/i.test(file))
  const text = readme ? readFileSync(join(folder, readme), 'utf8') : ''
  const section = text.split(/^#+ *licen[cs]e *$/im)[1]?.split(/^#/m)[0]
  return section?.includes('Permission is hereby granted') ? clean(section) : null
}

function declaredText(name: string, license: string): string | null {
  const author = withoutText.get(name)
  return author && license === 'MIT' ? `Copyright (c) ${author}\n\n${mit}` : null
}

function clean(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
}

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`
