import fc from 'fast-check'
import { parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { rounds } from '../../../test/rounds.ts'
import { blockDocuments } from '../../../test/samples/block-documents.ts'
import { parseTemplate, renderTemplate } from '../../render/liquid.ts'
import { type CompiledBlocks, compileBlocks } from './compile-blocks.ts'

const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>{{ payload.secret }}{% assign x = payload.secret %}`
const addresses = [
  'javascript:alert(1)',
  ' JaVa\tScRiPt:alert(1)',
  'data:text/html,<script>',
  'vbscript:x',
  'java\u200bscript:x',
]
const scope = {
  payload: { secret: 's3cret', evil: 'javascript:alert(1)', html: evil, items: [{ name: evil }, { name: 2 }] },
  subscriber: { firstName: evil },
}

type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[]; content?: Node }

/** What a reader would run, and tags that do not pair. */
function faultsOf(html: string): string[] {
  const faults: string[] = []
  const walk = ({ nodeName, attrs = [], childNodes = [], content }: Node) => {
    if (['script', 'iframe', 'object', 'embed', 'form', 'svg', 'base'].includes(nodeName)) faults.push(`<${nodeName}>`)
    for (const { name, value } of attrs) {
      const plain = value.replace(/[\s\p{Cc}\p{Cf}]/gu, '').toLowerCase()
      if (name.startsWith('on') || name === 'srcdoc' || name === 'formaction') faults.push(`${nodeName} ${name}`)
      if (/^(javascript|vbscript|data):/.test(plain)) faults.push(`${nodeName} ${name}=${value}`)
      if (name === 'style' && /expression|url\(|javascript|@import|[<{]/i.test(value)) faults.push(`style=${value}`)
    }
    for (const child of [...childNodes, ...(content ? [content] : [])]) walk(child)
  }
  walk(parse(html) as unknown as Node)
  return [...faults, ...unpaired(html)]
}

const single = new Set(['br', 'hr', 'img', 'meta', 'col', 'wbr'])

function unpaired(html: string): string[] {
  const open: string[] = []
  const bare = html
    .replace(/<!--.*?-->/gs, '')
    .replace(/<style>.*?<\/style>/gs, '')
    .replace('<!doctype html>', '')
  for (const [, closes, name = ''] of bare.matchAll(/<(\/?)([a-z][a-z0-9]*)(?: +[a-z-]+="[^"<>]*")* *>/g)) {
    if (!closes && !single.has(name)) open.push(name)
    if (closes && open.pop() !== name) return [`</${name}> closes nothing`]
  }
  const left = bare.replace(/<\/?[a-z][a-z0-9]*(?: +[a-z-]+="[^"<>]*")* *>/g, '').replace(/\{\{.*?\}\}|\{%.*?%\}/gs, '')
  return [...open.map((name) => `<${name}> is not closed`), ...(left.includes('<') ? ['a loose <'] : [])]
}

const render = ({ html }: CompiledBlocks) =>
  renderTemplate(parseTemplate(html, 'html'), scope, 'html', { timeoutMs: 5_000, maxChars: 5_000_000, nowMs: 0 })

function made(...content: object[]): CompiledBlocks {
  const compiled = compileBlocks(JSON.stringify({ type: 'doc', content }))
  if ('fault' in compiled) throw new Error(compiled.fault)
  return compiled
}
const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, marks })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })

describe('a hostile document comes out clean', () => {
  test.each([
    ['a text', paragraph(text(evil)), '<script'],
    ['a variable', paragraph({ type: 'variable', attrs: { id: evil, fallback: evil } }), '<script'],
    ['a fallback', paragraph({ type: 'variable', attrs: { id: 'payload.none', fallback: `' }}${evil}` } }), 's3cret'],
    ['a filter', paragraph({ type: 'variable', attrs: { id: 'payload.html | raw' } }), 's3cret'],
    ['a condition', { ...paragraph(text('x')), attrs: { showIfKey: `true %}${evil}{% if true` } }, 's3cret'],
    ['a list', { type: 'repeat', attrs: { each: `(1..9) %}${evil}` }, content: [paragraph(text('x'))] }, 's3cret'],
    [
      'colours',
      { type: 'section', attrs: { backgroundColor: `red;}${evil}`, borderColor: 'url(javascript:x)' } },
      's3cret',
    ],
    ['a colour of a text', paragraph(text('x', { type: 'textStyle', attrs: { color: 'red"onclick="x' } })), 'onclick'],
    ['sizes', { type: 'spacer', attrs: { height: `9"${evil}` } }, 's3cret'],
    ['names', { type: `x${evil}`, content: [paragraph(text('kept'))] }, 's3cret'],
    ['two halves of a mark', paragraph(text('{'), text('{payload.secret}'), text('}')), 's3cret'],
    ['halves in an address', { type: 'button', attrs: { text: '{', url: 'https://x.example/{' } }, 's3cret'],
    ['a prototype', paragraph({ type: 'variable', attrs: { id: 'payload.constructor.prototype' } }), 'function'],
    [
      'raw HTML',
      { type: 'htmlCodeBlock', content: [text(`</td></table>${evil.split('{')[0]}<b style="x:expression(1)">`)] },
      'onerror',
    ],
    [
      'hidden braces',
      { type: 'htmlCodeBlock', content: [text('&#123;&#123; payload.secret }} &lbrace;{payload.secret}}')] },
      's3cret',
    ],
  ])('%s', (_what, node, never) => {
    const compiled = made(node, paragraph(text('the end')))
    const html = render(compiled)
    expect([...faultsOf(compiled.html), ...faultsOf(html)]).toEqual([])
    expect(html).not.toContain(never)
    expect(html).toContain('the end')
  })

  test.each(addresses)('an address %j is left out wherever it stands, and its text is kept', (url) => {
    const compiled = made(
      paragraph(text('link', { type: 'link', attrs: { href: url } })),
      { type: 'button', attrs: { text: 'button', url } },
      { type: 'image', attrs: { src: url, alt: 'image', externalLink: url } },
      { type: 'linkCard', attrs: { title: 'card', link: url, image: url } },
      { type: 'htmlCodeBlock', content: [text(`<a href="${url}">raw</a><img src="${url}">`)] },
    )
    expect(faultsOf(compiled.html)).toEqual([])
    for (const word of ['link', 'button', 'image', 'card', 'raw']) expect(compiled.html).toContain(word)
    expect(compiled.warnings.length).toBeGreaterThan(0)
  })

  test('a filter that only others have is left out, and what it was for is sent', () => {
    const compiled = made(paragraph({ type: 'variable', attrs: { id: 'payload.secret | toSentence: "x" | upcase' } }))
    expect(compiled.warnings).toEqual([
      { message: expect.stringContaining('"toSentence"'), variable: expect.stringContaining('payload.secret') },
    ])
    expect(render(compiled)).toContain('>S3CRET</p>')
  })

  test('an address out of a value is judged when the mail is rendered', () => {
    const html = render(made({ type: 'button', attrs: { text: 'Go', url: 'payload.evil', isUrlVariable: true } }))
    expect(faultsOf(html)).toEqual([])
    expect(html).toContain('Go')
  })
})

const words = fc.oneof(
  fc.constantFrom(
    evil,
    ...addresses,
    'payload.items',
    'current.name',
    'payload.x | upcase',
    '{{',
    '}}',
    '{%',
    '%}',
    '<',
    '"',
    '\0',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
const types = [
  ...new Set(
    'doc paragraph heading text variable payloadValue hardBreak inlineImage footer bulletList orderedList listItem blockquote codeBlock horizontalRule spacer button image logo linkCard section columns column show repeat for htmlCodeBlock poll constructor __proto__'.split(
      ' ',
    ),
  ),
]
const attributeNames =
  'id fallback aliasFor label showIfKey each iterations level textAlign textDirection start color height width size src alt title isSrcVariable externalLink isExternalLinkVariable text isTextVariable url isUrlVariable alignment variant borderRadius buttonColor textColor paddingTop paddingLeft marginTop backgroundColor borderColor borderWidth align gap verticalAlign link linkTitle image badgeText subTitle description'.split(
    ' ',
  )
const value = fc.oneof(
  words,
  fc.boolean(),
  fc.integer(),
  fc.double(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
)
const attrs = fc.dictionary(fc.constantFrom(...attributeNames), value, { maxKeys: 6 })
const mark = fc.record({
  type: fc.constantFrom('bold', 'italic', 'underline', 'strike', 'code', 'link', 'textStyle', 'highlight', 'toString'),
  attrs: fc.dictionary(fc.constantFrom('href', 'color', 'isUrlVariable', 'aliasFor'), value, { maxKeys: 3 }),
})
const { node } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.record({
      type: fc.constantFrom('text', 'variable', 'button', 'image'),
      text: words,
      attrs,
      marks: fc.array(mark, { maxLength: 3 }),
    }),
    fc.record({
      type: fc.constantFrom(...types),
      attrs,
      text: fc.option(words, { nil: undefined }),
      marks: fc.array(mark, { maxLength: 2 }),
      content: fc.array(tie('node'), { maxLength: 4 }),
    }),
  ),
}))

describe('any document', () => {
  test('is compiled or refused in one sentence, and what comes out is clean', { timeout: 300_000 }, () => {
    const seed = 20261118
    let compiledCount = 0
    fc.assert(
      fc.property(fc.array(node, { maxLength: 5 }), (content) => {
        const compiled = compileBlocks(JSON.stringify({ type: 'doc', content }))
        if ('fault' in compiled) return expect(compiled.fault).toMatch(/^(is|has|cannot) /)
        compiledCount += 1
        expect(compiled.warnings.length).toBeLessThanOrEqual(20)
        expect(faultsOf(compiled.html)).toEqual([])
        const html = render(compiled)
        expect(faultsOf(html)).toEqual([])
      }),
      { seed, numRuns: rounds({ quick: 300, full: 20_000 }) },
    )
    expect(compiledCount).toBeGreaterThan(200)
  })

  test('of text that is no document, too', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        const compiled = compileBlocks(body)
        expect('fault' in compiled || 'html' in compiled).toBe(true)
      }),
      { seed: 1, numRuns: 300 },
    )
  })
})

describe('what saving costs', () => {
  const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0
  const cost = (body: string, times: number) =>
    median(
      Array.from({ length: times }, () => {
        const before = process.cpuUsage()
        compileBlocks(body)
        const { user, system } = process.cpuUsage(before)
        return (user + system) / 1000
      }),
    )

  test('a document of 30 to 60 nodes takes a millisecond or so, the worst one less than a turn', () => {
    const typical = JSON.stringify({
      type: 'doc',
      content: Object.values(blockDocuments)
        .slice(0, 4)
        .flatMap(({ document }) => document.content ?? []),
    })
    const worst = [
      JSON.stringify({ type: 'doc', content: Array.from({ length: 990 }, () => paragraph(text('{{a}}'.repeat(10)))) }),
      JSON.stringify({ type: 'doc', content: [paragraph(text('{{'.repeat(100_000)))] }),
      JSON.stringify({ type: 'doc', content: [{ type: 'htmlCodeBlock', content: [text('<b>'.repeat(20_000))] }] }),
      JSON.stringify({ type: 'doc', content: [{ type: 'htmlCodeBlock', content: [text('<a '.repeat(20_000))] }] }),
      `{"type":"doc","content":${'['.repeat(100_000)}`,
    ]
    const typicalMs = cost(typical, 50)
    const worstMs = Math.max(...worst.map((body) => cost(body, 3)))
    console.log(
      `compiling blocks: ${typicalMs.toFixed(2)} ms for ${typical.length} characters, ${worstMs.toFixed(0)} ms at worst`,
    )
    // Processor time, on a machine that may do much else.
    expect(typicalMs).toBeLessThan(20)
    expect(worstMs).toBeLessThan(250)
  })
})
