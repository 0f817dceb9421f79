import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dirname, normalize, relative } from 'node:path/posix'

/** The Markdown files that become pages. Their links are right in the repository; here they are made right on the site. */
export type SourcePage = { file: string; text: string }

export const root = join(import.meta.dirname, '..')
export const description = 'docs/openapi.json'
const besideDocs = [
  ...[
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'examples/react-inbox/README.md',
    'examples/own-react-inbox/README.md',
    'packages/client/README.md',
    'examples/code-first/README.md',
  ],
  ...['chart', 'kubernetes', 'patroni', 'pgbackrest'].map((name) => `deploy/${name}/README.md`),
]

export function readSourcePages(): SourcePage[] {
  const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
  const pages = [...inDocs.toSorted(), ...besideDocs].map((file) => ({ file, text: readText(file) }))
  return [...pages, decisionsPage(pages)]
}

export const readText = (file: string) => readFileSync(join(root, file), 'utf8')

export const titleOf = (text: string) => /^# (.*)$/m.exec(text)?.[1] ?? ''

/** The page of a file or folder: docs/README.md is the first one. The API's description has a page for each group. */
export function pageOf(file: string): string {
  if (file === description) return 'api/index.md'
  if (besideDocs.includes(file)) return file.toLowerCase()
  const name = file.endsWith('/') ? `${file}README.md` : file
  return name.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')
}

/** A folder has no page on a code host but a list of its files; here it needs one. */
function decisionsPage(pages: readonly SourcePage[]): SourcePage {
  const folder = 'docs/decisions/'
  const items = pages
    .filter(({ file }) => file.startsWith(folder))
    .map(({ file, text }) => `- [${titleOf(text)}](${file.slice(folder.length)})`)
  const text = `# Decisions\n\nWhy things are as they are, each as it was decided at its time.\n\n${items.join('\n')}\n`
  return { file: `${folder}README.md`, text }
}

/** The text with links to pages, and the pictures it shows. */
export function toSite({ file, text }: SourcePage): { text: string; pictures: string[] } {
  const pictures: string[] = []
  const address = (link: string) => {
    const [path = '', anchor] = link.split('#')
    const target = normalize(join(dirname(file), path))
    const isPage = target === description || /(\.md|\/)$/.test(target)
    if (!isPage) throw new Error(`${file} links to ${target}, which is no page`)
    const to = relative(dirname(withoutFolder(file)), pageOf(target))
    return anchor === undefined ? to : `${to}#${anchor}`
  }
  const picture = (alt: string, path: string) => {
    const dark = path.replace('-light.', '-dark.')
    const hasBoth = dark !== path && existsSync(join(root, dirname(file), dark))
    const shown = hasBoth ? [path, dark] : [path]
    pictures.push(...shown.map((one) => normalize(join(dirname(file), one))))
    const classes = hasBoth ? [' class="when-light"', ' class="when-dark"'] : ['']
    return shown.map((one, n) => `<img src="./${one}" alt="${alt}" loading="lazy"${classes[n]}>`).join('')
  }
  const changed = outsideCode(text, (part) =>
    part
      .replaceAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_all, alt: string, path: string) => picture(alt, path))
      .replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_all, link: string) => `](${address(link)})`),
  )
  return { text: changed, pictures }
}

const withoutFolder = (file: string) => file.replace(/^docs\//, '')

function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^ *```.*?^ *```$|`[^`\n]*`)/gms)
    .map((part, n) => (n % 2 === 0 ? change(part) : part))
    .join('')
}
