import { toSearch } from '../../api.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { fullTime } from '../../ui/time.tsx'
import { useIntegrations } from '../activity/lookups.ts'
import { stepIcon, stepTypeName } from '../activity/steps.ts'
import type { Recipient } from './result.tsx'

export type ExplainedStep = Recipient['steps'][number]
type StepLineProps = { step: ExplainedStep; name: string; subscriberId: string; workflow: string }

const words: Record<ExplainedStep['outcome'], { word: string; tone: Tone }> = {
  send: { word: 'would be sent', tone: 'ok' },
  skip: { word: 'would be skipped', tone: 'warn' },
  fail: { word: 'would fail', tone: 'bad' },
  wait: { word: 'would wait', tone: 'info' },
  delay: { word: 'would wait', tone: 'info' },
  digest: { word: 'would gather', tone: 'info' },
  throttle: { word: 'would be counted', tone: 'info' },
  defer: { word: 'would be held back', tone: 'info' },
}

export function StepLine({ step, name, subscriberId, workflow }: StepLineProps) {
  return (
    <>
      <Icon name={stepIcon(step.type)} className="mt-0.5 text-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-medium break-words">{name}</span>
          {name !== stepTypeName(step.type) && <span className="text-muted">{stepTypeName(step.type)}</span>}
          <OutcomeBadge outcome={step.outcome} />
        </p>
        <Why step={step} subscriberId={subscriberId} workflow={workflow} />
      </div>
    </>
  )
}

export function OutcomeBadge({ outcome }: { outcome: ExplainedStep['outcome'] }) {
  const { word, tone } = words[outcome]
  return <Badge tone={tone}>{word}</Badge>
}

/** The reason, and where to go to change it. */
export function Why({ step, subscriberId, workflow }: Omit<StepLineProps, 'name'>) {
  const integrations = [...useIntegrations().values()]
  const nameOf = (identifier: string) => integrations.find((it) => it.identifier === identifier)?.name ?? identifier
  const mend = mendOf(step, subscriberId, workflow)
  return (
    <p className="mt-0.5 break-words text-muted">
      {sentenceOf(step, nameOf)}
      {mend && (
        <>
          {' '}
          <TextLink href={mend.href} className="underline">
            {mend.label}
          </TextLink>
        </>
      )}
    </p>
  )
}

function sentenceOf({ type, outcome, why, until, integrations = [] }: ExplainedStep, nameOf: (id: string) => string) {
  const time = until ? fullTime(until) : ''
  switch (outcome) {
    case 'send': {
      if (type === 'in_app') return 'Straight into the feed.'
      const [first, ...others] = [...new Set(integrations)].map(nameOf)
      return `Through ${first ?? 'an integration'}${others.length > 0 ? `, then ${others.join(', ')}` : ''}.`
    }
    case 'delay':
      return `Until ${time}.`
    case 'digest':
      return `Until ${time}, then one message for all of it.`
    case 'throttle':
      return `${why ?? 'A limited number pass'}, until ${time}.`
    case 'defer':
      return `${why ?? ''}, until ${time}.`
    default:
      return why ? `${why}.` : ''
  }
}

type Mend = { href: string; label: string }

/** By the words of the server: they are few, and one that is not known here only has no link. */
function mendOf(step: ExplainedStep, subscriberId: string, workflow: string): Mend | null {
  const { why = '', type, outcome } = step
  if (outcome === 'send' || outcome === 'throttle') return null
  if (/integration/i.test(why)) return { href: paths.integrations + toSearch({ channel: type }), label: 'Integrations' }
  if (/suppression list/.test(why))
    return { href: paths.suppressions + toSearch({ channel: type }), label: 'Suppressions' }
  if (/does not have|schedule/.test(why)) return { href: paths.subscriber(subscriberId), label: 'Open the person' }
  if (/turned off/.test(why)) return { href: paths.subscriber(subscriberId), label: 'See their preferences' }
  return why ? { href: paths.workflow(workflow), label: 'Open the workflow' } : null
}
