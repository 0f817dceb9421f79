import { Extension } from '@tiptap/core'
import { DOMParser, type ParseOptions, type Schema } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'

/** Pasted HTML is read by the rules of the schema, with its styles: many programs say bold and colours only by them. */
export const Paste = Extension.create({
  name: 'paste',
  addProseMirrorPlugins() {
    return [new Plugin({ props: { transformPastedHTML: putAside, clipboardParser: styledParser(this.editor.schema) } })]
  },
})

const tag = /<[a-z][a-z0-9:-]*(?:[^<>"']|"[^"]*"|'[^']*')*>/gi
const attribute = /([^\s"'<>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))/g

/**
 * Styles and handlers under other names: the page's policy forbids both in HTML, so a style would not be there to be read,
 * and each would be a line in the console.
 */
export function putAside(html: string): string {
  return html.replace(tag, (whole) =>
    whole.replace(attribute, (said, name: string, value: string) => {
      if (name.toLowerCase() === 'style') return `data-style${value}`
      return /^on/i.test(name) ? '' : said
    }),
  )
}

function styledParser(schema: Schema): DOMParser {
  const parser = DOMParser.fromSchema(schema)
  const parseSlice = (dom: Node, options?: ParseOptions) => {
    if (dom instanceof Element) restyle(dom)
    return parser.parseSlice(dom, options)
  }
  return Object.assign(Object.create(parser), { parseSlice })
}

/** By a script of the page itself the policy allows it. */
function restyle(root: Element): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
    element.removeAttribute('data-style')
  }
}
