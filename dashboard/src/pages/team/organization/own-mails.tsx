import { useState } from 'react'
import { toFault } from '../../../api/fault.ts'
import type { Organization } from '../../../api/types.ts'
import { useMay } from '../../../lib/may.ts'
import { paths } from '../../../lib/paths.ts'
import { Anchor } from '../../../ui/anchor.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Select } from '../../../ui/form/form.tsx'
import { ReadOnly } from '../../../ui/form/read-only.tsx'
import { type MailSender, senderValue, useChange, useMailSenders } from './queries.ts'

/** What sends invitations and links to reset a password. Without it both are handed over as links. */
export function OwnMails({ organization }: { organization: Organization }) {
  const may = useMay('signIn')
  return (
    <Card
      title="Our own mails"
      description="Invitations, and links for those who forgot their password."
      actions={<State organization={organization} />}
    >
      <div className="flex max-w-xl flex-col gap-4">
        <Way organization={organization} />
        <Choose organization={organization} isReadOnly={!may} />
        {!may && <p className="text-sm text-muted">Owners choose it: what sends these mails can read their links.</p>}
      </div>
    </Card>
  )
}

function State({ organization: { mailFault } }: { organization: Organization }) {
  return mailFault === undefined ? <Badge tone="ok">mails are sent</Badge> : <Badge tone="warn">no mails</Badge>
}

/** What happens now, in words. */
function Way({ organization: { mail, mailBy, mailFault } }: { organization: Organization }) {
  if (mailFault !== undefined)
    return (
      <div className="flex flex-col gap-1.5">
        <p>
          <strong className="font-semibold">No mails are sent.</strong> {mailFault}
        </p>
        <p className="text-muted">
          Whoever invites somebody is shown a link to hand over. Who forgets a password gets one from whoever runs this
          Tidings: <span className="font-mono text-xs">npm start -- people link</span>.
        </p>
      </div>
    )
  if (mail === null)
    return (
      <p>
        Nothing is chosen. In development they go to the{' '}
        <Anchor href={paths.mailbox} className="text-accent underline">
          mailbox
        </Anchor>{' '}
        of the first environment; in production none would be sent.
      </p>
    )
  return <p>They go through {mailBy?.name}.</p>
}

function Choose({ organization: { mail }, isReadOnly }: { organization: Organization; isReadOnly: boolean }) {
  const [chosen, setChosen] = useState(senderValue(mail))
  const { senders, error } = useMailSenders()
  const save = useChange('Saved')
  const fault = save.error && toFault(save.error)
  const ofField = fault?.of('mail.integrationId') ?? fault?.of('mail.environmentId')
  return (
    <ReadOnly when={isReadOnly}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ mail: mailOf(chosen) })
        }}
      >
        {error && <FaultNote fault={toFault(error)} />}
        {fault && !ofField && <FaultNote fault={fault} />}
        <Field
          label="Sent through"
          hint={
            senders?.length === 0 ? (
              <>
                There is no e-mail integration yet.{' '}
                <Anchor href={paths.integrations} className="text-accent underline">
                  Connect one
                </Anchor>
                .
              </>
            ) : (
              'An e-mail integration of one of the environments. From then on only owners change it.'
            )
          }
          error={ofField && `It ${ofField}.`}
        >
          <Select value={chosen} onText={setChosen} options={optionsOf(senders ?? [], senderValue(mail))} />
        </Field>
        {!isReadOnly && (
          <Button
            type="submit"
            kind="primary"
            className="self-start"
            busy={save.isPending}
            disabled={chosen === senderValue(mail)}
          >
            Save
          </Button>
        )}
      </form>
    </ReadOnly>
  )
}

function optionsOf(senders: readonly MailSender[], current: string) {
  const isListed = current === '' || senders.some(({ value }) => value === current)
  return [
    { value: '', label: 'Nothing' },
    ...senders,
    ...(isListed ? [] : [{ value: current, label: 'The one that was chosen, deleted or not yours to see' }]),
  ]
}

function mailOf(chosen: string) {
  const [environmentId, integrationId] = chosen.split(' ')
  return environmentId && integrationId ? { environmentId, integrationId } : null
}
