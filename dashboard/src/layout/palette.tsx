import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '../api/client.ts'
import { addressOf, pageElsewhere } from '../lib/address.ts'
import { useFollow } from '../lib/follow.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session.ts'
import { toSearch } from '../lib/to-search.ts'
import { usePause } from '../lib/use-pause.ts'
import { useModal } from '../ui/dialog/dialog.tsx'
import { type Listbox, useListbox } from '../ui/form/use-listbox.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { listPaths, useOwnNavItems } from './nav-items.ts'

type Hit = { key: string; label: string; note: string; href: string; icon: IconName }

/** Jump to a page or another environment, or find a person, a workflow or a topic. */
export function Palette({ onClose }: { onClose(): void }) {
  const element = useRef<HTMLDialogElement>(null)
  useModal(element, true)
  const [text, setText] = useState('')
  const follow = useFollow()
  const hits = useHits(text.trim())
  const go = (hit: Hit | undefined) => {
    if (!hit) return
    onClose()
    follow(hit.href)
  }
  const listbox = useListbox({
    label: 'Found',
    items: hits,
    open: true,
    firstActive: true,
    followsPointer: true,
    onChoose: go,
  })
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog without us; the click is one on the backdrop.
    <dialog
      ref={element}
      aria-label="Search"
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
      className="mx-auto mt-[12vh] mb-auto w-[36rem] max-w-[calc(100vw-2rem)] overflow-hidden rounded-xl border border-line bg-raised shadow-pop"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Icon name="search" className="text-faint" />
        <input
          {...listbox.combobox}
          data-autofocus
          aria-label="Search"
          placeholder="Page, environment, workflow, subscriber, topic, transaction…"
          value={text}
          spellCheck={false}
          onChange={(event) => {
            setText(event.target.value)
            listbox.reset()
          }}
          className="h-12 w-full bg-transparent text-lg outline-none"
        />
      </div>
      <Hits hits={hits} listbox={listbox} />
    </dialog>
  )
}

function Hits({ hits, listbox }: { hits: readonly Hit[]; listbox: Listbox }) {
  return (
    <div {...listbox.list} className="max-h-[50vh] overflow-y-auto p-1.5">
      {hits.map((hit, index) => (
        <div
          key={hit.key}
          {...listbox.option(index)}
          className={`flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 ${index === listbox.active ? 'bg-accent-soft' : ''}`}
        >
          <Icon name={hit.icon} className="text-muted" />
          <span className="min-w-0 flex-1 truncate">{hit.label}</span>
          <span className="text-sm text-muted">{hit.note}</span>
        </div>
      ))}
    </div>
  )
}

function useHits(text: string): Hit[] {
  const asked = usePause(text)
  const { data } = useQuery({
    queryKey: ['palette', asked],
    queryFn: ({ signal }) => findEverywhere(asked, signal),
    enabled: asked.length >= 2,
    placeholderData: (previous) => previous,
  })
  const environments = useEnvironments()
  const own = useOwnNavItems()
  const needle = text.toLowerCase()
  const pages = [
    ...own.map(({ label, href, icon }) => ({ key: `page ${href}`, label, href, icon, note: 'Page' })),
    ...environments,
  ].filter(({ label }) => label.toLowerCase().includes(needle))
  if (text.length < 2) return pages
  const activity: Hit = {
    key: 'transaction',
    label: `Events with transaction ${text}`,
    note: 'Activity',
    href: `${paths.activity}${toSearch({ transactionId: text })}`,
    icon: 'activity',
  }
  return [...pages, ...(data ?? []), activity]
}

/** The other ones, each at the same list if this is one. */
function useEnvironments(): Hit[] {
  const { environment, environments } = useSession()
  const { pathname } = useLocation()
  return environments
    .filter(({ id }) => id !== environment.id)
    .map(({ slug, name }) => ({
      key: `environment ${slug}`,
      label: `Switch to ${name}`,
      note: 'Environment',
      href: addressOf(slug, pageElsewhere(pathname, listPaths)),
      icon: 'layers',
    }))
}

async function findEverywhere(text: string, signal: AbortSignal): Promise<Hit[]> {
  const none = { data: [] }
  const [workflows, subscribers, topics] = await Promise.all([
    api.get('/v2/workflows', { query: { query: text, limit: 5 }, signal }).catch(() => none),
    api.get('/v2/subscribers', { query: { search: text, limit: 5 }, signal }).catch(() => none),
    api.get('/v2/topics', { query: { key: text, limit: 5 }, signal }).catch(() => none),
  ])
  return [
    ...workflows.data.map(({ workflowId, name }) => ({
      key: `workflow ${workflowId}`,
      label: name,
      note: 'Workflow',
      href: paths.workflow(workflowId),
      icon: 'workflow' as const,
    })),
    ...subscribers.data.map(({ subscriberId, firstName, lastName, email }) => ({
      key: `subscriber ${subscriberId}`,
      label: [[firstName, lastName].filter(Boolean).join(' '), email, subscriberId].filter(Boolean).join(' · '),
      note: 'Subscriber',
      href: paths.subscriber(subscriberId),
      icon: 'people' as const,
    })),
    ...topics.data.map(({ key, name }) => ({
      key: `topic ${key}`,
      label: name ? `${name} · ${key}` : key,
      note: 'Topic',
      href: paths.topic(key),
      icon: 'topic' as const,
    })),
  ]
}
