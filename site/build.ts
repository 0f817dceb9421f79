/**
 * npm run docs     (then: npx vitepress serve site)
 *
 * The site of the guides, in site/dist: writes its pages to site/.pages, builds them, and looks at every link. It needs no
 * network, and neither does who reads it.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'vitepress'
import type { OpenApi } from '../src/http/openapi.ts'
import { apiPages, groupsOf } from './api-pages.ts'
import { checkSite } from './check-site.ts'
import { sidebarOf } from './sidebar.ts'
import { description, pageOf, readSourcePages, readText, root, toSite } from './source-pages.ts'

const site = import.meta.dirname
const pages = join(site, '.pages')
const built = join(site, 'dist')

rmSync(pages, { recursive: true, force: true })
rmSync(built, { recursive: true, force: true })
writePages()
await build(site)
const { faults, count } = checkSite(built)
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
console.log(`${count} pages in site/dist; every link and anchor leads somewhere.`)

function writePages(): void {
  const sources = readSourcePages()
  for (const page of sources) {
    const { text, pictures } = toSite(page)
    write(pageOf(page.file), text)
    for (const picture of pictures) cpSync(join(root, picture), join(pages, picture.replace(/^docs\//, '')))
  }
  const api: OpenApi = JSON.parse(readText(description))
  for (const [path, text] of apiPages(api)) write(path, text)
  write('sidebar.json', JSON.stringify(sidebarOf(sources, groupsOf(api))))
  write('public/openapi.json', readText(description))
  write('public/icon.svg', readText('dashboard/public/icon.svg'))
}

function write(path: string, text: string): void {
  const file = join(pages, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
