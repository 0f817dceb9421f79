import type { Ctx } from '../../context.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { chunksByWeight } from '../../lib/chunks.ts'
import type { Env } from '../../store/database.ts'
import { readContents } from '../../store/publishing/contents.ts'
import { type AnyHead, currentManifest, headKey, loadSide } from '../../store/publishing/heads.ts'
import { toLayoutDefinition } from '../layouts/layout.ts'
import { shownLocale } from '../translations/locales.ts'
import type { Step, Variant, WorkflowDefinition } from '../workflows/workflow.ts'

const portionChars = 1024 * 1024

/**
 * All workflows, layouts and words of an environment at one moment, as `applyContent` takes them. In the same order each
 * time, with no ids or times in it, and without what is so by default.
 */
export async function readContent(ctx: Ctx, env: Env): Promise<AsyncIterable<Record<string, unknown>[]>> {
  const side = await ctx.database.read(env, async (db) => loadSide(db, env, await currentManifest(db, env)))
  return portions(ctx, env, [...side.layouts, ...side.workflows, ...side.words])
}

async function* portions(ctx: Ctx, env: Env, heads: readonly AnyHead[]): AsyncGenerator<Record<string, unknown>[]> {
  for (const portion of chunksByWeight(heads, portionChars, ({ size }) => size)) {
    // What a version or an edition names never changes, so it is of the same moment.
    const contents = await ctx.database.read(env, (db) => readContents(db, env, portion))
    const read = portion.map((head) => ({ head, content: JSON.parse(contents.get(headKey(head)) ?? 'null') }))
    // What is code of a tenant has files of its own.
    yield read
      .filter(({ content }) => content?.origin !== 'external')
      .map(({ head, content }) => toEntry(head, content))
  }
}

function toEntry(head: AnyHead, content: unknown): Record<string, unknown> {
  switch (head.kind) {
    case 'workflow':
      // Written by us, from a validated definition.
      return workflowEntry(head.identifier, head.active, content as WorkflowDefinition)
    case 'layout': {
      const definition = toLayoutDefinition(content)
      if (!definition) throw new Error(`the layout ${head.identifier} has no definition`)
      const { name, isTranslationEnabled, controlValues } = definition
      return {
        layoutId: head.identifier,
        name,
        // Said by every one: else what ceases to be it would go on.
        isDefault: head.isDefault,
        ...(isTranslationEnabled && { isTranslationEnabled }),
        controlValues: { email: shownBody(controlValues) },
      }
    }
    case 'translation':
      return {
        resourceType: head.owner,
        resourceId: head.ownerIdentifier,
        locale: shownLocale(head.locale),
        content,
      }
  }
}

/** The switch belongs to the environment: only that one is off is said, so that it does not arrive switched on. */
function workflowEntry(workflowId: string, active: boolean, it: WorkflowDefinition): Record<string, unknown> {
  return {
    workflowId,
    name: it.name,
    ...(it.description !== '' && { description: it.description }),
    ...(!active && { active }),
    ...(it.tags.length > 0 && { tags: it.tags }),
    ...(it.severity !== 'none' && { severity: it.severity }),
    ...((it.critical || it.preferences) && { critical: it.critical }),
    ...(!it.validatePayload && { validatePayload: false }),
    ...(it.isTranslationEnabled && { isTranslationEnabled: true }),
    ...(it.payloadSchema && { payloadSchema: it.payloadSchema }),
    ...(it.preferences && { preferences: it.preferences }),
    ...(it.ttl && { ttl: it.ttl }),
    steps: it.steps.map(stepEntry),
  }
}

function stepEntry(step: Step): object {
  const { stepId, name, type, active, shouldStopOnFail, filters, when, variants, replyCallback } = step
  return {
    stepId,
    name,
    type,
    ...(!active && { active }),
    ...(shouldStopOnFail && { shouldStopOnFail }),
    ...(when && { when }),
    ...(filters.length > 0 && { filters }),
    controlValues: shownBody(step.controlValues),
    ...(variants && { variants: variants.map(variantEntry) }),
    ...(replyCallback && { replyCallback }),
  }
}

function variantEntry({ name, filters, controlValues }: Variant): object {
  return { ...(name !== undefined && { name }), filters, controlValues: shownBody(controlValues) }
}

/** A document of blocks as the object that it is, where that gives the same text again: its lines can be compared. */
function shownBody(values: Record<string, unknown>): Record<string, unknown> {
  const { body, editorType } = values
  if (editorType !== 'block' || typeof body !== 'string') return values
  try {
    const document: unknown = JSON.parse(body)
    return isPlainObject(document) && JSON.stringify(document) === body ? { ...values, body: document } : values
  } catch {
    return values
  }
}
