import { addressOf, colorOf, isLight, pixelsOf, sideOf } from './attributes.ts'
import type { Attributes } from './document.ts'
import { linkColor, pageWidth, table } from './frame.ts'
import { escapeText, type Page, type Place, short, textOf, textWithVariables, variable, warn } from './page.ts'

/** Blocks without anything inside them: they say all by their attributes. */

const row = (align: string, below: number, html: string) =>
  `${table}><tr><td align="${align}" style="padding:0 0 ${below}px">${html}</td></tr></table>`

const radii: Record<string, string> = { sharp: '0', smooth: '6px', round: '999px' }

/** Outlook paints the cell, so the whole button has its colour there, too. */
export function button(page: Page, place: Place, attrs: Attributes, below: number): string {
  const isFilled = attrs.variant !== 'outline'
  const color = colorOf(page, attrs.buttonColor) ?? '#111827'
  const ink = colorOf(page, attrs.textColor) ?? (isFilled ? (isLight(color) ? '#111827' : '#ffffff') : color)
  if (!isFilled && !place.hasBackground) page.isLightOnly = true
  const padding = ['Top', 'Right', 'Bottom', 'Left']
    .map((side, at) => `${pixelsOf(attrs[`padding${side}`], 100) ?? (at % 2 === 0 ? 10 : 32)}px`)
    .join(' ')
  const label = labelOf(page, place, attrs)
  const href = addressOf(page, place, attrs.url, { kind: 'link', isVariable: attrs.isUrlVariable, of: attrs })
  if (href === null) warn(page, `the button "${short(textOf(attrs.text))}" leads nowhere`)
  const look = `display:inline-block;padding:${padding};color:${ink};font-size:14px;line-height:20px;font-weight:600;text-decoration:none`
  const inside =
    href === null
      ? `<span style="${look}">${label}</span>`
      : `<a class="b-button" href="${href}" target="_blank" style="${look}">${label || href}</a>`
  const radius = radii[textOf(attrs.borderRadius)] ?? `${pixelsOf(attrs.borderRadius, 100) ?? 6}px`
  const background = isFilled ? ` bgcolor="${color}"` : ''
  const cell = `${isFilled ? `background:${color};` : ''}border:2px solid ${color};border-radius:${radius};mso-padding-alt:${padding}`
  const width = attrs.width === '100%' ? ' width="100%"' : ''
  return row(
    sideOf(attrs.alignment ?? attrs.textAlign, 'left'),
    below,
    `<table role="presentation"${width} cellpadding="0" cellspacing="0" border="0"><tr><td${background} align="center" style="${cell}">${inside}</td></tr></table>`,
  )
}

function labelOf(page: Page, place: Place, attrs: Attributes): string {
  const text = textOf(attrs.text)
  if (attrs.isTextVariable !== true) return textWithVariables(page, place, text)
  return variable(page, place, text, { aliasFor: attrs.aliasFor })
}

export function image(page: Page, place: Place, attrs: Attributes, below: number): string {
  // In percent it is as wide as it can be.
  const width = textOf(attrs.width).endsWith('%') ? null : pixelsOf(attrs.width, pageWidth)
  const height = width ? null : pixelsOf(attrs.height, 2_000)
  const radius = pixelsOf(attrs.borderRadius, 400)
  const size = [
    ...(width ? [`width:${width}px`] : []),
    height ? `height:${height}px` : 'height:auto',
    ...(radius ? [`border-radius:${radius}px`] : []),
  ]
  const shown = { alt: attrs.alt ?? attrs.title, size, width, height }
  return linked(page, place, attrs, sideOf(attrs.alignment, 'center'), below, imageHtml(page, place, attrs, shown))
}

const logoHeights: Record<string, number> = { sm: 40, md: 48, lg: 64 }

export function logo(page: Page, place: Place, attrs: Attributes, below: number): string {
  const height = logoHeights[textOf(attrs.size)] ?? pixelsOf(attrs.size, 400) ?? 40
  const shown = { alt: attrs.alt ?? attrs.title, size: [`height:${height}px`, 'width:auto'], width: null, height }
  return linked(page, place, attrs, sideOf(attrs.alignment, 'left'), below, imageHtml(page, place, attrs, shown))
}

type Shown = { alt: unknown; size: string[]; width: number | null; height: number | null }

function imageHtml(page: Page, place: Place, attrs: Attributes, { alt, size, width, height }: Shown): string {
  const src = addressOf(page, place, attrs.src, { kind: 'image', isVariable: attrs.isSrcVariable, of: attrs })
  // Without a picture there is at least what it shows.
  if (src === null) return textWithVariables(page, place, textOf(alt))
  const sides = `${width ? ` width="${width}"` : ''}${height ? ` height="${height}"` : ''}`
  const style = `display:block;max-width:100%;border:0;${size.join(';')}`
  return `<img src="${src}" alt="${textWithVariables(page, place, textOf(alt))}"${sides} style="${style}">`
}

function linked(page: Page, place: Place, attrs: Attributes, side: string, below: number, html: string): string {
  const options = { kind: 'link', isVariable: attrs.isExternalLinkVariable, of: attrs } as const
  const href = addressOf(page, place, attrs.externalLink, options)
  if (html === '' && href === null) return ''
  return row(
    side,
    below,
    href === null
      ? html
      : `<a href="${href}" target="_blank" style="text-decoration:none">${html || escapeText('…')}</a>`,
  )
}

/** A title, some words and a link in a frame. */
export function linkCard(page: Page, place: Place, attrs: Attributes, below: number): string {
  const of = (name: string) => textWithVariables(page, place, textOf(attrs[name]))
  const href = addressOf(page, place, attrs.link, { kind: 'link', isVariable: attrs.isLinkVariable, of: attrs })
  const src = addressOf(page, place, attrs.image, { kind: 'image', isVariable: attrs.isImageVariable, of: attrs })
  const [title, subTitle, badge] = [of('title'), of('subTitle'), of('badgeText')]
  const picture =
    src && `<img src="${src}" alt="" width="${pageWidth - 50}" style="display:block;width:100%;height:auto;border:0">`
  const badgeHtml =
    badge && ` <span style="padding:2px 8px;border-radius:8px;background:#fef08a;font-size:12px">${badge}</span>`
  const subTitleHtml = subTitle && ` <span style="font-size:12px;color:#64748b">${subTitle}</span>`
  const linkText = of('linkTitle') || (href ?? '')
  const parts = [
    title || badge || subTitle
      ? `<p style="margin:0 0 8px;font-size:18px;line-height:24px"><strong>${title}</strong>${badgeHtml}${subTitleHtml}</p>`
      : '',
    attrs.description ? `<p style="margin:0 0 8px;font-size:15px;line-height:24px">${of('description')}</p>` : '',
    href === null
      ? of('linkTitle')
      : `<p style="margin:0;font-size:14px;line-height:20px"><a href="${href}" target="_blank" style="color:${linkColor}">${linkText}</a></p>`,
  ]
  const look = 'border:1px solid #e5e7eb;border-radius:10px;background:#ffffff;color:#111827;padding:16px'
  const card = `${table}><tr><td bgcolor="#ffffff" style="${look}">${picture ?? ''}${parts.join('')}</td></tr></table>`
  return row('left', below, card)
}
