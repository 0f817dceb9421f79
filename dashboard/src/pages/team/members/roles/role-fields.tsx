import { useAtLeast } from '../../../../lib/media.ts'
import { EnvironmentDot } from '../../../../ui/environment.tsx'
import { Field, Select } from '../../../../ui/form/form.tsx'
import { RoleMatrix } from './role-matrix.tsx'
import {
  isOwn,
  isWithin,
  type PlaceRole,
  placeRoles,
  type Role,
  type RoleFieldsProps,
  type Roles,
  roles,
  roleWords,
  withRoleIn,
} from './roles.ts'

/** What somebody is: a table where there is room for one, a list for each place where there is not. */
export function RoleFields(props: RoleFieldsProps) {
  const isWide = useAtLeast('sm')
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="sr-only">Roles</legend>
      {isWide ? <RoleMatrix {...props} /> : <RoleSelects {...props} />}
      <WhatTheyMay value={props.value} />
    </fieldset>
  )
}

function WhatTheyMay({ value: { everywhere, in: named } }: { value: Roles }) {
  const chosen = roles.filter((role) => role === everywhere || Object.values(named).includes(role))
  return (
    <dl aria-live="polite" className="flex flex-col gap-1 text-sm text-muted">
      {chosen.map((role) => (
        <div key={role} className="flex gap-1.5">
          <dt className="font-medium text-ink">{roleWords[role].name}:</dt>
          <dd>{roleWords[role].may}</dd>
        </div>
      ))}
    </dl>
  )
}

const nothing = 'nothing'
const asEverywhere = 'as-everywhere'

function RoleSelects({ value, onChange, own, places }: RoleFieldsProps) {
  return (
    <>
      <Field label="Everywhere">
        <Select
          value={value.everywhere ?? nothing}
          onText={(text) => onChange({ ...value, everywhere: roles.find((role) => role === text) ?? null })}
          options={[
            ...roles.map((role) => optionOf(role, own.everywhere)),
            { value: nothing, label: 'Nothing, only in environments' },
          ]}
        />
      </Field>
      {value.everywhere !== 'owner' &&
        places.map((place) => (
          <div key={place.id} className="flex items-end gap-2">
            <div className="flex h-8 items-center">
              <EnvironmentDot color={place.color} />
            </div>
            <Field label={`In ${place.name}`} className="flex-1">
              <Select
                value={isOwn(value, place.id) ? (value.in[place.id] ?? nothing) : asEverywhere}
                onText={(text) => onChange(chosenIn(value, place.id, text))}
                options={[
                  { value: asEverywhere, label: `As everywhere: ${value.everywhere ?? nothing}` },
                  ...placeRoles
                    .filter((role) => role !== value.everywhere || isOwn(value, place.id))
                    .map((role) => optionOf(role, own.in[place.id] === undefined ? own.everywhere : own.in[place.id])),
                  { value: nothing, label: 'Nothing' },
                ]}
              />
            </Field>
          </div>
        ))}
    </>
  )
}

function optionOf(role: Role, most: Role | null | undefined) {
  const isOpen = isWithin(role, most ?? null)
  return {
    value: role,
    label: isOpen ? roleWords[role].name : `${roleWords[role].name} (more than you have)`,
    disabled: !isOpen,
  }
}

function chosenIn(value: Roles, id: string, text: string): Roles {
  if (text === asEverywhere) {
    const { [id]: _before, ...others } = value.in
    return { ...value, in: others }
  }
  const role: PlaceRole | null = placeRoles.find((it) => it === text) ?? null
  return withRoleIn(value, id, role)
}
