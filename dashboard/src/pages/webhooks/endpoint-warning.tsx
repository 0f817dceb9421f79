import type { ReactNode } from 'react'
import type { WebhookEndpoint } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { useEnable } from './queries.ts'
import { disabledAt, reasonWords, stateOf } from './states.ts'

/** What somebody must know who relies on this endpoint. Nothing where all is well. `named`: it stands alone. */
export function EndpointWarning({ endpoint, named = false }: { endpoint: WebhookEndpoint; named?: boolean }) {
  const state = stateOf(endpoint)
  const { enable, isBusy } = useEnable(endpoint._id)
  const name = named ? <span className="break-all">{endpoint.url}</span> : 'This endpoint'
  if (state === 'gaveUp')
    return (
      <Note
        tone="bad"
        title={<>{name} was disabled</>}
        action={
          <Button
            needs="credentials"
            size="sm"
            busy={isBusy}
            onClick={enable}
            aria-label={`Enable again: ${endpoint.url}`}
          >
            Enable again
          </Button>
        }
      >
        {reasonWords(endpoint.disabledReason ?? '')} Until it is enabled again it is told nothing, and nothing is kept
        for it.
      </Note>
    )
  if (state === 'failing' && endpoint.failingSince)
    return (
      <Note tone="warn" title={<>{name} fails</>}>
        Everything that was tried has failed since <Time at={endpoint.failingSince} full />. If nothing arrives, it is
        disabled on <Time at={disabledAt(endpoint.failingSince)} full />.
      </Note>
    )
  return null
}

type NoteProps = { tone: 'bad' | 'warn'; title: ReactNode; action?: ReactNode; children: ReactNode }
const tones = { bad: 'border-bad/40 bg-bad-soft text-bad', warn: 'border-warn/40 bg-warn-soft text-warn' }

function Note({ tone, title, action, children }: NoteProps) {
  return (
    <div
      role="status"
      className={`mb-3 flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md border px-3 py-2.5 ${tones[tone]}`}
    >
      <Icon name="warn" className="mt-0.5" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium">{title}</p>
        <p className="text-ink">{children}</p>
      </div>
      {action}
    </div>
  )
}
