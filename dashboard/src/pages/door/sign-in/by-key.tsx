import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiFault, toFault } from '../../../api/fault.ts'
import { Door } from '../../../layout/door.tsx'
import { signIn } from '../../../lib/session.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { EndedElsewhere } from './ended-elsewhere.tsx'
import { OtherWay } from './other-way.tsx'
import { Refusal } from './refusal.tsx'
import { useEnter } from './use-enter.ts'

type ByKeyProps = {
  hasPeople: boolean
  /** Of a link that was tried before. */
  fault: ApiFault | null
}

export function ByKey({ hasPeople, fault: ofLink }: ByKeyProps) {
  return (
    <Door
      title="Sign in"
      below={
        <>
          {hasPeople && (
            <div className="mb-3">
              <OtherWay to="password" />
            </div>
          )}
          On a development machine, <span className="font-mono text-xs whitespace-nowrap">npm start</span> prints a link
          that signs you in. For any other installation, its operator creates a key with{' '}
          <span className="font-mono text-xs">tidings keys create --organization</span>.
        </>
      }
    >
      <EndedElsewhere />
      <KeyForm fault={ofLink} />
    </Door>
  )
}

function KeyForm({ fault: ofLink }: { fault: ApiFault | null }) {
  const enter = useEnter()
  const [key, setKey] = useState('')
  const send = useMutation({ mutationFn: () => signIn({ key: key.trim() }), onSuccess: enter, gcTime: 0 })
  const fault = send.error ? toFault(send.error) : send.isIdle ? ofLink : null
  const left = useCountdown(fault)
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <Refusal fault={fault} left={left} />
      <Field label="API key" hint="It is sent once and not kept in this browser.">
        <Input
          type="password"
          value={key}
          onText={setKey}
          placeholder="td_…"
          autoFocus
          required
          className="font-mono"
        />
      </Field>
      {/* Busy until the next page is there. */}
      <Button type="submit" kind="primary" busy={send.isPending || send.isSuccess} disabled={!key.trim() || left > 0}>
        Sign in
      </Button>
    </form>
  )
}
