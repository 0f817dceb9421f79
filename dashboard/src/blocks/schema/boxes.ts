import { mergeAttributes, Node } from '@tiptap/core'
import type { DOMOutputSpec, Node as PmNode } from '@tiptap/pm/model'
import { blockAttributes, colorOf, isLight, pixelsOf, sideOf, styleOf } from './looks.ts'
import { attrsOf, keptAttribute, textOf, type Values } from './stored.ts'

/** Blocks without anything inside them: they say all by their attributes, which are changed beside the editor. */

type Box = {
  name: string
  read?: (element: HTMLElement) => Values | null
  tag?: string
  draw(node: PmNode): DOMOutputSpec[]
}

const box = ({ name, read, tag, draw }: Box) =>
  Node.create({
    name,
    group: 'block',
    atom: true,
    draggable: true,
    addAttributes: () => keptAttribute(read),
    parseHTML: () => [{ tag: `[data-block="${name}"]`, priority: 60 }, ...(tag ? [{ tag }] : [])],
    renderHTML: ({ node, HTMLAttributes }) => [
      'div',
      mergeAttributes(HTMLAttributes, blockAttributes(node)),
      ...draw(node),
    ],
  })

const radii: Record<string, string> = { sharp: '0', smooth: '6px', round: '999px' }

export const Button = box({
  name: 'button',
  draw(node) {
    const { text, alignment, textAlign, variant, buttonColor, textColor, borderRadius, width } = attrsOf(node)
    const color = colorOf(buttonColor) ?? '#111827'
    const isOutline = variant === 'outline'
    const look = styleOf({
      background: isOutline ? 'transparent' : color,
      'border-color': color,
      color: colorOf(textColor) ?? (isOutline ? color : isLight(color) ? '#111827' : '#ffffff'),
      'border-radius': radii[textOf(borderRadius)] ?? pixelsOf(borderRadius, 100) ?? '6px',
      width: width === '100%' ? '100%' : null,
    })
    const row = styleOf({ 'text-align': sideOf(alignment ?? textAlign) })
    return [['div', row, ['span', { class: 'block-button', ...look }, textOf(text) || 'Button']]]
  },
})

/** Pictures are not fetched: this page asks no other server for anything. */
function picture(node: PmNode, what: string): DOMOutputSpec[] {
  const { src, alt, width, alignment } = attrsOf(node)
  const row = styleOf({ 'text-align': sideOf(alignment) })
  const frame = styleOf({ 'max-width': '100%', width: textOf(width).endsWith('%') ? null : pixelsOf(width, 600) })
  const words: DOMOutputSpec[] = [
    ['strong', {}, textOf(alt) || what],
    ['small', {}, textOf(src) || 'no address yet'],
  ]
  return [['div', row, ['span', { class: 'block-picture', ...frame }, ...words]]]
}

export const Image = box({
  name: 'image',
  tag: 'img[src]',
  read: (element) => {
    const [src, alt, width] = ['src', 'alt', 'width'].map((name) => element.getAttribute(name))
    const pixels = pixelsOf(width, 600)
    return { src, ...(alt && { alt }), ...(pixels && { width: pixels }) }
  },
  draw: (node) => picture(node, 'Image'),
})

export const Logo = box({ name: 'logo', draw: (node) => picture(node, 'Logo') })

const heights: Record<string, number> = { sm: 8, md: 16, lg: 32, xl: 64 }

export const spacerHeight = ({ height }: Values) => heights[textOf(height)] ?? pixelsOf(height, 400) ?? 8

export const Spacer = box({
  name: 'spacer',
  draw(node) {
    const pixels = spacerHeight(attrsOf(node))
    return [['div', { class: 'block-spacer', ...styleOf({ height: pixels }) }, ['small', {}, `${pixels} px`]]]
  },
})

export const HorizontalRule = box({ name: 'horizontalRule', tag: 'hr', draw: () => [['hr']] })

export const LinkCard = box({
  name: 'linkCard',
  draw(node) {
    const { title, description, link, linkTitle, badgeText, subTitle } = attrsOf(node)
    const line = (tag: string, text: string): DOMOutputSpec[] => (text ? [[tag, {}, text]] : [])
    return [
      [
        'div',
        { class: 'block-card' },
        ...line('strong', [title, badgeText, subTitle].map(textOf).filter(Boolean).join(' · ') || 'Link card'),
        ...line('span', textOf(description)),
        ...line('u', textOf(linkTitle) || textOf(link)),
      ],
    ]
  },
})
