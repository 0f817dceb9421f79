import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What is wrong with the page as it stands: too wide, stray scrollbars, serious findings of axe. */
export async function faultsOf(page: Page, name: string): Promise<string[]> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  const stray = await page.evaluate(strayScrollbars)
  // Half a megabyte to read: once for each load of the page.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource)
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults
  return [
    ...(tooWide > 0 ? [`${name}: ${tooWide} px too wide`] : []),
    ...stray.map((where) => `${name}: a scrollbar for a pixel or two in ${where}`),
    ...violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => `${name}: ${impact} ${id}: ${nodes.map(({ target }) => target).join(' | ')}`),
  ]
}

/** What scrolls by next to nothing: seen only where scrollbars always show. Runs in the page. */
function strayScrollbars(): string[] {
  const isStray = (over: number, overflow: string) => over > 0 && over < 4 && ['auto', 'scroll'].includes(overflow)
  return [...document.querySelectorAll('*')].flatMap((it) => {
    const { overflowX, overflowY } = getComputedStyle(it)
    const tall = isStray(it.scrollHeight - it.clientHeight, overflowY)
    const wide = isStray(it.scrollWidth - it.clientWidth, overflowX)
    return tall || wide ? [`${it.tagName} ${it.getAttribute('aria-label') ?? it.className}`] : []
  })
}

/** No skeleton, no spinner, and the same text twice. */
export async function settled(page: Page): Promise<void> {
  for (let tries = 0, last = ''; tries < 80; tries++) {
    const text = await page.evaluate(() => {
      const busy = document.querySelector('.animate-pulse, .animate-spin')
      return busy ? '' : document.body.innerText
    })
    if (text && text === last) return
    last = text
    await page.waitForTimeout(120)
  }
}
