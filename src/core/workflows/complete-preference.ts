import { type Static, Type } from 'typebox'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { channels } from '../../providers/provider.ts'
import type { PreferenceLayer, SentPreferences, WorkflowDefinition, WorkflowPreferences } from './workflow.ts'

const enabled = Type.Object({ enabled: Type.Boolean() })
export const completeLayer = Type.Object({
  all: Type.Object({ enabled: Type.Boolean(), readOnly: Type.Boolean() }),
  channels: Type.Object({ in_app: enabled, email: enabled, sms: enabled, chat: enabled, push: enabled }),
})

/** A layer with every field filled in. */
export function completePreference(layer: PreferenceLayer | null, critical: boolean): Static<typeof completeLayer> {
  // As it takes effect: a channel without a value follows `all`. A client can send it back without changing anything.
  const all = layer?.all?.enabled ?? true
  const channel = (name: (typeof channels)[number]) => ({ enabled: layer?.channels?.[name]?.enabled ?? all })
  return {
    all: { enabled: all, readOnly: layer?.all?.readOnly ?? critical },
    channels: {
      in_app: channel('in_app'),
      email: channel('email'),
      sms: channel('sms'),
      chat: channel('chat'),
      push: channel('push'),
    },
  }
}

/** What is stored of sent preferences. A layer that comes back as it was shown stays as it was written. */
export function readPreferences(
  sent: SentPreferences | null,
  previous: Pick<WorkflowDefinition, 'preferences' | 'critical'> | null,
  critical: boolean,
): WorkflowPreferences | null {
  const stored = layersOf(previous?.preferences ?? null)
  const asWritten = (layer: PreferenceLayer | null, written: PreferenceLayer | null) =>
    layer && isSame(layer, completePreference(written, previous?.critical ?? critical)) ? written : layer
  const user = sent?.user ?? null
  const read = {
    user: stored.user ? asWritten(user, stored.user) : user,
    workflow: sent?.workflow === undefined ? asWritten(sent?.default ?? null, stored.workflow) : sent.workflow,
  }
  // A layer that is null and one that is absent are the same, and no reason for another version.
  if (previous && isSame(read, stored)) return previous.preferences
  return read.user || read.workflow ? read : null
}

const layersOf = (of: WorkflowPreferences | null) => ({ user: of?.user ?? null, workflow: of?.workflow ?? null })
const isSame = (a: unknown, b: unknown) => canonicalJson(a) === canonicalJson(b)
