import { type ReactNode, useState } from 'react'
import type { SentMessage } from '../../api/types.ts'
import { channelIcon } from '../../lib/channels.ts'
import { Facts } from '../../ui/card.tsx'
import { Code, Json } from '../../ui/code.tsx'
import { HtmlFrame } from '../../ui/html-frame.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { SafeLink } from './safe-link.tsx'

/** The message as the person saw it. `height`: of an e-mail. */
export function MessageView({ message, height = '26rem' }: { message: SentMessage; height?: string }) {
  switch (message.channel) {
    case 'email':
      return <Email message={message} height={height} />
    case 'in_app':
      return <InApp message={message} />
    case 'push':
      return <Push message={message} />
    case 'sms':
    case 'chat':
      return <Bubble message={message} />
  }
}

const views = [
  { id: 'rendered', label: 'As people see it' },
  { id: 'text', label: 'Plain text' },
  { id: 'source', label: 'Source' },
] as const

function Email({ message, height }: { message: SentMessage; height: string }) {
  const [view, setView] = useState<(typeof views)[number]['id']>('rendered')
  const html = message.html ?? message.content
  const from = message.from ? `${message.from.name ?? ''} <${message.from.email}>`.trim() : 'As the integration says'
  const facts: [string, ReactNode][] = [
    [
      'Subject',
      <span key="subject" className="font-medium">
        {message.subject || '(none)'}
      </span>,
    ],
    ['From', from],
    ['To', message.to ?? '–'],
    ...(message.replyTo ? [['Reply to', message.replyTo] as [string, ReactNode]] : []),
  ]
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Facts items={facts} />
      <div>
        <Segments label="View" items={views} value={view} onChange={setView} />
      </div>
      {view === 'rendered' && <HtmlFrame html={html} title={`E-mail: ${message.subject ?? ''}`} height={height} />}
      {view === 'text' && <Code wrap label="Plain text" text={message.text ?? ''} maxHeight={height} />}
      {view === 'source' && <Code wrap label="Source" text={html} maxHeight={height} />}
    </div>
  )
}

/** Pictures of elsewhere are not loaded: no request leaves this page. Their address is shown among the facts. */
function InApp({ message }: { message: SentMessage }) {
  const { cta, avatar, data } = message
  const url = cta.data?.url
  const facts: [string, ReactNode][] = [
    ...(url ? [['Opens', <SafeLink key="url" url={url} />] as [string, ReactNode]] : []),
    ...(avatar ? [['Avatar', <SafeLink key="avatar" url={avatar} />] as [string, ReactNode]] : []),
  ]
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Stage>
        <div className="flex max-w-md gap-3 rounded-lg border border-line bg-raised p-4 shadow-card">
          <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent">
            <Icon name="bell" />
          </span>
          <div className="min-w-0">
            {message.subject && <p className="font-semibold break-words">{message.subject}</p>}
            <p className="break-words whitespace-pre-wrap">{message.content}</p>
            <Buttons cta={cta} />
          </div>
        </div>
      </Stage>
      {facts.length > 0 && <Facts items={facts} />}
      {data && Object.keys(data).length > 0 && <Json value={data} label="Data of the message" maxHeight="12rem" />}
    </div>
  )
}

/** Drawn, not pressed: they are the subscriber's. */
function Buttons({ cta }: Pick<SentMessage, 'cta'>) {
  const buttons = cta.action?.buttons ?? []
  if (buttons.length === 0) return null
  return (
    <p className="mt-2.5 flex flex-wrap gap-2">
      {buttons.map(({ type, content }) => (
        <span
          key={type}
          className={`rounded-md px-2.5 py-1 text-sm font-medium ${type === 'primary' ? 'bg-accent text-on-accent' : 'border border-line-strong'}`}
        >
          {content}
        </span>
      ))}
    </p>
  )
}

function Push({ message }: { message: SentMessage }) {
  return (
    <Stage>
      <div className="flex max-w-sm gap-3 rounded-2xl bg-raised px-4 py-3 shadow-pop">
        <Icon name="push" className="mt-0.5 text-muted" />
        <div className="min-w-0">
          {message.subject && <p className="font-semibold break-words">{message.subject}</p>}
          <p className="break-words whitespace-pre-wrap">{message.content}</p>
        </div>
      </div>
      <To message={message} />
    </Stage>
  )
}

function Bubble({ message }: { message: SentMessage }) {
  return (
    <Stage>
      <p className="max-w-md rounded-2xl rounded-bl-sm bg-neutral-soft px-3.5 py-2 break-words whitespace-pre-wrap">
        {message.content}
      </p>
      <To message={message} />
    </Stage>
  )
}

function To({ message }: { message: SentMessage }) {
  return (
    <p className="mt-2 flex items-center gap-1.5 text-xs break-all text-muted">
      <Icon name={channelIcon(message.channel)} size={12} />
      {message.to ?? message.providerId ?? ''} · {message.content.length} characters
    </p>
  )
}

function Stage({ children }: { children: ReactNode }) {
  return <div className="min-w-0 rounded-md bg-bg p-4">{children}</div>
}
