import { describe, expect, test } from 'vitest'
import { templateFault } from '../../render/liquid.ts'
import { compileBlocks } from '../blocks/compile-blocks.ts'
import { judgeLayout } from './compile-layout.ts'
import { insideOfPage, isWholePage } from './whole-page.ts'
import { bodyPart, wrapBody } from './wrap-body.ts'

const text = (words: string) => ({ type: 'text', text: words })
const content = { type: 'variable', attrs: { id: 'content' } }
const paragraph = (...nodes: object[]) => ({ type: 'paragraph', content: nodes })
const documentOf = (...nodes: object[]) => JSON.stringify({ type: 'doc', content: nodes })

function layoutOf(body: string, editorType: 'html' | 'block' = 'html') {
  const { compiled, faults } = judgeLayout({ body, editorType })
  if (!compiled) throw new Error(JSON.stringify(faults))
  return { compiled }
}
const asItIs = (template: string) => template
const wrapped = (layout: ReturnType<typeof layoutOf>, body: string) =>
  wrapBody(layout, bodyPart({ controlValues: {} }, body), asItIs)

function blocks(...nodes: object[]) {
  const compiled = compileBlocks(documentOf(...nodes))
  if ('fault' in compiled) throw new Error(compiled.fault)
  return { controlValues: { editorType: 'block', body: documentOf(...nodes) }, compiled }
}

describe('a layout in HTML', () => {
  test.each([
    ['a fragment', '<b>Acme</b>{{content}}<i>Bye</i>', '<b>Acme</b><p>B</p><i>Bye</i>'],
    ['blanks, and marks that trim', '<b>A</b>{{-  content -}}', '<b>A</b><p>B</p>'],
    ['a condition around it', '{% if payload.x %}{{content}}{% endif %}', '{% if payload.x %}<p>B</p>{% endif %}'],
    ['another one that is commented out', '{{content}}{% comment %}{{content}}{% endcomment %}', null],
    ['another one that is written out', '{{content}}{% raw %}{{content}}{% endraw %}', null],
    ['dollars in what goes in', '{{content}}', '<p>B</p>'],
    ['names that only look like it', '{{payload.content}}{{content}}', '{{payload.content}}<p>B</p>'],
  ])('%s', (_name, body, expected) => {
    const html = wrapped(layoutOf(body), '<p>B</p>')
    expect(html.split('<p>B</p>')).toHaveLength(2)
    if (expected !== null) expect(html).toBe(expected)
    expect(templateFault(html)).toBeNull()
  })

  test('what a body says is not read as a pattern', () => {
    expect(wrapped(layoutOf('a{{content}}b'), "$& $1 $$ $'")).toBe("a$& $1 $$ $'b")
  })

  test.each([
    ['no slot', '<p>Acme</p>', 'has no place for the body: write {{content}} into the layout once'],
    ['two slots', '{{content}}{{ content }}', 'has more than one place for the body'],
    ['only one that is commented out', '{% comment %}{{content}}{% endcomment %}', 'has no place'],
    ['only one that is written out', '{% raw %}{{content}}{% endraw %}', 'has no place'],
    ['in an attribute', '<a href="{{content}}">x</a>', 'where no text can stand'],
    ['in a tag', '<a {{content}}>x</a>', 'where no text can stand'],
    ['in a comment of HTML', '<!-- {{content}} -->', 'where no text can stand'],
    ['in a script', '<script>{{content}}</script>', 'where no text can stand'],
    ['in a style', '<style>{{content}}</style>', 'where no text can stand'],
    ['in a title', '<html><head><title>{{content}}</title></head></html>', 'where no text can stand'],
    ['in a loop', '{% for x in payload.y %}<p>{{content}}</p>{% endfor %}', 'inside "for"'],
    ['in a loop, in a condition', '{% for x in payload.y %}{% if x %}{{content}}{% endif %}{% endfor %}', '"for"'],
    ['captured', '{% capture a %}{{content}}{% endcapture %}{{a}}', 'inside "capture"'],
    ['with filters', '{{ content | upcase }}', 'write {{content}} alone'],
    ['no template', '{{content}}{% if %}', 'is not a valid template'],
    ['too large', `{{content}}${'x'.repeat(64 * 1024)}`, 'larger than 64 KB'],
  ])('refused: %s', (_name, body, expected) => {
    const { compiled, faults } = judgeLayout({ body, editorType: 'html' })
    expect(compiled).toBeUndefined()
    expect(faults['controlValues.email.body']?.messages[0]).toContain(expected)
  })

  test('of a whole page: style sheets of the body go to its head', () => {
    const layout = layoutOf('<!doctype html><html><head><title>A</title></head><body>{{content}}</body></html>')
    const page = '<html><head><style>.a{color:red}</style></head><body class="x"><p class="a">B</p></body></html>'
    expect(wrapped(layout, page)).toBe(
      '<!doctype html><html><head><title>A</title><style>.a{color:red}</style></head><body><p class="a">B</p></body></html>',
    )
  })

  test('a body of blocks goes in without its page, and with the style sheet of columns', () => {
    const html = wrapBody(layoutOf('<b>Acme</b>{{content}}'), bodyPart(blocks(paragraph(text('Hello'))), ''), asItIs)
    expect(html).not.toMatch(/<html|<body|<!doctype/)
    expect(html).toMatch(/^<style>@media[^<]*\.b-column[^<]*<\/style><b>Acme<\/b><p [^>]*>Hello<\/p>$/)
  })
})

describe('a layout of blocks', () => {
  const simple = documentOf(paragraph(text('Acme')), paragraph(content), { type: 'footer', content: [text('Bye')] })

  test('a body of blocks: one page, the body between header and footer', () => {
    const html = wrapBody(layoutOf(simple, 'block'), bodyPart(blocks(paragraph(text('Hello'))), ''), asItIs)
    expect(html.match(/<html|<body|<!doctype/g)).toHaveLength(3)
    expect(html).toMatch(/Acme<\/p><p [^>]*>Hello<\/p><p class="b-muted"[^>]*>Bye/)
    expect(html).toContain('content="light dark"')
  })

  test('only a place for the body: a mail of blocks looks as it does without it', () => {
    const step = blocks(paragraph(text('Hello')), { type: 'button', attrs: { text: 'Go', url: 'https://a.example' } })
    const { compiled } = judgeLayout(null)
    if (!compiled) throw new Error('it has a slot')
    expect(wrapBody({ compiled }, bodyPart(step, ''), asItIs)).toBe(step.compiled.html)
  })

  test('light only if either says so', () => {
    const red = { ...text('R'), marks: [{ type: 'textStyle', attrs: { color: '#ff0000' } }] }
    const plain = bodyPart(blocks(paragraph(text('A'))), '')
    const coloured = bodyPart(blocks(paragraph(red)), '')
    const html = bodyPart({ controlValues: {} }, '<p>A</p>')
    const red_ = layoutOf(documentOf(paragraph(red), paragraph(content)), 'block')
    const scheme = (layout: ReturnType<typeof layoutOf>, part: typeof plain) =>
      /name="color-scheme" content="([^"]*)"/.exec(wrapBody(layout, part, asItIs))?.[1]
    const plain_ = layoutOf(simple, 'block')
    expect(scheme(plain_, plain)).toBe('light dark')
    expect([scheme(plain_, coloured), scheme(red_, plain), scheme(plain_, html)]).toEqual(Array(3).fill('light only'))
  })

  test('a slot beside other words stands in an element that may hold paragraphs', () => {
    const html = wrapped(layoutOf(documentOf(paragraph(text('Before '), content, text(' after'))), 'block'), '<p>B</p>')
    expect(html).toMatch(/<div style="[^"]*">Before <p>B<\/p> after<\/div>/)
  })

  test.each([
    ['written by hand', documentOf(paragraph(text('{{ content }}')))],
    ['in a section', documentOf({ type: 'section', content: [paragraph(content)] })],
    ['in a column', documentOf({ type: 'columns', content: [{ type: 'column', content: [paragraph(content)] }] })],
    ['in no paragraph', documentOf(content)],
    [
      'with braces, as some documents have them',
      documentOf(paragraph({ type: 'variable', attrs: { id: '{{content}}' } })),
    ],
    [
      'with a mark and a link',
      documentOf(paragraph({ ...content, marks: [{ type: 'link', attrs: { href: 'https://a.example' } }] })),
    ],
  ])('a slot %s', (_name, body) => {
    const html = wrapped(layoutOf(body, 'block'), '<table><tr><td>B</td></tr></table>')
    expect(html.split('<table><tr><td>B</td></tr></table>')).toHaveLength(2)
    expect(html).not.toContain('{{')
    expect(html).not.toMatch(/[\ufdd0\ufdd1]/)
    expect(html).not.toMatch(/<p[^>]*><table>/)
    expect(html).not.toContain('https://a.example')
  })

  test.each([
    ['no slot', documentOf(paragraph(text('A'))), 'has no place for the body: put the variable "content"'],
    ['two slots', documentOf(paragraph(content), paragraph(content)), 'more than one place'],
    [
      'in a repeat',
      documentOf({ type: 'repeat', attrs: { each: 'payload.x' }, content: [paragraph(content)] }),
      'repeats',
    ],
    [
      'in an address',
      documentOf(paragraph(content), { type: 'button', attrs: { text: 'A', url: '{{content}}' } }),
      'cannot stand',
    ],
    [
      'as a condition',
      documentOf(paragraph(content), { ...paragraph(text('A')), attrs: { showIfKey: 'content' } }),
      'cannot stand',
    ],
    [
      'in raw HTML',
      documentOf({ type: 'htmlCodeBlock', content: [text('<p>{{content}}</p>')] }),
      'inside a block of HTML',
    ],
    ['with filters', documentOf(paragraph({ type: 'variable', attrs: { id: 'content | upcase' } })), 'cannot stand'],
    ['no document', '{"type":"page"}', 'is no block document'],
  ])('refused: %s', (_name, body, expected) => {
    const { compiled, faults } = judgeLayout({ body, editorType: 'block' })
    expect(compiled).toBeUndefined()
    expect(faults['controlValues.email.body']?.messages[0]).toContain(expected)
  })

  test('what a document says cannot be taken for the place of the body', () => {
    const html = wrapped(layoutOf(documentOf(paragraph(text('\ufdd0body\ufdd1 A')), paragraph(content)), 'block'), 'B')
    expect(html.indexOf('body A')).toBeGreaterThan(0)
    expect(html.indexOf('B', html.indexOf('body A'))).toBeGreaterThan(0)
  })
})

describe('a body that is a whole page', () => {
  test.each([
    ['<!DOCTYPE html><p>A</p>', true],
    ['<html><p>A</p></html>', true],
    ['<BODY bgcolor=red>A', true],
    ['<p>A</p>', false],
    ['<p>&lt;body> and a bodybuilder</p>', false],
    ['<!-- <body> --><p>A</p>', false],
    ['{% comment %}<html>{% endcomment %}<p>A</p>', false],
    ['<p title="<body >">A</p>', false],
    ['<style>a{}</style><p>A</p>', false],
  ])('%s: %s', (body, expected) => {
    expect(isWholePage(body)).toBe(expected)
  })

  test.each([
    [
      '<html><head><style>a{}</style><title>T</title></head><body>A{{payload.x}}</body></html>',
      'A{{payload.x}}',
      ['a{}'],
    ],
    ['<!doctype html><body style="{{ payload.y | default: "a>b" }}">A', 'A', []],
    ['<html><head>{% assign a = 1 %}{{ a }}</head><body>{{ a }}</body></html>', '{% assign a = 1 %}{{ a }}', []],
    ['<html><body><style>b{}</style>A</body></html>', '<style>b{}</style>A', []],
    ['{% if x %}<html><body>{% endif %}A', '{% if x %}{% endif %}A', []],
    ['<html>A', 'A', []],
    ['<p>A</p>', '<p>A</p>', []],
  ])('%s', (body, expected, styles) => {
    expect(insideOfPage(body)).toEqual({ content: expected, styles })
  })
})

test('versions that were saved before the page around blocks was told apart are compiled anew', () => {
  const { controlValues, compiled } = blocks(paragraph(text('Hello')))
  const { inner: _inner, ...old } = compiled
  expect(bodyPart({ controlValues, compiled: old }, old.html)).toEqual(bodyPart({ controlValues, compiled }, ''))
})

test('hostile bodies are judged at once', () => {
  const hostile = [
    '{{',
    '<',
    '<!--',
    '{%',
    '<body ',
    '{{ content',
    '<style>',
    '{% comment %}',
    '<html><head>',
    '{{content}}',
  ]
  for (const piece of hostile) {
    const body = piece.repeat(Math.floor((64 * 1024) / piece.length))
    const begun = performance.now()
    judgeLayout({ body, editorType: 'html' })
    insideOfPage(body)
    expect(performance.now() - begun, piece).toBeLessThan(1_500)
  }
})
