import { dirname, join } from 'node:path/posix'
import type { DefaultTheme } from 'vitepress'
import type { Group } from './api-pages.ts'
import { description, pageOf, type SourcePage, titleOf } from './source-pages.ts'

type Item = DefaultTheme.SidebarItem

/**
 * The list of pages is that of docs/README.md: a line that begins in bold begins a section, and every link in it is an
 * entry. What it does not name one by one stands below: the groups of the API, the decisions.
 */
export function sidebarOf(pages: readonly SourcePage[], groups: readonly Group[]): Item[] {
  const contents = 'docs/README.md'
  const text = pages.find(({ file }) => file === contents)?.text ?? ''
  const itemsBelow = (file: string): Item[] => {
    if (file === description) return apiItems(groups)
    return file.endsWith('/') ? folderItems(pages, file) : []
  }
  return text
    .split(/^\*\*/m)
    .slice(1)
    .map((section) => {
      const [title = '', rest = ''] = section.split('**')
      const entries = [...rest.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].map(([, name = '', link = '']) => {
        const file = join(dirname(contents), link)
        const items = itemsBelow(file)
        const entry = { text: name.charAt(0).toUpperCase() + name.slice(1), link: addressOf(file) }
        return items.length > 0 ? { ...entry, items, collapsed: true } : entry
      })
      return { text: title, items: entries }
    })
}

const addressOf = (file: string) => `/${pageOf(file)}`.replace(/(\/index)?\.md$/, (end) => (end === '.md' ? '' : '/'))

function apiItems(groups: readonly Group[]): Item[] {
  const items = groups.map(({ name, title }) => ({ text: title, link: `/api/${name}` }))
  return [...items, { text: 'Schemas', link: '/api/schemas' }]
}

const folderItems = (pages: readonly SourcePage[], folder: string): Item[] =>
  pages
    .filter(({ file }) => file.startsWith(folder) && !file.endsWith('README.md'))
    .map(({ file, text }) => ({ text: titleOf(text), link: addressOf(file) }))
