import { useState } from 'react'
import type { ApiFault } from '../../../api/fault.ts'
import { Door } from '../../../layout/door.tsx'
import { Button } from '../../../ui/button.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { EndedElsewhere } from './ended-elsewhere.tsx'
import { Forgot } from './forgot.tsx'
import { OtherWay } from './other-way.tsx'
import { PasswordSteps } from './password-steps.tsx'
import { useEnter } from './use-enter.ts'

type ByPasswordProps = {
  /** Typed in a step before; `onBack` leads to that. */
  email?: string
  onBack?(): void
  /** Of a link that was tried before. */
  fault: ApiFault | null
}

export function ByPassword({ email: given, onBack, fault }: ByPasswordProps) {
  const enter = useEnter()
  const [email, setEmail] = useState(given ?? '')
  const [isCodeAsked, setCodeAsked] = useState(false)
  return (
    <Door
      title={isCodeAsked ? 'The second proof' : 'Sign in'}
      description={isCodeAsked ? `For ${email}.` : null}
      below={<OtherWay to="key" />}
    >
      {!isCodeAsked && <EndedElsewhere />}
      {fault && !isCodeAsked && (
        <div className="mt-4">
          <FaultNote fault={fault} />
        </div>
      )}
      <PasswordSteps
        email={email}
        {...(given === undefined && { onEmail: setEmail })}
        onCodeAsked={setCodeAsked}
        onSignedIn={enter}
      >
        <Forgot />
        {onBack && (
          <Button kind="quiet" size="sm" className="self-start" onClick={onBack}>
            Another address
          </Button>
        )}
      </PasswordSteps>
    </Door>
  )
}
