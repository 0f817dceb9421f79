import { useState } from 'react'
import type { ResourceDiff } from '../../../api/types.ts'

type Named = Pick<ResourceDiff, 'kind' | 'resourceId'>
export const nameOf = ({ kind, resourceId }: Named) => `${kind} ${resourceId}`

/** As the API takes them; undefined: everything that differs. */
export type Resources = { resourceType: string; resourceId: string }[] | undefined

export type Choice = {
  chosen: ReadonlySet<string>
  /** Not chosen themselves: something chosen needs them. */
  along: ReadonlySet<string>
  resources: Resources
}

/** `turned`: what somebody decided otherwise than it stands at first. What is only in the target stays at first. */
export function choiceOf(all: readonly ResourceDiff[], turned: ReadonlySet<string>): Choice {
  const picked = all.filter((it) => it.onlyIfChosen === turned.has(nameOf(it)))
  const chosen = new Set(picked.map(nameOf))
  const needed = picked.flatMap(({ needs }) => needs.map(nameOf))
  const isAsItStood = !all.some((it) => turned.has(nameOf(it)))
  return {
    chosen,
    along: new Set(needed.filter((name) => !chosen.has(name))),
    resources: isAsItStood ? undefined : picked.map(({ kind, resourceId }) => ({ resourceType: kind, resourceId })),
  }
}

export function useChoice(all: readonly ResourceDiff[]) {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set())
  const choice = choiceOf(all, turned)
  const set = (these: readonly ResourceDiff[], isChosen: boolean) => {
    const next = new Set(turned)
    for (const it of these) {
      if (it.onlyIfChosen === isChosen) next.add(nameOf(it))
      else next.delete(nameOf(it))
    }
    setTurned(next)
  }
  return { ...choice, set }
}
