import type { ReactNode } from 'react'
import type { Activity } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { toSearch } from '../../lib/to-search.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { CopyButton, Json, Mono } from '../../ui/code.tsx'
import { Time } from '../../ui/time.tsx'
import { personName } from '../activity/steps.ts'

/** Who, what and with which payload. */
export function Side({ event }: { event: Activity }) {
  const overrides = event.jobs[0]?.overrides ?? {}
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Card title="Event">
        <Facts items={factsOf(event)} />
      </Card>
      <Card title="Payload">
        <Json value={event.payload ?? {}} label="Payload" maxHeight="20rem" />
      </Card>
      {Object.keys(overrides).length > 0 && (
        <Card title="Overrides">
          <Json value={overrides} label="Overrides" maxHeight="16rem" />
        </Card>
      )}
    </div>
  )
}

function factsOf(event: Activity): [string, ReactNode][] {
  const { subscriber, template, topics = [], tags = [], contextKeys = [], severity } = event
  const identifier = template?.triggers[0]?.identifier
  const facts: [string, ReactNode, unknown][] = [
    ['Person', <Person key="person" person={subscriber} />, true],
    [
      'E-mail',
      <span key="email" className="text-sm">
        {subscriber?.email}
      </span>,
      subscriber?.email,
    ],
    ['Phone', subscriber?.phone, subscriber?.phone],
    [
      'Workflow',
      identifier ? (
        <TextLink key="workflow" href={paths.workflow(identifier)}>
          {template?.name}
        </TextLink>
      ) : (
        '–'
      ),
      true,
    ],
    ['Accepted', <Time key="at" at={event.createdAt} full />, true],
    ['Changed', <Time key="changed" at={event.updatedAt} full />, event.updatedAt],
    ['Topics', <Topics key="topics" keys={topics.map(({ topicKey }) => topicKey)} />, topics.length],
    ['Tags', tags.join(', '), tags.length],
    ['Severity', severity, severity && severity !== 'none'],
    [
      'Critical',
      <Badge key="critical" tone="warn">
        preferences do not apply
      </Badge>,
      event.critical,
    ],
    ['Context', <Mono key="context">{contextKeys.join(', ')}</Mono>, contextKeys.length],
    ['Transaction', <Transaction key="transaction" id={event.transactionId} />, true],
  ]
  return facts.flatMap(([name, value, isThere]): [string, ReactNode][] => (isThere ? [[name, value]] : []))
}

function Person({ person }: { person: Activity['subscriber'] }) {
  if (!person) return <span className="text-muted">Deleted</span>
  return (
    <>
      <TextLink href={paths.subscriber(person.subscriberId)}>{personName(person)}</TextLink>
      {personName(person) !== person.subscriberId && (
        <span className="block text-sm break-all text-muted">{person.subscriberId}</span>
      )}
    </>
  )
}

function Topics({ keys }: { keys: readonly string[] }) {
  return (
    <ul>
      {keys.map((key) => (
        <li key={key}>
          <TextLink href={paths.topic(key)}>{key}</TextLink>
        </li>
      ))}
    </ul>
  )
}

function Transaction({ id }: { id: string }) {
  return (
    <>
      <span className="flex items-start gap-1">
        <span className="min-w-0 flex-1 font-mono text-xs leading-5 break-all">{id}</span>
        <span className="-my-1.5">
          <CopyButton text={id} label="Copy the transaction id" />
        </span>
      </span>
      <span className="flex flex-wrap gap-x-4 text-sm">
        <TextLink href={paths.activity + toSearch({ transactionId: id })}>Everybody it reached</TextLink>
        <TextLink href={paths.send(id)}>How far it is</TextLink>
      </span>
    </>
  )
}
