import { type Static, Type } from 'typebox'
import type { changedPreferenceSchema, PreferencesJson } from '../../core/replies/preference-json.ts'
import { invalidField } from '../../errors.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { channels } from '../../providers/provider.ts'
import { defineAlias } from './define-alias.ts'

const all = '/v1/subscribers/{subscriberId}/preferences'
const channelChoice = fields({ type: oneOf(channels), enabled: Type.Boolean() })

const preference = Type.Object({
  enabled: Type.Boolean(),
  channels: Type.Record(Type.String(), Type.Boolean()),
  overrides: Type.Optional(Type.Array(Type.Object({ channel: Type.String(), source: Type.String() }))),
})
const trigger = Type.Object({ type: Type.String(), identifier: Type.String(), variables: Type.Array(Type.Unknown()) })
const ofWorkflow = Type.Object({
  template: Type.Object({
    _id: Type.String(),
    name: Type.String(),
    critical: Type.Boolean(),
    triggers: Type.Array(trigger),
  }),
  preference,
})
const ofAll = Type.Object({ preference })
const query = fields({ includeInactiveChannels: Type.Optional(Type.Boolean()) })

type Listed = PreferencesJson['workflows'][number]
type Changed = Static<typeof changedPreferenceSchema>

export const olderPreferences = [
  defineAlias({
    method: 'GET',
    path: all,
    to: 'subscribers-preferences-list',
    query,
    response: Type.Array(ofWorkflow),
    async handler({ query: { includeInactiveChannels }, next }) {
      const { workflows } = await next<PreferencesJson>({ query: { criticality: 'all' } })
      return workflows.map((listed) => toOlder(listed, includeInactiveChannels === true))
    },
  }),
  defineAlias({
    method: 'GET',
    path: `${all}/{level}`,
    to: 'subscribers-preferences-list',
    query,
    response: Type.Array(Type.Union([ofWorkflow, ofAll])),
    async handler({ params, query: { includeInactiveChannels }, next }) {
      const { level } = params as { level: string }
      if (level !== 'global' && level !== 'template') throw invalidField('level', 'must be global or template')
      const { global, workflows } = await next<PreferencesJson>({ query: { criticality: 'all' } })
      if (level === 'global') return [{ preference: { enabled: global.enabled, channels: global.channels } }]
      return workflows.map((listed) => toOlder(listed, includeInactiveChannels === true))
    },
  }),
  defineAlias({
    method: 'PATCH',
    path: all,
    to: 'subscribers-preferences-update',
    body: fields({ enabled: Type.Optional(Type.Boolean()), preferences: Type.Optional(Type.Array(channelChoice)) }),
    response: ofAll,
    async handler({ body: { enabled, preferences = [] }, next }) {
      const chosen = Object.fromEntries(preferences.map((choice) => [choice.type, choice.enabled]))
      const body = { ...(enabled !== undefined && { enabled }), channels: chosen }
      const { global } = await next<PreferencesJson>({ body })
      return { preference: { enabled: global.enabled, channels: global.channels } }
    },
  }),
  defineAlias({
    method: 'PATCH',
    path: `${all}/{workflowId}`,
    to: 'subscribers-preferences-bulk',
    body: fields({ enabled: Type.Optional(Type.Boolean()), channel: Type.Optional(channelChoice) }),
    response: ofWorkflow,
    async handler({ params, body: { enabled, channel }, next }) {
      const { workflowId } = params as { workflowId: string }
      const choice = {
        ...(enabled !== undefined && { enabled }),
        channels: channel ? { [channel.type]: channel.enabled } : {},
      }
      const [changed] = await next<Changed[]>({ body: { preferences: [{ workflowId, ...choice }] } })
      if (!changed) throw new Error('a changed preference is in the answer')
      const { workflow, ...preference } = changed
      return { template: toTemplate(workflow.id, workflow), preference }
    },
  }),
]

/** Without an id of its own: a workflow may be named by its identifier wherever these clients name one by its id. */
function toOlder({ workflow, enabled, channels: found, overrides }: Listed, withInactive: boolean) {
  const others = withInactive ? Object.fromEntries(channels.map((name) => [name, false])) : {}
  return {
    template: toTemplate(workflow.identifier, workflow),
    preference: { enabled, channels: { ...others, ...found }, overrides },
  }
}

function toTemplate(
  _id: string,
  { identifier, name, critical }: { identifier: string; name: string; critical: boolean },
) {
  return { _id, name, critical, triggers: [{ type: 'event', identifier, variables: [] }] }
}
