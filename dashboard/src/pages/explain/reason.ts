import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { fullTime } from '../../ui/time.tsx'
import type { ExplainedStep } from './recipient.ts'

/** Why it would go this way, in one sentence. `nameOf` gives the name of an integration. */
export function sentenceOf(step: ExplainedStep, nameOf: (identifier: string) => string): string {
  const { type, outcome, why, until, dependsOn, integrations = [] } = step
  const time = until ? fullTime(until) : ''
  switch (outcome) {
    case 'send': {
      if (type === 'in_app') return 'Straight into the feed.'
      const [first, ...others] = [...new Set(integrations)].map(nameOf)
      const through = `Through ${first ?? 'an integration'}${others.length > 0 ? `, then ${others.join(', ')}` : ''}.`
      return why ? `${through} ${why}.` : through
    }
    case 'delay':
      return `Until ${time}.`
    case 'digest':
      return `Until ${time}, then one message for all of it.`
    case 'throttle':
      return `${why ?? 'A limited number pass'}, until ${time}.`
    case 'defer':
      return `${why ?? ''}, until ${time}.`
    case 'wait': {
      const through = integrations.map(nameOf)[0]
      return `${why ?? ''}${through ? `; then through ${through}` : ''}.`
    }
    default:
      return `${why ? `${why}. ` : ''}${dependsOn ? `It also needs step ${dependsOn.stepId} to be ${dependsOn.is}.` : ''}`.trim()
  }
}

export type Mend = { href: string; label: string }

/** Where to go to change it. By the words of the server: they are few, and one that is not known here only has no link. */
export function mendOf(step: ExplainedStep, subscriberId: string, workflow: string): Mend | null {
  const { why = '', type, outcome } = step
  if (outcome === 'send' || outcome === 'throttle') return null
  if (/integration/i.test(why)) return { href: paths.integrations + toSearch({ channel: type }), label: 'Integrations' }
  if (/suppression list/.test(why))
    return { href: paths.suppressions + toSearch({ channel: type }), label: 'Suppressions' }
  if (/does not have|schedule/.test(why)) return { href: paths.subscriber(subscriberId), label: 'Open the person' }
  if (/turned off/.test(why)) return { href: paths.subscriber(subscriberId), label: 'See their preferences' }
  return why ? { href: paths.workflow(workflow), label: 'Open the workflow' } : null
}
