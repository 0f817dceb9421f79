import { useState } from 'react'
import { apiOfSession } from '../../../api/client.ts'
import { Door } from '../../../layout/door.tsx'
import { Forgot } from '../sign-in/forgot.tsx'
import { PasswordSteps } from '../sign-in/password-steps.tsx'
import { useEnter } from '../sign-in/use-enter.ts'
import type { Invited } from './invited.ts'

/** Somebody who has an account already: they prove who they are as always, and are a member there, too. */
export function SignInAndJoin({ invited: { token, email, organization } }: { invited: Invited }) {
  const enter = useEnter()
  const [isCodeAsked, setCodeAsked] = useState(false)
  return (
    <Door
      title={isCodeAsked ? 'The second proof' : `Join ${organization.name}`}
      description={isCodeAsked ? null : 'You are invited, and have an account here already: sign in to join.'}
      below="You sign in otherwise? Do that first, then open the link of the invitation again."
    >
      <PasswordSteps
        email={email}
        action={`Sign in and join`}
        onCodeAsked={setCodeAsked}
        onSignedIn={async () => enter(await apiOfSession.post('/session/join', { body: { token } }))}
      >
        <Forgot />
      </PasswordSteps>
    </Door>
  )
}
