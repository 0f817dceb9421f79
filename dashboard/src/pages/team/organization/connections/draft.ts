import type { SignInConnection } from '../../../../api/types.ts'

/** A connection as it is written in the form. */
export type Draft = {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
  domains: string
  joins: boolean
  defaultRole: string
  groupsClaim: string
  groupRoles: readonly { group: string; role: string }[]
  scopes: string
  trustsEmail: boolean
  active: boolean
}

export const newDraft: Draft = {
  name: '',
  issuer: '',
  clientId: '',
  clientSecret: '',
  domains: '',
  joins: true,
  defaultRole: 'viewer',
  groupsClaim: '',
  groupRoles: [],
  scopes: 'email profile',
  trustsEmail: false,
  active: true,
}

export function toDraft({ domains, scopes, groupsClaim, defaultRole, ...others }: SignInConnection): Draft {
  return {
    ...others,
    clientSecret: '',
    domains: domains.join(', '),
    scopes: scopes.join(' '),
    groupsClaim: groupsClaim ?? '',
    defaultRole: defaultRole ?? '',
  }
}

type Role = SignInConnection['groupRoles'][number]['role']
const words = (text: string) => text.split(/[\s,;]+/).filter((word) => word !== '')

/** What is sent. An empty secret is none: the one before stays. */
export function toBody(draft: Draft) {
  const { name, issuer, clientId, joins, trustsEmail, active } = draft
  const groupRoles = draft.groupRoles.filter(({ group }) => group.trim() !== '')
  return {
    name: name.trim(),
    issuer: issuer.trim(),
    clientId: clientId.trim(),
    ...(draft.clientSecret !== '' && { clientSecret: draft.clientSecret.trim() }),
    domains: words(draft.domains),
    scopes: words(draft.scopes),
    groupsClaim: draft.groupsClaim.trim() || null,
    groupRoles: groupRoles.map(({ group, role }) => ({ group: group.trim(), role: role as Role })),
    defaultRole: (draft.defaultRole || null) as Role | null,
    ...{ joins, trustsEmail, active },
  }
}
