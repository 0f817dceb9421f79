import { toFault } from '../../../api/fault.ts'
import type { Organization } from '../../../api/types.ts'
import { useMay } from '../../../lib/may.ts'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/dialog/confirm.tsx'
import { FaultNote } from '../../../ui/empty.tsx'
import { Field, Select, Switch } from '../../../ui/form/form.tsx'
import { ReadOnly } from '../../../ui/form/read-only.tsx'
import { useChange } from './queries.ts'

const passwords = [
  { value: 'allowed', label: 'Everybody who has one' },
  { value: 'owners-only', label: 'Owners only' },
]

/** What is asked of those who sign in. Each change is in force at once. */
export function SignInRules({ organization }: { organization: Organization }) {
  const maySignIn = useMay('signIn')
  const mayMembers = useMay('members')
  const save = useChange('Saved')
  const choose = async (value: string) => {
    const isLess = value === 'owners-only'
    if (!isLess || (await confirm(lessQuestion))) save.mutate({ passwords: isLess ? 'owners-only' : 'allowed' })
  }
  const ask = async (requireTwoFactor: boolean) => {
    if (!requireTwoFactor || (await confirm(moreQuestion))) save.mutate({ requireTwoFactor })
  }
  return (
    <Card title="Signing in">
      <div className="flex max-w-xl flex-col gap-5">
        {save.error && <FaultNote fault={toFault(save.error)} />}
        <ReadOnly when={!maySignIn}>
          <Field
            label="By a password"
            hint={
              maySignIn
                ? 'Owners always can: nobody is to be locked out by a connection that fails.'
                : 'Owners choose it. They themselves can always come in by a password.'
            }
          >
            <Select
              value={organization.passwords}
              onText={(value) => void choose(value)}
              options={passwords}
              disabled={save.isPending}
            />
          </Field>
        </ReadOnly>
        <ReadOnly when={!mayMembers}>
          <Switch
            label="A second proof for everybody who comes by a password"
            hint="Who has none is let in only to set one up."
            checked={organization.requireTwoFactor}
            onChange={(checked) => void ask(checked)}
            disabled={save.isPending}
          />
        </ReadOnly>
      </div>
    </Card>
  )
}

const lessQuestion = {
  title: 'Passwords for owners only?',
  text: 'Everybody else comes in by a sign-in connection from now on. Where there is none, they do not come in at all.',
  action: 'Owners only',
  danger: true,
}

const moreQuestion = {
  title: 'Ask everybody for a second proof?',
  text: 'Whoever is signed in without one, you too, may do nothing here until they have set one up.',
  action: 'Ask for it',
}
