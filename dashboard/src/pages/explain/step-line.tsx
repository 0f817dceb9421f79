import { TextLink } from '../../ui/anchor.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useIntegrations } from '../activity/lookups.ts'
import { stepIcon, stepTypeName } from '../activity/steps.ts'
import { mendOf, sentenceOf } from './reason.ts'
import type { ExplainedStep } from './recipient.ts'

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
  ask: { word: 'is for the bridge to say', tone: 'info' },
  run: { word: 'would be run', tone: 'ok' },
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
