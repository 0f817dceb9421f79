import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toFault } from '../../api/fault.ts'
import type { Send } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Checkbox, Field, Input } from '../../ui/form/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { people } from '../sends/words.ts'

type Act = 'pause' | 'resume' | 'cancel'

/** What its state allows, each asked about first. */
export function Actions({ send }: { send: Send }) {
  const [asked, setAsked] = useState<Act | null>(null)
  const { may } = send
  // The answer to a pause comes when it holds: by then something else may be asked.
  const close = (act: Act) => setAsked((now) => (now === act ? null : now))
  return (
    <>
      {may.pause && (
        <Button needs="operate" onClick={() => setAsked('pause')}>
          Pause
        </Button>
      )}
      {may.resume && (
        <Button needs="operate" kind="primary" icon="play" onClick={() => setAsked('resume')}>
          Resume
        </Button>
      )}
      {may.cancel && (
        <Button needs="operate" kind="danger" onClick={() => setAsked('cancel')}>
          Cancel the send
        </Button>
      )}
      {asked && <AskAct key={asked} act={asked} send={send} onClose={() => close(asked)} />}
    </>
  )
}

const words: Record<Act, { title: string; action: string; done: string; text(send: Send): string }> = {
  pause: {
    title: 'Pause it?',
    action: 'Pause it',
    done: 'It is paused: nothing more goes out',
    text: ({ people: { left } }) =>
      `Nothing more goes out within a few seconds, until somebody resumes it. ${people(left)} not reached yet wait. What was sent stays sent.`,
  },
  resume: {
    title: 'Resume it?',
    action: 'Resume it',
    done: 'It goes on',
    text: ({ people: { left } }) =>
      `It goes on where it stopped: nobody gets anything twice. ${people(left)} are not reached yet.`,
  },
  cancel: {
    title: 'Cancel the send?',
    action: 'Cancel the send',
    done: 'It is canceled: nothing more goes out',
    text: ({ people: { left } }) =>
      `Nothing more goes out, and it cannot be resumed. ${people(left)} are left out. What was sent stays sent.`,
  },
}

function AskAct({ act, send, onClose }: { act: Act; send: Send; onClose(): void }) {
  const queries = useQueryClient()
  const [note, setNote] = useState('')
  const [isFree, setFree] = useState(false)
  const { transactionId } = send
  const { title, action, done, text } = words[act]
  const doing = useMutation({
    mutationFn: () => run(act, transactionId, { note: note.trim(), isFree }),
    onSuccess: ({ data }) => {
      queries.setQueryData(['send', transactionId], data)
      toast.ok(done)
      onClose()
    },
  })
  return (
    <FormDialog
      title={title}
      action={action}
      danger={act === 'cancel'}
      busy={doing.isPending}
      onSubmit={() => doing.mutate()}
      onClose={onClose}
    >
      {doing.error && <FaultNote fault={toFault(doing.error)} />}
      <p className="text-muted">{text(send)}</p>
      {act !== 'resume' && (
        <Field label="Note" hint="Why, for whoever looks at it next.">
          <Input value={note} onText={setNote} maxLength={200} autoFocus />
        </Field>
      )}
      {act === 'resume' && send.guarded && (
        <Checkbox
          label="Do not stop it by itself any more, whatever fails"
          checked={isFree}
          onChange={({ target }) => setFree(target.checked)}
        />
      )}
    </FormDialog>
  )
}

function run(act: Act, transactionId: string, { note, isFree }: { note: string; isFree: boolean }) {
  const path = { transactionId }
  const body = note ? { note } : {}
  switch (act) {
    case 'pause':
      return api.post('/v1/sends/{transactionId}/pause', { path, body })
    case 'cancel':
      return api.post('/v1/sends/{transactionId}/cancel', { path, body })
    case 'resume':
      return api.post('/v1/sends/{transactionId}/resume', { path, body: isFree ? { guard: false } : {} })
  }
}
