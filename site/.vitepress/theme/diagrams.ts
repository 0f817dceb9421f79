import address from '@mermaid-js/tiny/dist/mermaid.tiny.js?url'
import { onContentUpdated } from 'vitepress'

/** Mermaid blocks become pictures. Mermaid is loaded by pages that have one; without scripts the block stays as it is. */
type Mermaid = {
  initialize(options: Record<string, unknown>): void
  render(id: string, text: string): Promise<{ svg: string }>
}
declare global {
  var mermaid: Mermaid | undefined
}

let loading: Promise<Mermaid> | undefined
let drawn = 0

export function drawDiagrams(): void {
  onContentUpdated(drawAll)
  if (typeof document === 'undefined') return
  // Its colours are part of the picture: light or dark, it is drawn anew.
  new MutationObserver(drawAll).observe(document.documentElement, { attributeFilter: ['class'] })
}

async function drawAll(): Promise<void> {
  const blocks = document.querySelectorAll<HTMLElement>('.language-mermaid')
  if (blocks.length === 0) return
  loading ??= load()
  const mermaid = await loading
  const isDark = document.documentElement.classList.contains('dark')
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    look: 'classic',
    fontFamily: 'inherit',
    theme: isDark ? 'dark' : 'neutral',
    // Behind words on a line: as the page is (--vp-c-bg).
    themeVariables: { edgeLabelBackground: isDark ? '#1b1b1f' : '#ffffff' },
  })
  for (const block of blocks) await draw(mermaid, block)
}

async function draw(mermaid: Mermaid, block: HTMLElement): Promise<void> {
  const text = block.querySelector('code')?.textContent ?? ''
  const { svg } = await mermaid.render(`diagram-${++drawn}`, text)
  const before = block.previousElementSibling
  const picture = before?.matches('.diagram') ? before : document.createElement('figure')
  picture.className = 'diagram'
  picture.innerHTML = svg
  const drawing = picture.querySelector('svg')
  // Smaller than this nobody reads it: a wide one is scrolled.
  if (drawing) drawing.style.minWidth = `${drawing.viewBox.baseVal.width * 0.6}px`
  picture.append(fullScreenButton(picture))
  block.before(picture)
  block.hidden = true
}

function fullScreenButton(picture: Element): HTMLButtonElement {
  const button = document.createElement('button')
  button.textContent = 'Full screen'
  button.onclick = () => (document.fullscreenElement ? document.exitFullscreen() : picture.requestFullscreen())
  return button
}

function load(): Promise<Mermaid> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.onload = () => (globalThis.mermaid ? resolve(globalThis.mermaid) : reject(new Error('mermaid is not there')))
    script.onerror = () => reject(new Error('mermaid was not loaded'))
    document.head.append(script)
  })
}
