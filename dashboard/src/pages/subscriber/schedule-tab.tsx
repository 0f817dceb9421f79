import { useState } from 'react'
import { toFault } from '../../api/fault.ts'
import type { Subscriber } from '../../api/types.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/anchor.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { Field, Input, Switch } from '../../ui/form/form.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { useChangePreferences, usePreferences } from './preferences.ts'
import {
  copyToWorkdays,
  type Day,
  dayName,
  days,
  type Hours,
  type Schedule,
  toWeek,
  usualHours,
  type Week,
  withDay,
  withHours,
} from './week.ts'

export function ScheduleTab({ person }: { person: Subscriber }) {
  const { data, error, refetch } = usePreferences(person.subscriberId)
  if (error && !data) return <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={8} />
  const { schedule } = data.global
  return <Editor key={JSON.stringify(schedule)} person={person} stored={schedule} />
}

function Editor({ person, stored }: { person: Subscriber; stored: Schedule | undefined }) {
  const [isEnabled, setEnabled] = useState(stored?.isEnabled ?? false)
  const [week, setWeek] = useState(() => toWeek(stored))
  const save = useChangePreferences(person.subscriberId, 'Schedule saved')
  const before = JSON.stringify([stored?.isEnabled ?? false, toWeek(stored)])
  const changed = JSON.stringify([isEnabled, week]) !== before
  const isEmpty = days.every((day) => !week[day].isEnabled)
  const toggle = (on: boolean) => {
    setEnabled(on)
    if (on && isEmpty) setWeek(copyToWorkdays(week))
  }
  return (
    <Card title="When this person may be told something" description={<Zone person={person} />}>
      <div className="flex max-w-3xl flex-col gap-5">
        <Switch
          label="Only in these hours"
          hint="What comes at another time waits for the next opening. In-app and critical notifications do not wait."
          checked={isEnabled}
          onChange={toggle}
        />
        {isEnabled && <Days week={week} isEmpty={isEmpty} onChange={setWeek} />}
        <div className="flex flex-wrap gap-2">
          <Button
            needs="subscribers"
            kind="primary"
            disabled={!changed}
            busy={save.isPending}
            onClick={() => save.mutate({ schedule: { isEnabled, weeklySchedule: week } })}
          >
            Save schedule
          </Button>
          {stored && (
            <Button needs="subscribers" disabled={save.isPending} onClick={() => save.mutate({ schedule: null })}>
              Remove schedule
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}

type DaysProps = { week: Week; isEmpty: boolean; onChange(week: Week): void }

function Days({ week, isEmpty, onChange }: DaysProps) {
  return (
    <>
      <ul className="divide-y divide-line rounded-md border border-line">
        {days.map((day) => (
          <li key={day}>
            <DayLine day={day} week={week} onChange={onChange} />
          </li>
        ))}
      </ul>
      {isEmpty && <p className="text-sm text-warn">No day is on. Such a schedule counts as none.</p>}
      <div>
        <Button needs="subscribers" size="sm" onClick={() => onChange(copyToWorkdays(week))}>
          Copy the first day to Monday–Friday
        </Button>
      </div>
    </>
  )
}

function Zone({ person: { timezone, subscriberId } }: { person: Subscriber }) {
  if (timezone) return <>By the clock of {timezone}.</>
  return (
    <>
      By UTC: the{' '}
      <TextLink href={paths.subscriber(subscriberId)} className="underline">
        profile
      </TextLink>{' '}
      names no time zone.
    </>
  )
}

type DayLineProps = { day: Day; week: Week; onChange(week: Week): void }

function DayLine({ day, week, onChange }: DayLineProps) {
  const { isEnabled, hours } = week[day]
  const set = (index: number, changed: Hours) => onChange(withHours(week, day, hours.with(index, changed)))
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-2 px-3 py-2">
      <div className="flex h-8 w-32 flex-1 items-center sm:flex-none">
        <Switch label={dayName(day)} checked={isEnabled} onChange={(on) => onChange(withDay(week, day, on))} />
      </div>
      {isEnabled ? (
        <div className="order-last flex min-w-0 basis-full flex-col gap-2 sm:order-none sm:flex-1 sm:basis-0">
          {hours.map((range, index) => (
            <Range
              // biome-ignore lint/suspicious/noArrayIndexKey: two windows may be alike
              key={index}
              day={day}
              range={range}
              onChange={(changed) => set(index, changed)}
              onRemove={() => onChange(withHours(week, day, hours.toSpliced(index, 1)))}
            />
          ))}
        </div>
      ) : (
        <span className="flex h-8 flex-1 items-center text-muted">Nothing is sent</span>
      )}
      {isEnabled && hours.length < 24 && (
        <IconButton
          needs="subscribers"
          icon="plus"
          label={`Add hours on ${dayName(day)}`}
          onClick={() => onChange(withHours(week, day, [...hours, usualHours]))}
        />
      )}
    </div>
  )
}

// On a phone the browser opens its own picker; the button for it would cut the time off.
const timeInput = 'sm:w-32! max-sm:[&::-webkit-calendar-picker-indicator]:hidden'

type RangeProps = { day: Day; range: Hours; onChange(range: Hours): void; onRemove(): void }

function Range({ day, range, onChange, onRemove }: RangeProps) {
  const overNight = range.end <= range.start
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Field label={`${dayName(day)} from`} hideLabel className="flex-1 sm:flex-none">
        <Input
          type="time"
          value={range.start}
          onText={(start) => start && onChange({ ...range, start })}
          className={timeInput}
        />
      </Field>
      <span className="text-muted">to</span>
      <Field label={`${dayName(day)} until`} hideLabel className="flex-1 sm:flex-none">
        <Input
          type="time"
          value={range.end}
          onText={(end) => end && onChange({ ...range, end })}
          className={timeInput}
        />
      </Field>
      <IconButton needs="subscribers" icon="close" label="Remove these hours" onClick={onRemove} />
      {overNight && <span className="text-sm text-muted">next day</span>}
    </div>
  )
}
