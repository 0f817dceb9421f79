import type { Page } from './page.ts'

/** Around every mail of blocks: as wide as mail programs show it well, and in one column on a telephone. */

export const pageWidth = 600
export const linkColor = '#2563eb'
export const table = '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
const fonts = 'Arial,Helvetica,sans-serif'

const narrow =
  '@media only screen and (max-width:480px){.b-column{display:block!important;width:100%!important;padding:0 0 12px!important;box-sizing:border-box}.b-page{padding:16px!important}}'
const dark =
  '@media (prefers-color-scheme:dark){.b-body,.b-page{background:#16181d!important;color:#e6e8ec!important}.b-link{color:#8ab4f8!important}.b-muted{color:#a3abb8!important}}'
// Outlook takes its own font for everything inside a table.
const forOutlook = `<!--[if mso]><style>table,td,p,div,li,a,h1,h2,h3,h4,h5,h6{font-family:${fonts}}</style><![endif]-->`

/** Of columns beside each other; a mail inside somebody else's page needs it, too. */
export const columnStyles = narrow

export type Look = Pick<Page, 'styles' | 'isLightOnly'>

export function frame(look: Look, content: string): string {
  const [before, after] = frameAround(look)
  return before + content + after
}

/** What stands before and after the content. */
export function frameAround({ styles, isLightOnly }: Look): [before: string, after: string] {
  const scheme = isLightOnly ? 'light only' : 'light dark'
  const before = [
    '<!doctype html><html><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="x-apple-disable-message-reformatting">',
    `<meta name="color-scheme" content="${scheme}"><meta name="supported-color-schemes" content="${scheme}">`,
    `<style>:root{color-scheme:${scheme}}${narrow}${isLightOnly ? '' : dark}</style>`,
    ...styles.map((css) => `<style>${css}</style>`),
    `${forOutlook}</head>`,
    '<body class="b-body" style="margin:0;padding:0;background:#ffffff;color:#1f2937">',
    `${table}><tr><td align="center">`,
    `<!--[if mso]><table role="presentation" width="${pageWidth}" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->`,
    `${table} style="max-width:${pageWidth}px"><tr><td class="b-page" align="left" style="padding:24px;color:#1f2937;font-family:${fonts};font-size:15px;line-height:24px">`,
  ]
  const after = [
    '</td></tr></table>',
    '<!--[if mso]></td></tr></table><![endif]-->',
    '</td></tr></table></body></html>',
  ]
  return [before.join(''), after.join('')]
}
