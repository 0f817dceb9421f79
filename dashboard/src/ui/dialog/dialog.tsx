import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { IconButton } from '../button.tsx'

type DialogProps = {
  open: boolean
  onClose(): void
  title: string
  description?: ReactNode
  children?: ReactNode
  /** Buttons at the foot. */
  footer?: ReactNode
  size?: 'sm' | 'md' | 'lg'
}
const widths = { sm: 'w-[26rem]', md: 'w-[34rem]', lg: 'w-[52rem]' }

/** The browser's own modal dialog: it holds the focus, and Escape closes it. */
export function Dialog(props: DialogProps) {
  const shape = `m-auto max-h-[calc(100dvh-2rem)] max-w-[calc(100vw-2rem)] rounded-xl ${widths[props.size ?? 'md']}`
  return <Modal {...props} shape={shape} />
}

/** From the right edge, the whole height: for the details of one row. The whole screen on a phone. */
export function Drawer(props: DialogProps) {
  const width = { sm: 'sm:w-[26rem]', md: 'sm:w-[36rem]', lg: 'sm:w-[52rem]' }[props.size ?? 'md']
  return (
    <Modal {...props} shape={`m-0 ml-auto h-dvh max-h-none w-screen max-w-full sm:max-w-[90vw] sm:border-l ${width}`} />
  )
}

function Modal({ open, onClose, title, description, children, footer, shape }: DialogProps & { shape: string }) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useModal(element, open)
  if (!open) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without us; the click is one on the backdrop.
    <dialog
      ref={element}
      tabIndex={-1}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === element.current && onClose()}
      className={`overflow-hidden border border-line bg-raised outline-none text-ink shadow-pop open:flex open:flex-col ${shape}`}
    >
      <header className="flex items-start justify-between gap-4 border-b border-line px-5 py-2.5">
        <div className="min-w-0 py-1">
          <h2 id={id} className="text-lg">
            {title}
          </h2>
          {description && <p className="text-sm text-muted">{description}</p>}
        </div>
        <IconButton icon="close" label="Close" onClick={onClose} className="-mr-2" />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
      {footer && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
    </dialog>
  )
}

/** Opens it above everything, and gives the focus back to where it was. Leaving the page is enough to close it. */
export function useModal(element: RefObject<HTMLDialogElement | null>, open: boolean): void {
  useEffect(() => {
    const dialog = element.current
    if (!open || !dialog) return
    const before = document.activeElement
    if (!dialog.open) dialog.showModal()
    // Else the browser would go to the first thing that can be focused: the button that closes it.
    const first = dialog.querySelector<HTMLElement>('[data-autofocus]') ?? dialog
    first.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [element, open])
}
