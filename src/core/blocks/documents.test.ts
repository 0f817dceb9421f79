import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { blockDocuments, blockScope } from '../../../test/samples/block-documents.ts'
import { htmlText } from '../../render/html-text.ts'
import { filterNames, parseTemplate, renderTemplate } from '../../render/liquid.ts'
import { compileBlocks } from './compile-blocks.ts'

type Any = Record<string, unknown>

/** What a document says: its texts, and the addresses behind them, as far as they name no variable. */
function saidBy(node: Any, texts: string[] = [], links: string[] = []) {
  const attrs = (node.attrs ?? {}) as Any
  const marks = (node.marks ?? []) as Any[]
  if (node.type === 'text' && !String(node.text).includes('<'))
    texts.push(String(node.text).replace(/\{\{.*?\}\}/g, '\0'))
  for (const name of ['text', 'title', 'description', 'linkTitle', 'badgeText', 'alt'] as const) {
    if (typeof attrs[name] === 'string' && !attrs.isTextVariable) texts.push(attrs[name])
  }
  for (const { attrs: of } of marks) links.push(String((of as Any | undefined)?.href ?? ''))
  if (!attrs.isUrlVariable)
    links.push(String(attrs.url ?? ''), String(attrs.externalLink ?? ''), String(attrs.link ?? ''))
  for (const inner of (node.content ?? []) as Any[]) saidBy(inner, texts, links)
  const pieces = texts.flatMap((text) => text.split('\0')).map((text) => text.trim())
  return { texts: pieces, links: links.filter((it) => it !== '' && !/payload\./.test(it)) }
}

function readHtml(html: string): { text: string; addresses: string[] } {
  const addresses: string[] = []
  const walk = (node: Any): string => {
    for (const { name, value } of (node.attrs ?? []) as { name: string; value: string }[]) {
      if (name === 'href' || name === 'src' || name === 'alt') addresses.push(value)
    }
    if (node.nodeName === 'style') return ''
    if (node.nodeName === '#text') return String(node.value)
    return ((node.childNodes ?? []) as Any[]).map(walk).join('')
  }
  return { text: walk(parse(html) as unknown as Any), addresses }
}

function mailOf(document: object): { html: string; text: string } {
  const compiled = compileBlocks(JSON.stringify(document))
  if ('fault' in compiled) throw new Error(compiled.fault)
  expect(compiled.warnings).toEqual([])
  const html = renderTemplate(parseTemplate(compiled.html, 'html'), blockScope, 'html', {
    timeoutMs: 5_000,
    maxChars: 500_000,
    nowMs: 0,
  })
  return { html, text: htmlText(html) }
}

describe('a document of the known editor loses nothing on its way', () => {
  test.each(Object.entries(blockDocuments))('%s', (_name, { document, seen = [], unseen = [], pictures = [] }) => {
    const mail = mailOf(document)
    const { text, addresses } = readHtml(mail.html)
    const { texts, links } = saidBy(document)
    const flat = (it: string) => it.replace(/\s+/g, ' ')
    const isHidden = (it: string) => unseen.includes(it)
    for (const said of [...texts, ...seen].filter((it) => !isHidden(it) && it !== 'Look')) {
      expect(`${flat(text)} ${addresses.join(' ')}`).toContain(flat(said))
      expect(flat(mail.text)).toContain(flat(said).trim())
    }
    for (const said of links.filter((it) => !isHidden(it))) {
      expect(addresses).toContain(said)
      expect(mail.text).toContain(said.replace(/^mailto:/, ''))
    }
    expect(addresses).toEqual(expect.arrayContaining(pictures))
    for (const hidden of unseen) expect(mail.html).not.toContain(hidden)
  })
})

describe('how it looks in mail programs', () => {
  const htmlOf = (...content: object[]) => mailOf({ type: 'doc', content }).html
  const colored = { type: 'text', text: 'x', marks: [{ type: 'textStyle', attrs: { color: '#000000' } }] }
  const paragraph = { type: 'paragraph', content: [colored] }

  test('dark where no colour of its own could become unreadable', () => {
    expect(htmlOf({ type: 'paragraph' })).toContain('prefers-color-scheme:dark')
    expect(htmlOf(paragraph)).toContain('content="light only"')
    expect(htmlOf({ type: 'section', attrs: { backgroundColor: '#ffffff' }, content: [paragraph] })).toContain(
      'light dark',
    )
  })

  test('a section paints letters that can be read on it', () => {
    const on = (backgroundColor: string) =>
      htmlOf({ type: 'section', attrs: { backgroundColor }, content: [{ type: 'paragraph' }] })
    expect(on('#101010')).toContain('background:#101010;color:#f9fafb')
    expect(on('rgb(250, 250, 250)')).toContain('background:rgb(250, 250, 250);color:#1f2937')
  })

  test('columns stand one below the other on a telephone, and share what is left', () => {
    const column = (width?: number) => ({ type: 'column', attrs: { width }, content: [{ type: 'paragraph' }] })
    const html = htmlOf({ type: 'columns', content: [column(40), column(), column()] })
    expect([...html.matchAll(/class="b-column" width="(\d+)%"/g)].map(([, width]) => width)).toEqual(['40', '30', '30'])
    expect(html).toContain('.b-column{display:block!important')
  })

  test('neighbours with the same link are one link', () => {
    const link = { type: 'link', attrs: { href: 'https://a.example' } }
    const content = [
      { type: 'text', text: 'a', marks: [link] },
      { type: 'text', text: 'b', marks: [link, { type: 'bold' }] },
    ]
    expect(mailOf({ type: 'doc', content: [{ type: 'paragraph', content }] }).text).toBe('ab (https://a.example)')
  })
})

test('every filter of templates works in blocks: also ours, of languages and translations', () => {
  const outputs = filterNames().filter((name) => !['raw', 'message', 'message_html'].includes(name))
  expect(outputs).toEqual(expect.arrayContaining(['currency', 'number', 'relative', 'date', 'upcase', 'with']))
  const text = outputs.map((name) => `{{payload.x | ${name}}}`).join(' ')
  const paragraph = { type: 'paragraph', content: [{ type: 'text', text }] }
  const made = compileBlocks(JSON.stringify({ type: 'doc', content: [paragraph] }))
  expect(made).toMatchObject({ warnings: [] })
  for (const name of outputs) expect(made).toMatchObject({ html: expect.stringContaining(`| ${name}}}`) })
})
