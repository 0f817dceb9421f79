import { useEffect, useRef } from 'react'

type Handlers = Record<string, (event: KeyboardEvent) => void>

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** The time between the two keys of a jump like `g a`. */
const sequenceMs = 1000
let prefix = ''
let prefixAt = 0

/** The name of a stroke as written in help: `j`, `?`, `Enter`, `g a`. A stroke with a modifier is the browser's. */
function strokeOf(event: KeyboardEvent): string {
  const waiting = prefix && event.timeStamp - prefixAt < sequenceMs ? prefix : ''
  return waiting ? `${waiting} ${event.key}` : event.key
}

/** Keys of a page or component. They rest while somebody types and while a dialog is open. */
export function useKeys(handlers: Handlers, enabled = true): void {
  const current = useRef(handlers)
  current.current = handlers
  useEffect(() => {
    if (!enabled) return
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return
      const handler = current.current[strokeOf(event)]
      if (!handler) return
      event.preventDefault()
      handler(event)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [enabled])
}

// Remembers a leading `g`. Not before all handlers have seen the stroke: between two of them microtasks run, timers do not.
window.addEventListener('keydown', (event) => {
  const starts = event.key === 'g' && !prefix && !isTyping(event.target)
  setTimeout(() => {
    prefix = starts ? 'g' : ''
    prefixAt = event.timeStamp
  })
})
