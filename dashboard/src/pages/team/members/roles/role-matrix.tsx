import { useId } from 'react'
import { EnvironmentDot } from '../../../../ui/environment.tsx'
import { useReadOnly } from '../../../../ui/form/read-only.tsx'
import {
  isOwn,
  isWithin,
  placeRoles,
  type Role,
  type RoleFieldsProps,
  type RolePlace,
  roleIn,
  roles,
  roleWords,
  withRoleIn,
} from './roles.ts'

const columns: readonly (Role | null)[] = [...roles, null]
const nameOf = (role: Role | null) => (role === null ? 'Nothing' : roleWords[role].name)

/** A row for each place, a column for each role. What nobody said for an environment is as everywhere, and drawn paler. */
export function RoleMatrix(props: RoleFieldsProps) {
  return (
    <div className="overflow-x-auto rounded-lg border border-line">
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-b border-line bg-bg text-sm text-muted">
            <th scope="col" className="px-3 py-2 text-left font-medium">
              Where
            </th>
            {columns.map((role) => (
              <th key={role ?? 'nothing'} scope="col" className="w-[4.4rem] px-1 py-2 text-center font-medium">
                {nameOf(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <EverywhereRow {...props} />
          {props.places.map((place) => (
            <PlaceRow key={place.id} {...props} place={place} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function EverywhereRow({ value, onChange, own }: RoleFieldsProps) {
  const group = useId()
  return (
    <tr className="h-10">
      <th scope="row" className="px-3 text-left font-medium">
        Everywhere
      </th>
      {columns.map((role) => (
        <Cell
          key={role ?? 'nothing'}
          group={group}
          label={`${nameOf(role)} everywhere`}
          checked={value.everywhere === role}
          isPossible={isWithin(role, own.everywhere)}
          onChoose={() => onChange({ ...value, everywhere: role })}
        />
      ))}
    </tr>
  )
}

function PlaceRow({ value, onChange, own, place }: RoleFieldsProps & { place: RolePlace }) {
  const group = useId()
  const [now, isSaid] = [roleIn(value, place.id), isOwn(value, place.id)]
  return (
    <tr className="h-10 border-t border-line">
      <th scope="row" className="px-3 text-left font-normal">
        <span className="flex min-w-0 items-center gap-2">
          <EnvironmentDot color={place.color} size={8} />
          <span className="min-w-0">
            <span className="block max-w-40 truncate">{place.name}</span>
            <span className="block text-xs text-muted">{isSaid ? 'its own' : 'as everywhere'}</span>
          </span>
        </span>
      </th>
      {columns.map((role) =>
        // An owner is one everywhere.
        role === 'owner' && now !== 'owner' ? (
          <td key={role} />
        ) : (
          <Cell
            key={role ?? 'nothing'}
            group={group}
            label={`${nameOf(role)} in ${place.name}`}
            checked={now === role}
            isPale={!isSaid}
            isPossible={now !== 'owner' && isWithin(role, roleIn(own, place.id))}
            onChoose={() => onChange(withRoleIn(value, place.id, placeRoles.find((it) => it === role) ?? null))}
          />
        ),
      )}
    </tr>
  )
}

type CellProps = {
  group: string
  label: string
  checked: boolean
  isPale?: boolean
  isPossible: boolean
  onChoose(): void
}

function Cell({ group, label, checked, isPale = false, isPossible, onChoose }: CellProps) {
  const isReadOnly = useReadOnly()
  const isOpen = isPossible && !isReadOnly
  return (
    <td className="p-0 text-center">
      <label
        className={`flex h-10 items-center justify-center ${isOpen ? 'cursor-pointer hover:bg-hover' : 'cursor-not-allowed'}`}
        title={isPossible ? undefined : 'More than you have'}
      >
        <input
          type="radio"
          name={group}
          aria-label={label}
          checked={checked}
          disabled={!isOpen}
          onChange={onChoose}
          className={`size-4 accent-accent ${isPale && checked ? 'opacity-45' : ''}`}
        />
      </label>
    </td>
  )
}
