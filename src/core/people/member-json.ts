import { type Static, Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Invitation } from '../../store/people/invitations.ts'
import type { Member } from '../../store/people/members.ts'
import { mailStates } from '../../store/people/own-mails.ts'
import { rolesProperties, toRolesJson } from './given-roles.ts'

export const memberSchema = Type.Object(
  {
    personId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    ...rolesProperties,
    hasPassword: Type.Boolean(),
    twoFactor: Type.Boolean({ description: 'Signs in with a second proof besides the password.' }),
    createdAt: Type.String({ format: 'date-time' }),
    lastSeenAt: Type.Optional(Type.String({ format: 'date-time', description: 'To the minute.' })),
  },
  { title: 'Member' },
)

export function toMemberJson(member: Member): Static<typeof memberSchema> {
  const { personId, email, name, hasPassword, twoFactor, createdAt, lastSeenAt } = member
  return {
    ...{ personId, email, name, ...toRolesJson(member), hasPassword, twoFactor },
    createdAt: createdAt.toISOString(),
    ...(lastSeenAt && { lastSeenAt: lastSeenAt.toISOString() }),
  }
}

export const invitationSchema = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    ...rolesProperties,
    invitedBy: Type.String({ description: 'As they were called then.' }),
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: Type.String({ format: 'date-time' }),
    mail: Type.Optional(
      Type.Object(
        {
          state: oneOf(mailStates, { description: 'Waiting with a reason: it was tried, and will be again.' }),
          reason: Type.Optional(Type.String()),
        },
        { description: 'What became of the mail; absent where none was made.' },
      ),
    ),
  },
  { title: 'Invitation' },
)

export function toInvitationJson(it: Invitation): Static<typeof invitationSchema> {
  const { id, email, invitedBy, expiresAt, mailState, mailReason } = it
  return {
    ...{ id, email, ...toRolesJson(it), invitedBy },
    createdAt: uuid7Time(id).toISOString(),
    expiresAt: expiresAt.toISOString(),
    ...(mailState && { mail: { state: mailState, ...(mailReason !== null && { reason: mailReason }) } }),
  }
}

export const invitedSchema = Type.Object(
  {
    ...invitationSchema.properties,
    link: Type.String({ description: 'Shown this once. Whole where PUBLIC_URL is set; else the path of a page here.' }),
    mailFault: Type.Optional(Type.String({ description: 'Why no mail is sent: the link is to be handed over.' })),
  },
  { title: 'NewInvitation' },
)

export function toInvitedJson(
  it: Invitation & { link: string; mailFault: string | null },
): Static<typeof invitedSchema> {
  return { ...toInvitationJson(it), link: it.link, ...(it.mailFault !== null && { mailFault: it.mailFault }) }
}
