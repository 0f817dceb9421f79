import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dirname, join as joinAddress } from 'node:path/posix'

/** What is wrong with the built pages: links to a page or an anchor that is not there, and what is loaded from elsewhere. */
export function checkSite(folder: string): { faults: string[]; count: number } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const pages = files
    .filter((file) => file.endsWith('.html'))
    .map((file) => ({ file, html: readFileSync(join(folder, file), 'utf8') }))
  const anchors = new Map(pages.map(({ file, html }) => [file, new Set(find(html, /\sid="([^"]+)"/g))]))

  const linkFault = (file: string, link: string): string | null => {
    const [path = '', anchor = ''] = decodeURI(link.replaceAll('&amp;', '&')).split('#')
    const target = toFile(file, path)
    if (!files.includes(target)) return `${file}: ${target} does not exist`
    return anchor === '' || anchors.get(target)?.has(anchor) ? null : `${file}: ${target} has no #${anchor}`
  }
  const faults = pages.flatMap(({ file, html }) => [
    // VitePress tells of a page that could not be drawn, and goes on.
    ...(html.includes('<h1') || file === '404.html' ? [] : [`${file} is empty`]),
    ...find(html, /<a\s[^>]*?href="([^"]*)"/g)
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => linkFault(file, link) ?? []),
    ...find(html, /<(?:script|img|link)\s[^>]*?(?:src|href)="((?:https?:)?\/\/[^"]*)"/g).map(
      (address) => `${file}: loads ${address}`,
    ),
  ])
  const styles = files.filter((file) => file.endsWith('.css'))
  const foreign = styles.filter((file) => /url\(["']?(https?:)?\/\//.test(readFileSync(join(folder, file), 'utf8')))
  return {
    faults: [...new Set([...faults, ...foreign.map((file) => `${file}: loads from elsewhere`)])],
    count: pages.length,
  }
}

function toFile(from: string, path: string): string {
  if (path === '') return from
  const target = path.startsWith('/') ? path.slice(1) : joinAddress(dirname(from), path)
  return target === '' || target === '.' || target.endsWith('/') ? joinAddress(target, 'index.html') : target
}

const find = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
