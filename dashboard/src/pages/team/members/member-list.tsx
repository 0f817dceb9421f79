import type { Member } from '../../../api/types.ts'
import { fixedList } from '../../../lib/pages.ts'
import { useSession } from '../../../lib/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Initials } from '../../../ui/person.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { usePlaces } from './queries.ts'
import { RoleCell } from './roles/role-cell.tsx'
import type { RolePlace } from './roles/roles.ts'

type MemberListProps = { members: readonly Member[]; onOpen(member: Member): void }

export function MemberList({ members, onOpen }: MemberListProps) {
  const { person } = useSession()
  return (
    <Card flush>
      <DataTable
        label="Members"
        columns={columnsOf(usePlaces(), person?.id)}
        list={fixedList([...members])}
        rowKey={({ personId }) => personId}
        rowHeight={56}
        onOpen={onOpen}
        empty={<Empty icon="search" title="Nobody like that" />}
      />
    </Card>
  )
}

const columnsOf = (places: readonly RolePlace[], ownId: string | undefined): Column<Member>[] => [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ personId, name, email }) => (
      <span className="flex min-w-0 items-center gap-3">
        <Initials name={name} />
        <span className="min-w-0">
          <span className="flex items-center gap-2">
            <span className="truncate font-medium">{name}</span>
            {personId === ownId && <Badge tone="info">you</Badge>}
          </span>
          <span className="block truncate text-xs text-muted">{email}</span>
        </span>
      </span>
    ),
  },
  {
    id: 'role',
    header: 'Role',
    width: 'minmax(0, 1.4fr)',
    cell: (member) => <RoleCell given={member} places={places} />,
  },
  {
    id: 'two-factor',
    header: 'Two-factor',
    width: '6rem',
    from: 'md',
    cell: ({ twoFactor }) => (twoFactor ? <Badge tone="ok">on</Badge> : <Badge>off</Badge>),
  },
  { id: 'seen', header: 'Last seen', width: '7rem', from: 'sm', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
]
