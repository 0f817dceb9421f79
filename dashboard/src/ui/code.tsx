import { useState } from 'react'
import { IconButton } from './button.tsx'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard?.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return <IconButton icon={copied ? 'check' : 'copy'} label={copied ? 'Copied' : label} onClick={copy} />
}

/** Text to read or copy as it is. `label` says what it is to a screen reader. */
export function Code({
  text,
  label = 'Code',
  wrap,
  maxHeight = '24rem',
}: {
  text: string
  label?: string
  wrap?: boolean
  maxHeight?: string
}) {
  return (
    <div className="group relative min-w-0 rounded-md border border-line bg-bg">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        style={{ maxHeight }}
        className={`overflow-auto p-3 pr-11 font-mono text-xs leading-5 ${wrap ? 'break-words whitespace-pre-wrap' : ''}`}
      >
        {text}
      </pre>
      <div className="absolute top-1 right-1 rounded-md bg-bg">
        <CopyButton text={text} />
      </div>
    </div>
  )
}

const token =
  /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g

/** A value as indented JSON, lightly coloured. */
export function Json({
  value,
  label = 'JSON',
  maxHeight = '24rem',
}: {
  value: unknown
  label?: string
  maxHeight?: string
}) {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return (
    <div className="relative min-w-0 rounded-md border border-line bg-bg">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        style={{ maxHeight }}
        className="overflow-auto p-3 pr-11 font-mono text-xs leading-5"
      >
        {colour(text)}
      </pre>
      <div className="absolute top-1 right-1 rounded-md bg-bg">
        <CopyButton text={text} />
      </div>
    </div>
  )
}

function colour(text: string) {
  const parts: React.ReactNode[] = []
  let from = 0
  for (const match of text.matchAll(token)) {
    const [whole, name, string] = match
    parts.push(text.slice(from, match.index))
    const tone = name ? 'text-accent' : string ? 'text-ok' : 'text-warn'
    parts.push(
      <span key={match.index} className={tone}>
        {whole}
      </span>,
    )
    from = match.index + whole.length
  }
  parts.push(text.slice(from))
  return parts
}

/** An id or key in running text. */
export function Mono({ children }: { children: React.ReactNode }) {
  return <span className="font-mono text-[0.92em]">{children}</span>
}
