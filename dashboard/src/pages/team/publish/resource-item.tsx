import { useId, useState } from 'react'
import type { ResourceDiff } from '../../../api/types.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Mono } from '../../../ui/code.tsx'
import { Checkbox } from '../../../ui/form/form.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Time } from '../../../ui/time.tsx'
import { ResourceChanges } from './resource-changes.tsx'
import { actionWords, counted, kindWord } from './words.ts'

type ResourceItemProps = {
  resource: ResourceDiff
  sides: { source: { name: string }; target: { name: string } }
  isOpenFirst: boolean
  choice: { isChosen: boolean; goesAlong: boolean }
  /** Absent: there is nothing to choose. */
  onChoose?(isChosen: boolean): void
}

/** One thing that differs: what becomes of it, what goes along, what the target lacks; its lines when it is opened. */
export function ResourceItem({ resource, sides, isOpenFirst, choice, onChoose }: ResourceItemProps) {
  const [isOpen, setOpen] = useState(isOpenFirst)
  const id = useId()
  const { name, resourceId, action, changes, isShortened, onlyIfChosen } = resource
  const { word, tone } = actionWords[action]
  const lines = changes.filter(({ path }) => path !== '').length
  return (
    <li className="border-b border-line last:border-0">
      <div className="flex items-start gap-3 px-4 py-3">
        {onChoose && (
          <Checkbox
            hideLabel
            label={`Publish ${name}`}
            className="mt-0.5"
            checked={choice.isChosen}
            onChange={({ target }) => onChoose(target.checked)}
          />
        )}
        <div className="min-w-0 flex-1">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="flex w-full min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 rounded text-left"
          >
            <Icon name={isOpen ? 'down' : 'chevron'} size={12} className="text-muted" />
            <span className="min-w-0 font-medium break-words">{name}</span>
            {resourceId !== name && (
              <span className="min-w-0 text-xs break-all text-muted">
                <Mono>{resourceId}</Mono>
              </span>
            )}
            <Badge tone={onlyIfChosen && !choice.isChosen ? 'neutral' : tone}>
              {onlyIfChosen && !choice.isChosen ? `only in ${sides.target.name}` : word}
            </Badge>
            {choice.goesAlong && <Badge tone="warn">goes along</Badge>}
            <span className="ml-auto text-sm text-muted">
              {isShortened && lines === 0 ? 'changed' : lines > 0 && counted(lines, 'change')}
            </span>
          </button>
          <Notes resource={resource} sides={sides} />
          <div id={id} hidden={!isOpen} className="mt-3 sm:pl-5.5">
            {isOpen && <ResourceChanges resource={resource} sides={sides} />}
          </div>
        </div>
      </div>
    </li>
  )
}

/** Who made it, what it takes along, and what it will lack. */
function Notes({ resource, sides }: Pick<ResourceItemProps, 'resource' | 'sides'>) {
  const { sourceResource, needs, warnings, kind } = resource
  const by = sourceResource?.updatedBy?.firstName
  return (
    <div className="mt-1 flex flex-col gap-1 pl-5.5 text-sm text-muted">
      {sourceResource?.updatedAt && (
        <p>
          {kind === 'translation' ? 'Written' : 'Changed'} in {sides.source.name} <Time at={sourceResource.updatedAt} />
          {by && `, by ${by}`}
        </p>
      )}
      {needs.length > 0 && (
        <p>Takes along: {needs.map((it) => `${kindWord(it.kind).toLowerCase()} ${it.resourceId}`).join(', ')}</p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-1.5 text-warn">
          <Icon name="warn" size={14} className="mt-0.5" />
          <span className="min-w-0">{asSentence(warning, sides.target.name)}</span>
        </p>
      ))}
    </div>
  )
}

/** The server calls it the target. */
function asSentence(warning: string, target: string): string {
  const named = warning.replaceAll('the target', target)
  return `${named[0]?.toUpperCase() ?? ''}${named.slice(1)}.`
}
