import { useLayoutEffect, useRef, useState } from 'react'
import { HtmlFrame } from '../../../ui/html-frame.tsx'

/** How wide a mail is shown: as in a window, and as on a telephone. */
export const mailWidths = { desktop: 700, phone: 390 } as const

type MailFrameProps = { html: string; title: string; width: number; height: number }

/** A mail at its true width, made smaller where there is less room: at another width it would look otherwise. */
export function MailFrame({ html, title, width, height }: MailFrameProps) {
  const box = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<number>(width)
  useLayoutEffect(() => {
    if (!box.current) return
    const look = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.width))
    look.observe(box.current)
    return () => look.disconnect()
  }, [])
  const scale = Math.min(room / width, 1)
  return (
    <div ref={box} style={{ height }} className="overflow-hidden">
      <div
        style={{ width, transform: `scale(${scale})`, marginLeft: Math.max((room - width * scale) / 2, 0) }}
        className="origin-top-left"
      >
        <HtmlFrame html={html} title={title} height={height / scale} />
      </div>
    </div>
  )
}
