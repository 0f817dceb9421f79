import type { Static } from 'typebox'
import type { Ctx } from '../../context.ts'
import { findActorNames } from '../../store/access/actor-names.ts'
import type { Env } from '../../store/database.ts'
import { readContents } from '../../store/publishing/contents.ts'
import type { Side } from '../../store/publishing/heads.ts'
import { cameFrom } from '../../store/publishing/publications.ts'
import { listVariableUses } from '../../store/values/variables.ts'
import { type Difference, findDifferences, fingerprintOf, idOf } from './differences.ts'
import { createLacking } from './lacking.ts'
import { type Chosen, createNeeds, makePlan, withNeeds } from './plan.ts'
import { readNow } from './publish.ts'
import { type diffSchema, type ResourceDiffJson, resourceType } from './publishing-json.ts'
import { authorsOf, showDifferences } from './show-differences.ts'

/** What publishing would change, line by line. Neither environment is held meanwhile. */
export async function diffEnvironments(
  ctx: Ctx,
  { from, to }: { from: Env; to: Env },
  chosen: readonly Chosen[] | null,
): Promise<Static<typeof diffSchema>> {
  const { source, asked } = await ctx.database.read(from, async (db) => ({
    source: await readNow(db, from),
    asked: await listVariableUses(db, from),
  }))
  const { target, isOurs, lacking } = await ctx.database.read(to, async (db) => {
    const target = await readNow(db, to)
    const isOurs = await cameFrom(db, to, from.environmentId)
    return { target, isOurs, lacking: await createLacking(ctx, db, to, { source, target, asked }) }
  })
  const differences = findDifferences(source, target, isOurs)
  const sides = { source, target, differences }
  const wanted = chosen === null ? differences : makePlan(sides, chosen).planned
  const needsOf = createNeeds(sides)
  const byId = new Map(differences.map((it) => [idOf(it), it]))
  const namesIn = (env: Env) => ctx.database.read(env, (db) => findActorNames(db, env, authorsOf(wanted)))
  const resources = await showDifferences(
    wanted,
    {
      // A key is known by its name in its own environment only.
      names: new Map([...(await namesIn(from)), ...(await namesIn(to))]),
      source: (heads) => ctx.database.read(from, (db) => readContents(db, from, heads)),
      target: (heads) => ctx.database.read(to, (db) => readContents(db, to, heads)),
    },
    (it) => ({
      ...needsToJson(
        [...withNeeds(needsOf, [idOf(it)])].flatMap((id) => (id === idOf(it) ? [] : (byId.get(id) ?? []))),
        target,
      ),
      warnings: it.kind === 'workflow' && it.source ? lacking(it.source) : [],
    }),
  )
  const published = differences.filter((it) => !it.onlyIfChosen)
  return {
    sourceEnvironmentId: from.environmentId,
    targetEnvironmentId: to.environmentId,
    resources,
    summary: {
      totalEntities: countOf(source, target),
      totalChanges: published.length,
      hasChanges: published.length > 0,
    },
    fingerprint: fingerprintOf(from.environmentId, differences),
  }
}

/** How many things there are on either side. */
function countOf(...sides: readonly Side[]): number {
  const all = sides.flatMap(({ workflows, layouts, words }) => [
    ...workflows.map(({ identifier }) => `workflow ${identifier}`),
    ...layouts.map(({ identifier }) => `layout ${identifier}`),
    ...words.map((it) => `${it.owner} ${it.ownerIdentifier} ${it.locale}`),
  ])
  return new Set(all).size
}

function needsToJson(needs: readonly Difference[], target: Side): Pick<ResourceDiffJson, 'needs' | 'dependencies'> {
  const layouts = needs.filter(({ kind }) => kind === 'layout')
  const dependencies = layouts.map(({ kind, key, name }) => {
    const isThere = target.layouts.some(({ identifier }) => identifier === key)
    return {
      resourceType,
      kind,
      resourceId: key,
      resourceName: name,
      isBlocking: !isThere,
      reason: isThere ? ('LAYOUT_EXISTS_IN_TARGET' as const) : ('LAYOUT_REQUIRED_FOR_WORKFLOW' as const),
    }
  })
  return {
    needs: needs.map(({ kind, key }) => ({ kind, resourceId: key })),
    ...(dependencies.length > 0 && { dependencies }),
  }
}
