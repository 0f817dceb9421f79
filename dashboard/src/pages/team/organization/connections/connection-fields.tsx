import type { ApiFault } from '../../../../api/fault.ts'
import { Field, Input, Select, Switch } from '../../../../ui/form/form.tsx'
import { roles, roleWords } from '../../members/roles/roles.ts'
import type { Draft } from './draft.ts'
import { GroupRoles } from './group-roles.tsx'

type ConnectionFieldsProps = { draft: Draft; isNew: boolean; fault: ApiFault | null; onChange(draft: Draft): void }

export function ConnectionFields(props: ConnectionFieldsProps) {
  const { draft, isNew, onChange } = props
  const set = (part: Partial<Draft>) => onChange({ ...draft, ...part })
  return (
    <>
      <TextField {...props} name="name" label="Name" hint="On the button: Continue with …" maxLength={60} autoFocus />
      <TextField
        {...props}
        name="issuer"
        label="Issuer"
        hint="Its address, as it calls itself."
        placeholder="https://login.example.com"
        maxLength={500}
      />
      <TextField {...props} name="clientId" label="Client id" maxLength={300} />
      <TextField
        {...props}
        name="clientSecret"
        label="Client secret"
        type="password"
        hint={isNew ? 'Kept sealed, and never shown again.' : 'Leave it empty to keep the one that is there.'}
        maxLength={2_000}
      />
      <TextField
        {...props}
        name="domains"
        label="E-mail domains"
        hint="It vouches for addresses of these alone. Several: with commas."
        placeholder="example.com"
      />
      <Switch
        label="Whoever it vouches for becomes a member"
        hint="Otherwise only those who are members already, or were invited."
        checked={draft.joins}
        onChange={(joins) => set({ joins })}
      />
      <section className="flex flex-col gap-3 border-t border-line pt-4">
        <h3 className="text-base">What people become</h3>
        <TextField
          {...props}
          name="groupsClaim"
          label="Claim with the groups"
          hint="Where the issuer names somebody’s groups. Empty: it names none."
          placeholder="groups"
          maxLength={200}
        />
        <GroupRoles value={draft.groupRoles} onChange={(groupRoles) => set({ groupRoles })} />
        <p className="text-sm text-muted">
          The first group that somebody is in counts, anew at each sign-in. Roles in single environments are given on
          the page Members.
        </p>
        <Field
          label="In none of these groups"
          hint="Without groups: what somebody is who joins uninvited."
          error={props.fault?.of('defaultRole')}
        >
          <Select
            value={draft.defaultRole}
            onText={(defaultRole) => set({ defaultRole })}
            options={[
              { value: '', label: 'Nothing' },
              ...roles.map((name) => ({ value: name, label: roleWords[name].name })),
            ]}
          />
        </Field>
      </section>
      <section className="flex flex-col gap-4 border-t border-line pt-4">
        <TextField {...props} name="scopes" label="Scopes" hint="Asked of the issuer, besides openid." />
        <Switch
          label="Trust addresses that it has not checked"
          hint="Only where people cannot choose their address at the issuer themselves, as in Entra."
          checked={draft.trustsEmail}
          onChange={(trustsEmail) => set({ trustsEmail })}
        />
        <Switch
          label="Active"
          hint="Off: nobody comes in by it, and whoever did is signed out."
          checked={draft.active}
          onChange={(active) => set({ active })}
        />
      </section>
    </>
  )
}

type TextName = 'name' | 'issuer' | 'clientId' | 'clientSecret' | 'domains' | 'groupsClaim' | 'scopes'

type TextFieldProps = ConnectionFieldsProps & {
  name: TextName
  label: string
  hint?: string
  placeholder?: string
  type?: 'password'
  maxLength?: number
  autoFocus?: boolean
}

function TextField({ name, label, hint, draft, fault, onChange, isNew: _isNew, ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={fault?.of(name)}>
      <Input
        {...rest}
        autoComplete={name === 'clientSecret' ? 'new-password' : 'off'}
        value={draft[name]}
        onText={(text) => onChange({ ...draft, [name]: text })}
      />
    </Field>
  )
}
