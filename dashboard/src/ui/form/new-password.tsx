import { Field } from './form.tsx'
import { PasswordInput } from './password-input.tsx'

/** As the server asks for. */
const fewest = 12

type NewPasswordProps = {
  label?: string
  value: string
  onText(value: string): void
  error: string | undefined
  autoFocus?: boolean
}

/** The rules are said before, and what is missing while one types. How hard it is to guess, nobody can tell by its look. */
export function NewPassword({ label = 'Password', value, onText, error, autoFocus = false }: NewPasswordProps) {
  const missing = missingCharacters(value)
  return (
    <Field
      label={label}
      error={error}
      hint={
        <>
          {fewest} characters or more, best a few words. Not your name or address, and none that everybody tries first.
          {value !== '' && <span className="block">{missing > 0 ? `${missing} more to go` : 'Long enough'}</span>}
        </>
      }
    >
      <PasswordInput kind="new-password" value={value} onText={onText} autoFocus={autoFocus} />
    </Field>
  )
}

export function missingCharacters(password: string): number {
  return Math.max(0, fewest - [...password].length)
}

/** The server's words go on after the name of the field: `must not be your name or address`. */
export function wordsOfRefusal(words: string | undefined): string | undefined {
  return words && `It ${words}.`
}
