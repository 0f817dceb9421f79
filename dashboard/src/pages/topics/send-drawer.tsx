import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'
import { Empty, FaultNote } from '../../ui/empty.tsx'
import { Field, Select } from '../../ui/form/form.tsx'
import { JsonField, readObject } from '../../ui/form/json-field.tsx'
import { Progress } from '../../ui/progress.tsx'
import { type SendState, type To, useSend } from './use-send.ts'

type SendDrawerProps = { to: To; onClose(): void }

/** One workflow, one payload, to a whole topic or to everybody; then how far it got. */
export function SendDrawer({ to, onClose }: SendDrawerProps) {
  const [workflowId, setWorkflowId] = useState('')
  const [payload, setPayload] = useState('')
  const { state, send } = useSend(to)
  const read = readObject(payload)
  const isOpen = state.status === 'ready' || state.status === 'sending'
  const everybody = 'everybody' in to
  const submit = async () => {
    if ('fault' in read) return
    const text = 'Every subscriber of this environment is notified. This cannot be taken back.'
    if (everybody && !(await confirm({ title: 'Notify everybody?', text, action: 'Notify everybody' }))) return
    await send({ name: workflowId, payload: read.value })
  }
  return (
    <Drawer
      open
      title={everybody ? 'Broadcast' : `Send to ${to.topicKey}`}
      description={everybody ? 'To every subscriber of this environment.' : 'To every member of this topic.'}
      onClose={onClose}
      footer={
        <Footer
          isOpen={isOpen}
          isReady={Boolean(workflowId) && 'value' in read}
          isSending={state.status === 'sending'}
          action={everybody ? 'Send to everybody' : 'Send'}
          onSend={() => void submit()}
          onClose={onClose}
        />
      }
    >
      {isOpen ? (
        <div className="flex flex-col gap-4">
          {state.fault && <FaultNote fault={state.fault} />}
          <ChooseWorkflow value={workflowId} onText={setWorkflowId} />
          <JsonField
            label="Payload"
            hint={<PayloadHint workflowId={workflowId} />}
            text={payload}
            onText={setPayload}
            rows={8}
          />
        </div>
      ) : (
        <Sent state={state} />
      )}
    </Drawer>
  )
}

type FooterProps = {
  isOpen: boolean
  isReady: boolean
  isSending: boolean
  action: string
  onSend(): void
  onClose(): void
}

function Footer({ isOpen, isReady, isSending, action, onSend, onClose }: FooterProps) {
  if (!isOpen) {
    return (
      <Button kind="primary" onClick={onClose}>
        Close
      </Button>
    )
  }
  return (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" busy={isSending} disabled={!isReady} onClick={onSend}>
        {action}
      </Button>
    </>
  )
}

function ChooseWorkflow({ value, onText }: { value: string; onText(id: string): void }) {
  const { data } = useQuery({
    queryKey: ['workflows', 'to send'],
    queryFn: ({ signal }) =>
      api.get('/v2/workflows', {
        query: { status: ['ACTIVE'], orderBy: 'name', orderDirection: 'ASC', limit: 100 },
        signal,
      }),
  })
  if (data?.data.length === 0) {
    return (
      <Empty
        icon="workflow"
        title="No active workflow"
        action={<ButtonLink href={paths.workflows}>Workflows</ButtonLink>}
      >
        Make one first: it says what is sent.
      </Empty>
    )
  }
  const options = (data?.data ?? []).map(({ workflowId, name }) => ({
    value: workflowId,
    label: `${name} (${workflowId})`,
  }))
  return (
    <Field label="Workflow" required>
      <Select
        value={value}
        onText={onText}
        options={[{ value: '', label: data ? 'Choose one' : 'Loading' }, ...options]}
      />
    </Field>
  )
}

/** The names its schema asks for. */
function PayloadHint({ workflowId }: { workflowId: string }) {
  const { data } = useQuery({
    queryKey: ['workflow', workflowId],
    queryFn: ({ signal }) => api.get('/v2/workflows/{workflowId}', { path: { workflowId }, signal }),
    enabled: Boolean(workflowId),
  })
  const names = Object.keys(Object(data?.payloadSchema?.properties))
  return names.length > 0 ? <>The workflow knows: {names.join(', ')}</> : <>JSON, for the templates of the workflow.</>
}

function Sent({ state }: { state: SendState }) {
  const { status, reached, total, capped, transactionId, fault } = state
  const shown = Math.min(reached, capped ? reached : total).toLocaleString('en')
  const note = capped ? `${shown} notified` : `${shown} of ${total.toLocaleString('en')} notified`
  const word = status === 'done' ? 'Done' : 'Under way'
  return (
    <div className="flex flex-col gap-5">
      <Progress
        label={word}
        note={note}
        {...(status === 'done' ? { value: 100 } : !capped && { value: reached, max: total })}
      />
      {fault && <FaultNote fault={fault} />}
      {total === 0 && <p className="text-muted">There is nobody to notify.</p>}
      <p className="text-muted">
        {status !== 'done' && 'You can close this: the server goes on by itself. '}
        Who was notified, and what became of each message, is in Activity.
      </p>
      <div>
        <ButtonLink icon="activity" href={paths.activity + toSearch({ transactionId })}>
          Show in activity
        </ButtonLink>
      </div>
    </div>
  )
}
