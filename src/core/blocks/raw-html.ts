import { Parser } from 'htmlparser2'
import { templateFault } from '../../render/liquid.ts'
import { isHarmless } from './attributes.ts'
import { type BlockNode, DocumentFault } from './document.ts'
import { clean, escapeText, type Page, type Place, short, variable, warn } from './page.ts'
import { replaceSpans } from './replace-spans.ts'

/**
 * HTML that somebody wrote by hand, in a block of its own. It is a template like an HTML body, but it must stay within
 * its block: it is read as HTML and written anew, every element closed, without what could run.
 */
export function rawHtml(page: Page, place: Place, content: readonly BlockNode[]): string {
  const source = content.map((node) => sourceOf(page, place, node)).join('')
  const fault = templateFault(source)
  if (fault !== null) throw new DocumentFault(`has a block of HTML that is not a valid template: ${fault}`)
  if (page.slots && /\{\{-?\s*content\s*[|}-]/.test(source)) {
    throw new DocumentFault('has "content" inside a block of HTML: make it a variable outside of it')
  }
  // How it looks on a dark page is not known.
  page.isLightOnly = true
  const { html, marks } = withoutTemplate(source)
  const written = writeHtml(page, html)
  return `<div>${written.replace(mark, (_whole, number: string) => marks[Number(number)] ?? '')}</div>`
}

function sourceOf(page: Page, place: Place, { type, text, attrs }: BlockNode): string {
  if (type === 'text') return clean(text)
  if (type === 'variable') return variable(page, place, attrs.id, attrs)
  return type === 'hardBreak' ? '\n' : ''
}

// Outputs and tags stand as these while the HTML is read; nobody writes such characters.
const [opens, closes] = ['\ue000', '\ue001']
const mark = new RegExp(`${opens}(\\d+)${closes}`, 'g')

function withoutTemplate(source: string): { html: string; marks: string[] } {
  const marks: string[] = []
  const html = replaceSpans(
    source.replaceAll(/[\ue000\ue001]/g, ''),
    [
      ['{{', '}}'],
      ['{%', '%}'],
    ],
    (token) => `${opens}${marks.push(token) - 1}${closes}`,
  )
  return { html, marks }
}

const names = (words: string) => new Set(words.split(' '))
const known = names(
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr',
)
const empty = names('br col hr img wbr')
/** They hold no text of the mail. */
const dropped = names(
  'script style title iframe object embed applet noembed noframes noscript template svg math textarea select xmp audio video canvas map portal',
)
/** A whole page is taken apart without a word. */
const silent = names('html head body meta link title base style')
const attributes = names(
  'href src alt title width height align valign bgcolor border cellpadding cellspacing colspan rowspan role style class id dir lang color face size start type value target nowrap scope headers summary datetime cite',
)
const maxElements = 2_000
const maxOpen = 60
const maxStyleChars = 16 * 1024

/** The same HTML with every element closed. Its style sheets go to the head of the mail, where mail programs read them. */
function writeHtml(page: Page, html: string): string {
  const out: string[] = []
  /** Elements that are left out with all they hold. */
  const left: { name: string; text: string }[] = []
  const open = { count: 0, levels: 0 }
  const parser = new Parser({
    onopentag(name, given) {
      open.count += 1
      if (open.count > maxElements || open.levels >= maxOpen) {
        throw new DocumentFault(`has a block of HTML of more than ${maxElements} elements, or ${maxOpen} levels`)
      }
      if (left.length > 0 || dropped.has(name)) {
        left.push({ name, text: '' })
        if (!silent.has(name)) warn(page, `"${short(name)}" elements are left out of raw HTML`)
      } else if (known.has(name)) {
        out.push(`<${name}${attributesHtml(page, name, given)}>`)
        if (!empty.has(name)) open.levels += 1
      } else if (!silent.has(name)) {
        warn(page, `"${short(name)}" elements are left out of raw HTML, but not what they hold`)
      }
    },
    ontext(text) {
      const last = left.at(-1)
      if (last) last.text += text
      else out.push(escapeText(text))
    },
    onclosetag(name) {
      const ended = left.pop()
      if (ended?.name === 'style') keepStyle(page, ended.text)
      if (ended || !known.has(name) || empty.has(name)) return
      open.levels -= 1
      out.push(`</${name}>`)
    },
    oncomment(text) {
      if (text.startsWith('[if')) warn(page, 'comments for single mail programs are left out of raw HTML')
    },
  })
  parser.end(html)
  return out.join('')
}

function keepStyle(page: Page, text: string): void {
  const css = replaceSpans(clean(text), [['/*', '*/']], () => '').trim()
  if (css === '') return
  // Not a brace that begins a template: a style sheet has no other way to write it.
  if (css.length <= maxStyleChars && isHarmlessCss(css) && !/\{[{%]/.test(css)) page.styles.push(css)
  else warn(page, 'a style sheet with values, imports, addresses or scripts is left out of raw HTML')
}

function attributesHtml(page: Page, element: string, given: Record<string, string>): string {
  const kept = Object.entries(given).flatMap(([name, value]) => {
    const isKept = (attributes.has(name) || /^aria-[a-z]{1,20}$/.test(name)) && isHarmlessValue(element, name, value)
    if (!isKept) warn(page, `"${short(name)}" of "${element}" is left out of raw HTML`)
    return isKept ? [` ${name}="${escapeText(value)}"`] : []
  })
  return kept.join('')
}

function isHarmlessValue(element: string, name: string, value: string): boolean {
  if (name === 'href' || name === 'cite') return isHarmless(clean(value).trim(), 'link')
  if (name === 'src') return isHarmless(clean(value).trim(), element === 'img' ? 'image' : 'link')
  return name !== 'style' || isHarmlessCss(value)
}

/** Without what loads or runs something. A backslash could hide any word. */
function isHarmlessCss(css: string): boolean {
  return !/[<\\\ue000]|expression|javascript|vbscript|@import|behaviou?r\s*:|-moz-binding|url\s*\((?!\s*["']?https?:)/i.test(
    css,
  )
}
