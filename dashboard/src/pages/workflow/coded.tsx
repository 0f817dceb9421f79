import type { ReactNode } from 'react'
import type { Workflow } from '../../api/types.ts'
import { Card } from '../../ui/card.tsx'
import { ReadOnly } from '../../ui/form/read-only.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { stepIcon, stepName } from './steps/step-types.ts'

/** Around a workflow that is code of a bridge: it can be read here, and is changed there. */
export function Coded({ children }: { children: ReactNode }) {
  return (
    <ReadOnly when>
      <Notice label="Code of a bridge">
        <strong className="font-semibold">This workflow is code.</strong> Its steps are asked of the bridge when they
        are reached. Change it there, then tell of it by <code>POST /v1/bridge/sync</code>.
      </Notice>
      {children}
    </ReadOnly>
  )
}

/** What is known of its steps: their order and their types. */
export function CodedSteps({ steps }: Pick<Workflow, 'steps'>) {
  return (
    <Card>
      <ol className="flex flex-col gap-3">
        {steps.map(({ _id, stepId, type }) => (
          <li key={_id} className="flex items-center gap-3">
            <Icon name={stepIcon(type)} className="text-muted" />
            <span className="font-medium break-words">{stepId}</span>
            <span className="text-muted">{stepName(type)}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
