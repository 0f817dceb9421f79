import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

// Whatever a page says, a browser asks nobody else.
const policy = "default-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; form-action 'none'"

export default defineConfig({
  title: 'Tidings',
  description: 'Notification delivery: guides and API reference',
  lang: 'en',
  srcDir: '.pages',
  outDir: 'dist',
  ignoreDeadLinks: 'localhostLinks',
  head: [
    ['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }],
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: policy }],
  ],
  markdown: {
    anchor: { slugify: anchorOf },
    // Guides write paths like {id}: attributes, which the API pages use for their anchors, need rarer signs.
    attrs: { leftDelimiter: '%{', rightDelimiter: '}%' },
    config: (md) => {
      // Vue would take the `{{ }}` of templates for its own.
      const plain = (text = '') => md.utils.escapeHtml(text).replaceAll('{', '&#123;')
      md.renderer.rules.text = (tokens, at) => plain(tokens[at]?.content)
      md.renderer.rules.code_inline = (tokens, at) => `<code>${plain(tokens[at]?.content)}</code>`
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    // Written by site/build.ts, from docs/README.md.
    sidebar: JSON.parse(readFileSync(new URL('../.pages/sidebar.json', import.meta.url), 'utf8')),
    outline: { level: 2 },
    nav: [
      { text: 'Guides', link: '/', activeMatch: '^/(?!api/|changelog)' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Changes', link: '/changelog' },
    ],
  },
})

/** As code hosts name them, and test/docs.test.ts. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
