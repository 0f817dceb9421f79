import { useState } from 'react'
import type { ApiFault } from '../../../api/fault.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/form/form.tsx'
import { Refusal } from './refusal.tsx'

type CodeStepProps = {
  email: string
  fault: ApiFault | null
  left: number
  action: string
  isBusy: boolean
  onCode(code: string): void
  onBack(): void
}

/** The second proof: six digits of an app, or one of the codes that were kept for when it is lost. */
export function CodeStep({ email, fault, left, action, isBusy, onCode, onBack }: CodeStepProps) {
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  const plain = code.replaceAll(/\s/g, '')
  return (
    <form
      className="mt-4 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onCode(plain)
      }}
    >
      <Refusal fault={fault} left={left} words={words} />
      {/* So that password managers know whose code it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field
        key={isRecovery ? 'recovery' : 'app'}
        label={isRecovery ? 'Recovery code' : 'Code'}
        hint={
          isRecovery
            ? 'One of the codes you kept when you set it up. Each works once.'
            : 'The six digits that your app shows now.'
        }
      >
        <Input
          name="one-time-code"
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoCapitalize="none"
          value={code}
          onText={setCode}
          autoFocus
          required
          maxLength={40}
          className="font-mono tracking-widest"
        />
      </Field>
      <Button type="submit" kind="primary" busy={isBusy} disabled={plain === '' || left > 0}>
        {action}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button
          kind="quiet"
          size="sm"
          onClick={() => {
            setRecovery(!isRecovery)
            setCode('')
          }}
        >
          {isRecovery ? 'Use the app' : 'Use a recovery code'}
        </Button>
        <Button kind="quiet" size="sm" onClick={onBack}>
          Start over
        </Button>
      </div>
    </form>
  )
}

const words = { sign_in_refused: 'This is not the code of now. Each code works once; wait for the next one.' }
