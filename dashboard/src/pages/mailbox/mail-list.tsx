import { useEffect, useRef } from 'react'
import type { DevMail } from '../../api/types.ts'
import { channelIcon } from '../../lib/channels.ts'
import { useKeys } from '../../lib/keys.ts'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'

type MailListProps = { mails: readonly DevMail[]; chosen: string | undefined; onChoose(id: string): void }

/** At most a hundred, so all are drawn. j and k read on. */
export function MailList({ mails, chosen, onChoose }: MailListProps) {
  const list = useRef<HTMLUListElement>(null)
  const walk = (step: number) => {
    const at = mails.findIndex(({ _id }) => _id === chosen)
    const next = mails[Math.min(mails.length - 1, Math.max(0, at + step))]
    if (next) onChoose(next._id)
  }
  useKeys({ j: () => walk(1), k: () => walk(-1) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another mail was chosen
  useEffect(() => {
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <ul ref={list} aria-label="Messages" className="overflow-y-auto lg:max-h-[calc(100dvh-14rem)]">
      {mails.map((mail) => (
        <li key={mail._id} className="border-b border-line last:border-0">
          <MailLine mail={mail} here={mail._id === chosen} onChoose={() => onChoose(mail._id)} />
        </li>
      ))}
    </ul>
  )
}

function MailLine({ mail, here, onChoose }: { mail: DevMail; here: boolean; onChoose(): void }) {
  return (
    <button
      type="button"
      aria-current={here}
      onClick={onChoose}
      className={`flex w-full items-start gap-3 px-3.5 py-2.5 text-left focus-visible:-outline-offset-2 ${
        here ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-hover'
      }`}
    >
      <Icon name={channelIcon(mail.channel)} className="mt-0.5 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-3">
          <span className="truncate font-medium">{mail.subject ?? mail.content}</span>
          <span className="shrink-0 text-xs text-muted">
            <Time at={mail.createdAt} />
          </span>
        </span>
        <span className="block truncate text-sm text-muted">{mail.to}</span>
      </span>
    </button>
  )
}
