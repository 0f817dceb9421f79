import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import type { Db, Env } from '../../store/database.ts'
import type { SubscriberPatch, SubscriberRow } from '../../store/subscribers.ts'
import type { ChannelCredentials } from '../subscribers/channel-credentials.ts'
import type { Choices } from '../subscribers/preferences.ts'
import type { Schedule } from '../subscribers/schedule.ts'

/** What could not be taken over, and why. Never the value: it may be anything that somebody keeps of a person. */
export type Left = { field: string; why: string }

export type GivenChannel = {
  providerId: string
  integrationIdentifier?: string | undefined
  credentials: ChannelCredentials
}
/** Without a workflowId: for every workflow. Null takes a choice back. */
export type GivenChoice = {
  workflowId?: string | undefined
  enabled?: boolean | null | undefined
  channels?: Choices | undefined
}

/** `at`: the place in the list that was given. */
export type GivenPerson = {
  profile: SubscriberPatch
  schedule: Schedule | undefined
  channels: { at: number; channel: GivenChannel }[]
  /** Else nothing is known of their channels there. */
  saysChannels: boolean
  choices: { at: number; choice: GivenChoice }[]
  /** Else it is not told what they chose here. */
  saysChoices: boolean
  left: Left[]
}

/** `dryRun`: nothing is written, and the same is told. */
export type Scope = { ctx: Ctx; db: Db; env: Env; now: Date; dryRun: boolean }

/** What somebody has chosen here, in the end. Without a workflowId: for every workflow. */
export const chosenSchema = Type.Object({
  workflowId: Type.Optional(Type.String()),
  enabled: Type.Optional(Type.Boolean()),
  channels: Type.Record(Type.String(), Type.Boolean()),
})

/** `row`: null for somebody new whom a dry run does not create. `changes`: paths of what is not here as given. */
export type Person = {
  given: GivenPerson
  row: SubscriberRow | null
  changes: Set<string>
  left: Left[]
  chosen: Static<typeof chosenSchema>[]
}

export const leftSchema = Type.Array(Type.Object({ field: Type.String(), why: Type.String() }), {
  description: 'What was not taken over, and why.',
})
export const importActions = ['created', 'updated', 'unchanged', 'failed'] as const
export type ImportAction = (typeof importActions)[number]
