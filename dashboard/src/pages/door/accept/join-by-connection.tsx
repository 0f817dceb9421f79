import { useState } from 'react'
import { Door } from '../../../layout/door.tsx'
import { Button } from '../../../ui/button.tsx'
import { ContinueWith } from '../sign-in/continue-with.tsx'
import type { Invited } from './invited.ts'
import { NewAccount } from './new-account.tsx'
import { SignInAndJoin } from './sign-in-and-join.tsx'

/** The organization has an issuer that vouches for this address: whoever comes by it is what the invitation says. */
export function JoinByConnection({ invited }: { invited: Invited }) {
  const { email, organization, connections } = invited
  const [isByPassword, setByPassword] = useState(false)
  if (isByPassword) return <ByPassword invited={invited} />
  return (
    <Door title={`Join ${organization.name}`} description={`You are invited as ${email}.`}>
      <div className="mt-4 flex flex-col gap-3">
        <ContinueWith email={email} offered={connections} hasFocus />
        <Button kind="quiet" size="sm" onClick={() => setByPassword(true)}>
          Use a password
        </Button>
      </div>
    </Door>
  )
}

export function ByPassword({ invited }: { invited: Invited }) {
  return invited.isKnown ? <SignInAndJoin invited={invited} /> : <NewAccount invited={invited} />
}
