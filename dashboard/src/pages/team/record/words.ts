import type { ChangeRecord } from '../../../api/types.ts'

/** What is changed, as the API calls it in actions, and for people: to choose from. */
export const resources: readonly { value: string; label: string }[] = [
  { value: 'workflows', label: 'Workflows' },
  { value: 'layouts', label: 'Layouts' },
  { value: 'translations', label: 'Languages' },
  { value: 'content', label: 'Content from files' },
  { value: 'publications', label: 'Putting back' },
  { value: 'environments', label: 'Environments, publishing' },
  { value: 'integrations', label: 'Integrations' },
  { value: 'api-keys', label: 'API keys' },
  { value: 'webhook-endpoints', label: 'Webhooks' },
  { value: 'suppressions', label: 'Suppressions' },
  { value: 'members', label: 'Members' },
  { value: 'organization', label: 'The organization' },
  { value: 'sign-in-connections', label: 'Sign-in connections' },
  { value: 'subscribers', label: 'Subscribers' },
  { value: 'topics', label: 'Topics' },
  { value: 'events', label: 'Events' },
  { value: 'sends', label: 'Large sends' },
]

/** The last word of an action, as it is said of somebody. Others are said as they are. */
const verbs: Record<string, string> = {
  create: 'made',
  add: 'added',
  update: 'changed',
  patch: 'changed',
  replace: 'changed',
  rename: 'renamed',
  name: 'renamed',
  delete: 'deleted',
  remove: 'removed',
  'group-delete': 'deleted',
  revoke: 'revoked',
  restore: 'restored',
  duplicate: 'duplicated',
  upload: 'wrote',
  'master-import': 'imported',
  'master-upload': 'imported',
  apply: 'applied files to',
  'set-primary': 'made the primary one:',
  invite: 'invited',
  accept: 'accepted the invitation of',
  'revoke-invitation': 'took back the invitation of',
  'renew-invitation': 'invited again',
  trigger: 'triggered',
  'trigger-bulk': 'triggered',
  'trigger-broadcast': 'broadcast',
  cancel: 'canceled',
  'rotate-secret': 'rotated the secret of',
  replay: 'sent again',
  redrive: 'sent again',
  test: 'tested',
  'send-test': 'sent a test to',
  'preview-send': 'sent a test of',
  'signing-secret': 'saw the signing secret of',
  'webhook-configure': 'told the vendor of',
  'replay-delivery': 'sent again to',
  pause: 'paused',
  resume: 'resumed',
  check: 'checked',
  join: 'joined by a connection:',
  roles: 'is by their groups something else:',
}

/** Types of things whose name stands in the record in another way than people say it. */
const things: Record<string, string> = {
  'api-key': 'API key',
  'api-keys': 'API key',
  'webhook-endpoint': 'webhook endpoint',
  'webhook-endpoints': 'webhook endpoint',
  translation: 'language',
  translations: 'language',
  workflows: 'workflow',
  layouts: 'layout',
  integrations: 'integration',
  environments: 'environment',
  suppressions: 'address',
  suppression: 'address',
  members: 'member',
  subscribers: 'subscriber',
  topics: 'topic',
  events: 'event',
  sends: 'large send',
  // The verb says it.
  invitation: '',
}

type Said = Pick<ChangeRecord, 'action' | 'subject'>

/** "changed workflow Receipt": what somebody did, in the words of people. */
export function sentenceOf({ action, subject: { type, id, name } }: Said): { did: string; what: string } {
  if (type === 'publication') {
    const isBack = action.startsWith('publications.')
    return { did: isBack ? 'put back' : 'published', what: isBack ? 'an earlier state' : name ? `from ${name}` : '' }
  }
  if (type === 'large-sends') return { did: 'changed the safety of', what: 'large sends' }
  const verb = action.split('.').at(-1) ?? action
  const thing = things[type] ?? type.replaceAll('-', ' ')
  return { did: `${verbs[verb] ?? verb.replaceAll('-', ' ')} ${thing}`.trim(), what: name ?? id }
}

/** The fields that changed, in one line. */
export function fieldsOf({ changes }: Pick<ChangeRecord, 'changes'>): string {
  const shown = changes.slice(0, 3).map(({ path }) => path)
  const more = changes.length - shown.length
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
