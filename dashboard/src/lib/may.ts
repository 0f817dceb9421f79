import type { Session } from '../api/types.ts'
import { useSession } from './session.ts'

export type Permission = Session['permissions'][number]

/** Whether who is signed in may do this here. The server decides; this is what there is to see of it. */
export function useMay(...needed: readonly Permission[]): boolean {
  const { permissions } = useSession()
  return needed.every((permission) => permissions.includes(permission))
}

type Words = { what: string; by: string }

/** What each is, and for whom, after "In Production". */
export const permissionWords: Record<Permission, Words> = {
  read: { what: 'looking around', by: 'everybody with a role in it' },
  trigger: { what: 'triggering and sending', by: 'owners, admins, authors and operators' },
  content: { what: 'changing workflows, layouts and languages', by: 'owners, admins and authors' },
  switch: { what: 'switching workflows on and off', by: 'owners, admins, authors and operators' },
  operate: { what: 'sending again, stopping and suppressing', by: 'owners, admins and operators' },
  cancel: { what: 'canceling events', by: 'owners, admins and operators' },
  subscribers: { what: 'changing subscribers and topics', by: 'owners, admins and operators' },
  inbox: { what: 'opening somebody’s inbox', by: 'owners, admins, authors and operators' },
  credentials: { what: 'changing integrations and webhooks', by: 'owners and admins' },
  keys: { what: 'seeing and making API keys', by: 'owners and admins' },
  settings: { what: 'changing its name and colour', by: 'owners and admins' },
  publish: { what: 'publishing to it', by: 'owners and admins' },
  record: { what: 'reading the record of changes', by: 'owners, admins and operators' },
  organizationRecord: {
    what: 'reading the record of the whole organization',
    by: 'owners, admins and operators of it',
  },
  environments: { what: 'making, protecting and deleting environments', by: 'owners and admins of the organization' },
  members: { what: 'changing people and their roles', by: 'owners and admins of the organization' },
  signIn: { what: 'changing how people sign in', by: 'owners of the organization' },
  owners: { what: 'making owners, and keys of the whole organization', by: 'owners of the organization' },
}

/** Why not, in one sentence. */
export function whyNot(needed: Permission, { environment, signedInBy }: Pick<Session, 'environment' | 'signedInBy'>) {
  const { what, by } = permissionWords[needed]
  const own = signedInBy === 'key' ? 'The key you signed in with does not allow it.' : 'Your role does not include it.'
  return `In ${environment.name}, ${what} is for ${by}. ${own}`
}
