import { useState } from 'react'
import type { StepPreview } from '../../../api/types.ts'
import { useAtLeast } from '../../../lib/media.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Segments } from '../../../ui/tabs.tsx'
import { Time } from '../../../ui/time.tsx'
import { textAt, type Values, valueAt } from '../draft.ts'
import { MailFrame, mailWidths } from './mail-frame.tsx'

/** What the person would see, drawn like the thing itself. Links are dead. */
export function PreviewMessage({ result }: { result: StepPreview['result'] }) {
  const { type, preview } = result
  switch (type) {
    case 'email':
      return <Email preview={preview} />
    case 'in_app':
      return <InApp preview={preview} />
    case 'push':
      return <Push preview={preview} />
    case 'sms':
    case 'chat':
      return <Bubble preview={preview} isText={type === 'sms'} />
    case 'delay':
    case 'digest':
    case 'throttle':
      return <Wait type={type} preview={preview} />
    case 'custom':
      return <Code text={JSON.stringify(preview, null, 2)} />
  }
}

const views = [
  { id: 'desktop', label: 'Desktop' },
  { id: 'phone', label: 'Phone' },
  { id: 'text', label: 'Plain text' },
] as const

function Email({ preview }: { preview: Values }) {
  const [view, setView] = useState<'desktop' | 'phone' | 'text'>(useAtLeast('sm') ? 'desktop' : 'phone')
  const [isLarge, setLarge] = useState(false)
  const body = textAt(preview, 'body')
  const sender = [textAt(preview, 'from.name'), textAt(preview, 'from.email') && `<${textAt(preview, 'from.email')}>`]
  const lines = [
    ['From', sender.filter(Boolean).join(' ')],
    ['To', textAt(preview, 'to')],
    ['Reply to', textAt(preview, 'replyTo')],
    ['Preheader', textAt(preview, 'preheader')],
  ].filter(([, text]) => text)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1 empty:hidden">
        {textAt(preview, 'subject') && (
          <p className="text-lg font-semibold break-words">{textAt(preview, 'subject')}</p>
        )}
        {lines.map(([name, text]) => (
          <p key={name} className="text-sm break-words text-muted">
            {name}: <span className="text-ink">{text}</span>
          </p>
        ))}
      </div>
      <div className="flex items-center justify-between gap-2">
        <Segments label="View" items={views} value={view} onChange={setView} />
        {view !== 'text' && <IconButton icon="external" label="Show in full size" onClick={() => setLarge(true)} />}
      </div>
      {view === 'text' ? (
        <Code wrap label="Plain text" text={textAt(preview, 'text')} maxHeight="26rem" />
      ) : (
        <MailFrame html={body} title="E-mail preview" width={mailWidths[view]} height={420} />
      )}
      {isLarge && view !== 'text' && (
        <Dialog open size="lg" title={textAt(preview, 'subject') || 'E-mail'} onClose={() => setLarge(false)}>
          <MailFrame html={body} title="E-mail in full size" width={mailWidths[view]} height={560} />
        </Dialog>
      )}
    </div>
  )
}

function InApp({ preview }: { preview: Values }) {
  const url = textAt(preview, 'redirect.url')
  return (
    <Stage>
      <div className="flex gap-3 rounded-lg border border-line bg-surface p-3 shadow-card">
        <span className="flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
          <Icon name="bell" />
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-1">
          {textAt(preview, 'subject') && <p className="font-semibold break-words">{textAt(preview, 'subject')}</p>}
          <p className="break-words whitespace-pre-wrap">{textAt(preview, 'body')}</p>
          <Actions preview={preview} />
          <p className="text-xs text-muted">just now</p>
        </div>
        <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent" />
      </div>
      {url && <p className="mt-2 text-xs break-all text-muted">Leads to {url}</p>}
    </Stage>
  )
}

/** They look like buttons and do nothing: what they would open is said beside them. */
function Actions({ preview }: { preview: Values }) {
  const actions = (['primaryAction', 'secondaryAction'] as const).filter((name) => textAt(preview, `${name}.label`))
  if (actions.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2 py-1">
      {actions.map((name) => (
        <span
          key={name}
          title={textAt(preview, `${name}.redirect.url`)}
          className={`rounded-md border px-2.5 py-1 text-sm font-medium ${
            name === 'primaryAction' ? 'border-transparent bg-accent text-on-accent' : 'border-line-strong'
          }`}
        >
          {textAt(preview, `${name}.label`)}
        </span>
      ))}
    </div>
  )
}

function Push({ preview }: { preview: Values }) {
  return (
    <Stage>
      <div className="rounded-2xl border border-line bg-surface px-4 py-3 shadow-pop">
        <p className="mb-0.5 text-xs text-muted">Your app · now</p>
        {textAt(preview, 'subject') && <p className="font-semibold break-words">{textAt(preview, 'subject')}</p>}
        <p className="break-words whitespace-pre-wrap">{textAt(preview, 'body')}</p>
      </div>
    </Stage>
  )
}

function Bubble({ preview, isText }: { preview: Values; isText: boolean }) {
  const body = textAt(preview, 'body')
  return (
    <Stage>
      <p className="w-fit max-w-full rounded-2xl rounded-bl-sm border border-line bg-surface px-3.5 py-2 break-words whitespace-pre-wrap">
        {body}
      </p>
      {isText && (
        <p className="mt-2 text-xs text-muted">
          {textAt(preview, 'to') ? `To ${textAt(preview, 'to')} · ` : 'They have no phone number · '}
          {smsSize(body)}
        </p>
      )}
    </Stage>
  )
}

/** 160 characters of the old alphabet fit into one; anything else halves that and more. */
function smsSize(text: string): string {
  const isPlain = /^[\x20-\x7e\n\r£¥èéùìòÇØøÅåÆæßÉ¤¡ÄÖÑÜ§¿äöñüà€]*$/.test(text)
  const [one, many] = isPlain ? [160, 153] : [70, 67]
  const parts = text.length <= one ? 1 : Math.ceil(text.length / many)
  return `${text.length} characters, ${parts === 1 ? 'one text' : `${parts} texts`}`
}

const waits = {
  delay: 'An event that came now would go on',
  digest: 'A window opened now would close',
  throttle: 'A window opened now would end',
}

function Wait({ type, preview }: { type: keyof typeof waits; preview: Values }) {
  const until = valueAt(preview, 'until')
  return (
    <Stage>
      <p className="text-muted">{waits[type]}</p>
      <p className="text-lg font-semibold">{typeof until === 'string' ? <Time at={until} full /> : 'not known yet'}</p>
      {typeof until === 'string' && (
        <p className="mt-1 text-sm text-muted">In your clock; it is reckoned by the clock of the person.</p>
      )}
    </Stage>
  )
}

function Stage({ children }: { children: React.ReactNode }) {
  return <div className="rounded-md border border-line bg-bg p-4">{children}</div>
}
