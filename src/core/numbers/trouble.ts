import { type Static, Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'
import { channels } from '../../providers/provider.ts'
import { outcomes } from '../../store/history/tallies.ts'

const codes = [
  'no_worker',
  'dead_letters',
  'provider_failing',
  'no_integration',
  'events_waiting',
  'timers_late',
  'workflow_failing',
  'tasks_quarantined',
  'deliveries_unknown',
  'bounces_growing',
  'webhook_disabled',
  'webhook_failing',
] as const
export const severities = ['error', 'warning'] as const
const pages = ['dead-letters', 'integrations', 'activity', 'workflows', 'suppressions', 'webhooks'] as const

export const troubleSchema = Type.Object(
  {
    code: oneOf(codes),
    severity: oneOf(severities),
    text: Type.String(),
    advice: Type.String(),
    count: Type.Integer(),
    target: Type.Object({
      page: oneOf(pages),
      channel: Type.Optional(oneOf(channels)),
      providerId: Type.Optional(Type.String()),
      workflowId: Type.Optional(Type.String()),
      outcome: Type.Optional(oneOf(outcomes)),
      endpointId: Type.Optional(Type.String()),
    }),
  },
  { title: 'Trouble' },
)
export type Trouble = Static<typeof troubleSchema>
