import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { usePause } from '../../lib/use-pause.ts'
import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/code.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input, Textarea } from '../../ui/form/form.tsx'
import { PersonCell } from '../../ui/person.tsx'
import { Progress } from '../../ui/progress.tsx'
import { type AddState, useAddMembers } from './use-add-members.ts'

type AddMembersProps = { topicKey: string; onClose(): void; onDone(): void }

/** Find people and pick them, or paste any number of ids. */
export function AddMembers({ topicKey, onClose, onDone }: AddMembersProps) {
  const [text, setText] = useState('')
  const ids = [...new Set(text.split(/[\s,;]+/).filter(Boolean))]
  const { state, run } = useAddMembers(topicKey)
  const close = () => {
    if (state.added > 0) onDone()
    onClose()
  }
  const add = (id: string) => setText(text.trim() ? `${text.trimEnd()}\n${id}` : id)
  const isOpen = state.status === 'ready'
  return (
    <Drawer
      open
      title="Add members"
      description={`To ${topicKey}.`}
      onClose={close}
      footer={
        isOpen ? (
          <>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" disabled={ids.length === 0} onClick={() => void run(ids)}>
              {ids.length === 0 ? 'Add' : `Add ${ids.length.toLocaleString('en')}`}
            </Button>
          </>
        ) : (
          <Button kind="primary" disabled={state.status === 'running'} onClick={close}>
            Done
          </Button>
        )
      }
    >
      {isOpen ? (
        <div className="flex flex-col gap-5">
          <Finder chosen={new Set(ids)} onPick={add} />
          <Field label="Who is added" hint="Subscriber ids, one per line or with commas. Members stay members.">
            <Textarea rows={8} value={text} onText={setText} className="font-mono text-xs!" />
          </Field>
        </div>
      ) : (
        <Result state={state} />
      )}
    </Drawer>
  )
}

function Finder({ chosen, onPick }: { chosen: ReadonlySet<string>; onPick(id: string): void }) {
  const [search, setSearch] = useState('')
  const asked = usePause(search.trim())
  const { data } = useQuery({
    queryKey: ['subscribers', 'find', asked],
    queryFn: ({ signal }) =>
      api.get('/v2/subscribers', { query: { ...(asked && { search: asked }), limit: 5 }, signal }),
    placeholderData: (previous) => previous,
  })
  return (
    <div>
      <Field label="Find people" hint="By a part of the name, the e-mail address or the phone number.">
        <Input value={search} onText={setSearch} autoFocus />
      </Field>
      <ul aria-label="Found" className="mt-2 divide-y divide-line rounded-md border border-line">
        {data?.data.length === 0 && <li className="px-3 py-2 text-muted">Nobody.</li>}
        {data?.data.map((person) => (
          <li key={person._id} className="flex items-center gap-3 px-3 py-1.5">
            <span className="min-w-0 flex-1">
              <PersonCell person={person} />
            </span>
            <Button size="sm" disabled={chosen.has(person.subscriberId)} onClick={() => onPick(person.subscriberId)}>
              {chosen.has(person.subscriberId) ? 'Picked' : 'Pick'}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const shownRefusals = 100

function Result({ state }: { state: AddState }) {
  const { done, total, added, refused, fault, status } = state
  return (
    <div className="flex flex-col gap-4">
      <Progress
        label={status === 'running' ? 'Adding' : 'Done'}
        value={done}
        max={total}
        note={`${added.toLocaleString('en')} of ${total.toLocaleString('en')} are members`}
      />
      {fault && <FaultNote fault={fault} />}
      {refused.length > 0 && <p className="text-bad">{refused.length.toLocaleString('en')} could not be added</p>}
      {refused.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line text-sm">
          {refused.slice(0, shownRefusals).map(({ subscriberId, message }) => (
            <li key={subscriberId} className="px-3 py-2 break-words">
              <Mono>{subscriberId}</Mono> <span className="text-muted">{message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
