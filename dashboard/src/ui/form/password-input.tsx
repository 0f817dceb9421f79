import { useState } from 'react'
import { IconButton } from '../button.tsx'
import { Input } from './form.tsx'

type PasswordInputProps = {
  value: string
  onText(value: string): void
  /** What password managers are told: one that there is, or one to be made up. */
  kind: 'current-password' | 'new-password'
  autoFocus?: boolean
}

/** Hidden until one wants to see it. */
export function PasswordInput({ value, onText, kind, autoFocus = false }: PasswordInputProps) {
  const [isShown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input
        type={isShown ? 'text' : 'password'}
        name={kind}
        autoComplete={kind}
        autoCapitalize="none"
        value={value}
        onText={onText}
        autoFocus={autoFocus}
        maxLength={200}
        required
        className="pr-9"
      />
      <IconButton
        icon={isShown ? 'hidden' : 'eye'}
        label={isShown ? 'Hide the password' : 'Show the password'}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
        className="absolute top-0 right-0"
      />
    </div>
  )
}
