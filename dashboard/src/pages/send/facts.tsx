import type { ReactNode } from 'react'
import type { Send } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Mono } from '../../ui/code.tsx'
import { Time } from '../../ui/time.tsx'
import { count, kindWords, people } from '../sends/words.ts'

export function factsOf(send: Send): [string, ReactNode][] {
  const { kind, workflowId, workflowName, createdAt, transactionId, canaryPeople, guarded, bounds, feedback } = send
  return [
    ['Kind', kindWords[kind]],
    [
      'Workflow',
      <TextLink key="workflow" href={paths.workflow(workflowId)}>
        {workflowName}
      </TextLink>,
    ],
    ['Begun', <Time key="begun" at={createdAt} full />],
    ['Transaction', <Mono key="id">{transactionId}</Mono>],
    ['First people', canaryPeople === null ? 'all at once' : people(canaryPeople)],
    [
      'Stops at',
      guarded && bounds ? `${bounds.failuresPercent} % failed, ${bounds.complaintsPercent} % complaints` : 'nothing',
    ],
    ['Delivered', count(feedback.delivered)],
    ['Bounced', count(feedback.bounced)],
    ['Complained', count(feedback.complained)],
  ]
}
