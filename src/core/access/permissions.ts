import { ApiError } from '../../errors.ts'
import type { Grant, Grants } from '../../store/access/grants.ts'

/** Who may what. `organization`: judged by what somebody is there, not in one of its environments. */
export const permissions = {
  /** See everything but secrets; previews and explanations change nothing. */
  read: { of: 'environment', by: ['owner', 'admin', 'author', 'operator', 'viewer', 'everything', 'read'] },
  trigger: { of: 'environment', by: ['owner', 'admin', 'author', 'operator', 'everything', 'trigger'] },
  /** Workflows, layouts, translations. */
  content: { of: 'environment', by: ['owner', 'admin', 'author', 'everything'] },
  /** Switch a workflow on or off. */
  switch: { of: 'environment', by: ['owner', 'admin', 'author', 'operator', 'everything'] },
  /** Stop and go on, send again, suppress. */
  operate: { of: 'environment', by: ['owner', 'admin', 'operator', 'everything'] },
  /** Stop what one has triggered. */
  cancel: { of: 'environment', by: ['owner', 'admin', 'operator', 'everything', 'trigger'] },
  /** Subscribers, topics, tenants, and everything of theirs. */
  subscribers: { of: 'environment', by: ['owner', 'admin', 'operator', 'everything'] },
  /** Open a subscriber's inbox. */
  inbox: { of: 'environment', by: ['owner', 'admin', 'author', 'operator', 'everything', 'inbox'] },
  /** Integrations, connections, webhook endpoints, and their secrets. */
  credentials: { of: 'environment', by: ['owner', 'admin', 'everything'] },
  keys: { of: 'environment', by: ['owner', 'admin', 'everything'] },
  settings: { of: 'environment', by: ['owner', 'admin', 'everything'] },
  /** Into this environment. */
  publish: { of: 'environment', by: ['owner', 'admin', 'everything'] },
  record: { of: 'environment', by: ['owner', 'admin', 'operator', 'everything'] },
  organizationRecord: { of: 'organization', by: ['owner', 'admin', 'operator', 'everything'] },
  /** Make, protect and delete environments. */
  environments: { of: 'organization', by: ['owner', 'admin', 'everything'] },
  members: { of: 'organization', by: ['owner', 'admin', 'everything'] },
  /** How people sign in, and through what our mails to them go: whoever decides that can be any of them. */
  signIn: { of: 'organization', by: ['owner', 'everything'] },
  /** Make owners, and keys that reach the organization: those are as good as an owner. */
  owners: { of: 'organization', by: ['owner', 'everything'] },
} as const satisfies Record<string, { of: 'environment' | 'organization'; by: readonly Grant[] }>

export type Permission = keyof typeof permissions
export const permissionNames = Object.keys(permissions) as Permission[]

type WhoActs = { environmentId: string; grants?: Grants }

export function grantIn({ environmentId, grants }: WhoActs): Grant | null {
  if (!grants) return null
  return Object.hasOwn(grants.in, environmentId) ? (grants.in[environmentId] ?? null) : grants.everywhere
}

export function may(env: WhoActs, permission: Permission): boolean {
  const { of, by } = permissions[permission]
  const grant = of === 'organization' ? (env.grants?.everywhere ?? null) : grantIn(env)
  return grant !== null && (by as readonly Grant[]).includes(grant)
}

export function refuseUnless(env: WhoActs, permission: Permission): void {
  if (may(env, permission)) return
  const { of, by } = permissions[permission]
  if (of === 'organization' && !env.grants?.everywhere) throw new ApiError('environment_out_of_reach')
  const grant = of === 'organization' ? env.grants?.everywhere : grantIn(env)
  const place = of === 'organization' ? 'in this organization' : 'in this environment'
  throw new ApiError('not_permitted', {
    message: `You may do this ${place} as ${by.join(', ')}; you are ${grant ?? 'nothing of these'} there.`,
  })
}
