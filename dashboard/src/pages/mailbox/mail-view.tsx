import { useState } from 'react'
import type { DevMail } from '../../api/types.ts'
import { channelName } from '../../lib/channels.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { Code } from '../../ui/code.tsx'
import { HtmlFrame } from '../../ui/html-frame.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'

const views = [
  { id: 'rendered', label: 'As people see it' },
  { id: 'text', label: 'Plain text' },
  { id: 'source', label: 'Source' },
] as const
type View = (typeof views)[number]['id']

export function MailView({ mail, onBack }: { mail: DevMail; onBack?: () => void }) {
  return (
    <Card>
      {onBack && (
        <Button size="sm" kind="quiet" icon="left" onClick={onBack} className="-mt-1 -ml-2 mb-2">
          All messages
        </Button>
      )}
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <h2 className="min-w-0 text-lg break-words">{mail.subject ?? `${channelName(mail.channel)} to ${mail.to}`}</h2>
        <ButtonLink size="sm" icon="activity" href={paths.activity + toSearch(activityFilter(mail))}>
          Show in activity
        </ButtonLink>
      </div>
      <Facts
        items={[
          ['To', mail.to],
          ['Delivered', <Time key="at" at={mail.createdAt} full />],
        ]}
      />
      <div className="mt-4">{mail.channel === 'email' ? <Email mail={mail} /> : <Text mail={mail} />}</div>
    </Card>
  )
}

const activityFilter = ({ channel, to }: DevMail) => (channel === 'email' ? { emails: to } : { channels: channel })

function Email({ mail }: { mail: DevMail }) {
  const [view, setView] = useState<View>('rendered')
  return (
    <Tabs label="View" items={views} value={view} onChange={setView}>
      {view === 'rendered' && <HtmlFrame html={mail.content} title={`E-mail: ${mail.subject ?? ''}`} height="32rem" />}
      {view === 'text' && <Code wrap label="Plain text" text={toText(mail.content)} maxHeight="32rem" />}
      {view === 'source' && <Code wrap label="Source" text={mail.content} maxHeight="32rem" />}
    </Tabs>
  )
}

function Text({ mail }: { mail: DevMail }) {
  return (
    <div className="rounded-md bg-bg p-5">
      <p className="max-w-md rounded-2xl rounded-bl-sm bg-neutral-soft px-3.5 py-2 break-words whitespace-pre-wrap">
        {mail.content}
      </p>
      <p className="mt-2 text-xs text-muted">{mail.content.length} characters</p>
    </div>
  )
}

/** Parsed apart from the page: nothing in it is loaded or run. */
function toText(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  for (const element of parsed.querySelectorAll('script, style, head')) element.remove()
  for (const element of parsed.querySelectorAll('p, div, h1, h2, h3, li, tr, br')) element.append('\n')
  return (parsed.body.textContent ?? '')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\n\s*\n\s*/g, '\n\n')
    .trim()
}
