import type { ReactNode } from 'react'
import { Code } from '../../ui/code.tsx'
import { Icon } from '../../ui/icon.tsx'

type VendorWordsProps = { tone: 'ok' | 'bad' | 'warn'; title: string; words?: string; children?: ReactNode }

const tones = { ok: 'text-ok', bad: 'text-bad', warn: 'text-warn' }

/** What the vendor said, letter by letter. */
export function VendorWords({ tone, title, words, children }: VendorWordsProps) {
  return (
    <div role={tone === 'bad' ? 'alert' : 'status'} className="rounded-md border border-line p-3">
      <p className={`flex items-start gap-2 font-medium ${tones[tone]}`}>
        <Icon name={tone === 'ok' ? 'check' : 'warn'} className="mt-0.5" />
        <span className="min-w-0 break-words">{title}</span>
      </p>
      {words && (
        <div className="mt-2">
          <Code wrap label="The vendor's words" text={words} maxHeight="16rem" />
        </div>
      )}
      {children}
    </div>
  )
}
