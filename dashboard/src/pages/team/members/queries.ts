import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import type { Member, Session } from '../../../api/types.ts'
import { useSession } from '../../../lib/session.ts'
import { environmentsQuery } from '../environments/queries.ts'
import type { RolePlace } from './roles/roles.ts'
import { type Roles, rolesOf } from './roles/roles.ts'

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: async ({ signal }) => (await api.get('/v1/members', { signal })).data,
})

/** Looked at again as long as a mail is on its way. */
export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await api.get('/v1/members/invitations', { signal })).data,
  refetchInterval: ({ state }) => (state.data?.some(({ mail }) => mail?.state === 'waiting') ? 2_000 : false),
})

/** To be called when somebody was invited, changed or removed. */
export function useRefreshMembers(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all([membersQuery, invitationsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })))
}

/** The environments in which somebody may be something else than everywhere. */
export function usePlaces(): readonly RolePlace[] {
  const { data = [] } = useQuery(environmentsQuery)
  return data.filter(({ deletedAt }) => !deletedAt).map(({ _id: id, name, color }) => ({ id, name, color }))
}

/** What who is signed in may give; a key or a link that gets to this page may do everything. */
export function useOwnRoles(members: readonly Member[]): Roles {
  return ownRolesOf(useSession(), members)
}

function ownRolesOf({ person }: Session, members: readonly Member[]): Roles {
  const self = person && members.find(({ personId }) => personId === person.id)
  return self ? rolesOf(self) : { everywhere: person ? null : 'owner', in: {} }
}

/** Whether nobody else is an owner. */
export function isLastOwner({ role, personId }: Member, members: readonly Member[]): boolean {
  return role === 'owner' && !members.some((it) => it.role === 'owner' && it.personId !== personId)
}
