import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { TopicSubscription } from '../../api/types.ts'
import { useFilters } from '../../lib/filters.ts'
import { type PagedList, useCursorPages } from '../../lib/pages.ts'
import { paths } from '../../lib/paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Toolbar } from '../../ui/page.tsx'
import { PersonCell, personName } from '../../ui/person.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { countOf } from '../subscribers/search.ts'

export function useMembers(topicKey: string) {
  const [filters, setFilters] = useFilters<'member'>()
  const search = filters.member ?? ''
  const list = useCursorPages('/v2/topics/{topicKey}/subscriptions', {
    queryKey: ['members', topicKey],
    path: { topicKey },
    query: search ? { subscriberId: search } : {},
  })
  return { list, search, onSearch: (member: string) => setFilters({ member }) }
}

type MembersProps = {
  topicKey: string
  list: PagedList<TopicSubscription>
  search: string
  onSearch(text: string): void
  onAdd(): void
}

export function Members({ topicKey, list, search, onSearch, onAdd }: MembersProps) {
  const remove = useRemove(topicKey, list)
  return (
    <>
      <Toolbar>
        <SearchInput label="Find a member by whole id" value={search} onSearch={onSearch} />
        <span role="status" className="self-center text-sm text-muted">
          {countOf(list, 'member')}
        </span>
        <Button needs="subscribers" icon="plus" className="ml-auto" onClick={onAdd}>
          Add members
        </Button>
      </Toolbar>
      <Card flush>
        <DataTable
          label="Members"
          columns={columnsWith((member) => remove.mutate(member))}
          list={list}
          rowKey={({ _id }) => _id}
          rowHeight={52}
          href={({ subscriber }) => paths.subscriber(subscriber.subscriberId)}
          empty={<Nobody search={search} onAdd={onAdd} />}
        />
      </Card>
    </>
  )
}

function columnsWith(remove: (member: TopicSubscription) => void): Column<TopicSubscription>[] {
  return [
    { id: 'person', header: 'Member', cell: ({ subscriber }) => <PersonCell person={subscriber} /> },
    {
      id: 'email',
      header: 'E-mail',
      from: 'md',
      cell: ({ subscriber }) => subscriber.email || <span className="text-faint">–</span>,
    },
    { id: 'since', header: 'Since', width: '6.5rem', from: 'sm', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'remove',
      header: 'Remove',
      width: '3.75rem',
      align: 'right',
      cell: (member) => (
        <IconButton
          needs="subscribers"
          icon="close"
          label={`Remove ${personName(member.subscriber)}`}
          className="relative z-10"
          onClick={() => remove(member)}
        />
      ),
    },
  ]
}

/** No question first: whoever was removed by mistake is added again at once. */
function useRemove(topicKey: string, list: PagedList<TopicSubscription>) {
  return useMutation({
    mutationFn: ({ subscriber }: TopicSubscription) =>
      api.delete('/v2/topics/{topicKey}/subscriptions', {
        path: { topicKey },
        body: { subscriptions: [subscriber.subscriberId] },
      }),
    onSuccess: async (_, { subscriber }) => {
      toast.ok(`${personName(subscriber)} is no longer a member`)
      await list.refresh()
    },
    onError: toast.fault,
  })
}

function Nobody({ search, onAdd }: { search: string; onAdd(): void }) {
  if (search) {
    return (
      <Empty icon="search" title="No such member">
        Nobody with the id “{search}” is in this topic. The id must match wholly.
      </Empty>
    )
  }
  return (
    <Empty
      icon="people"
      title="No members yet"
      action={
        <Button needs="subscribers" onClick={onAdd}>
          Add members
        </Button>
      }
    >
      What is triggered to this topic reaches nobody until somebody is in it.
    </Empty>
  )
}
