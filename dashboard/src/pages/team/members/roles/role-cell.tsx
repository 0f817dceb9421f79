import type { Member } from '../../../../api/types.ts'
import { exceptionsOf, type RolePlace, rolesOf, roleWords } from './roles.ts'

type RoleCellProps = { given: Pick<Member, 'role' | 'environments'>; places: readonly RolePlace[] }

/** In a list: what somebody is, and in which environments they are something else. */
export function RoleCell({ given, places }: RoleCellProps) {
  const exceptions = exceptionsOf(rolesOf(given), places).join(', ')
  return (
    <span className="block min-w-0">
      <span className="block truncate">{given.role ? roleWords[given.role].name : 'Only in environments'}</span>
      {exceptions && (
        <span title={exceptions} className="block truncate text-xs text-muted">
          {exceptions}
        </span>
      )}
    </span>
  )
}
