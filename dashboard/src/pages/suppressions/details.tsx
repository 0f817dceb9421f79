import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import type { Suppression } from '../../api/types.ts'
import { channelName } from '../../lib/channels.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Facts } from '../../ui/card.tsx'
import { Mono } from '../../ui/code.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { ReasonBadge, sourceOf } from './columns.tsx'

type DetailsProps = { suppression: Suppression; onClose(): void; onRemoved(): void }

export function Details({ suppression, onClose, onRemoved }: DetailsProps) {
  const [busy, setBusy] = useState(false)
  const { channel, address } = suppression
  const remove = async () => {
    const question = {
      title: `Send to ${address} again?`,
      text: warnings[suppression.reason],
      action: 'Remove',
      danger: true,
    }
    if (!(await confirm(question))) return
    setBusy(true)
    try {
      await api.delete('/v1/suppressions/{channel}/{address}', { path: { channel, address } })
      toast.ok(`${address} is off the list`)
      onRemoved()
      onClose()
    } catch (error) {
      toast.fault(error)
      setBusy(false)
    }
  }
  return (
    <Drawer
      open
      size="sm"
      title="Suppressed address"
      onClose={onClose}
      footer={
        <>
          {channel === 'email' && (
            <ButtonLink icon="activity" href={paths.activity + toSearch({ emails: address })}>
              See activity
            </ButtonLink>
          )}
          <Button needs="operate" kind="danger" icon="trash" busy={busy} onClick={() => void remove()}>
            Remove from the list
          </Button>
        </>
      }
    >
      <Facts items={factsOf(suppression)} />
      <p className="mt-5 text-muted">{meanings[suppression.reason]}</p>
    </Drawer>
  )
}

function factsOf(suppression: Suppression): [string, ReactNode][] {
  const { address, channel, reason, createdAt, messageId } = suppression
  const facts: [string, ReactNode][] = [
    [
      'Address',
      <span key="address" className="font-medium break-all">
        {address}
      </span>,
    ],
    ['Channel', channelName(channel)],
    ['Reason', <ReasonBadge key="reason" reason={reason} />],
    ['Learned from', sourceOf(suppression)],
    ['Since', <Time key="since" at={createdAt} full />],
  ]
  if (messageId) facts.push(['Message', <Mono key="message">{messageId}</Mono>])
  return facts
}

const meanings: Record<Suppression['reason'], string> = {
  bounced: 'Messages to it came back. Steps that would send to it are skipped, and say so in their history.',
  complained:
    'Its owner called a message unwanted. Steps that would send to it are skipped, and say so in their history.',
  unsubscribed: 'Its owner asked for no more. Only critical workflows still reach it; other steps are skipped.',
}
const warnings: Record<Suppression['reason'], string> = {
  bounced:
    'Messages to it came back. If it still does not exist, sending there again harms your standing with mail servers.',
  complained: 'Its owner called a message unwanted. Sending there again without their word harms your standing.',
  unsubscribed: 'Its owner asked for no more messages. Remove it only if they asked for that too.',
}
