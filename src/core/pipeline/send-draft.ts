import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField, validationFailed } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import type { fields } from '../../lib/schemas.ts'
import type { Env } from '../../store/database.ts'
import { listIntegrations } from '../../store/integrations.ts'
import { withPreheader } from '../delivery/build-message.ts'
import { candidatesFor, toCandidates } from '../integrations/candidates.ts'
import { type TestResult, testIntegration } from '../integrations/test-integration.ts'
import { draftProperties, previewDraft } from './draft-step.ts'
import type { RenderScope } from './plan.ts'
import { isProviderChannel } from './plan-send.ts'
import type { PreviewJson } from './preview-step.ts'

export const sendDraftProperties = {
  ...draftProperties,
  to: Type.String({
    minLength: 1,
    maxLength: 2_000,
    description: 'Yourself: an e-mail address, phone number, webhook URL, chat channel or device token.',
  }),
  integrationIdentifier: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Instead of the one that would send it.' }),
  ),
}
type SendDraftInput = Static<ReturnType<typeof fields<typeof sendDraftProperties>>>

/** A step that is not saved, sent to whoever writes it, as the chosen person would get it. No history, no retries. */
export async function sendDraft(ctx: Ctx, env: Env, given: SendDraftInput): Promise<TestResult> {
  const { to, integrationIdentifier, ...draft } = given
  const { type } = draft.step
  if (!isProviderChannel(type)) throw invalidField('step.type', 'is sent to nobody: run the workflow to see this step')
  const shown = await previewDraft(ctx, env, draft)
  const { errors } = shown.result
  if (errors.length > 0) {
    throw validationFailed(
      Object.fromEntries(errors.map(({ field, message }) => [`step.controlValues.${field}`, { messages: [message] }])),
    )
  }
  const all = toCandidates(ctx, await ctx.database.read(env, (db) => listIntegrations(db, env))).get(type) ?? []
  // What it was rendered with (preview-step.ts).
  const scope = shown.previewPayloadExample as RenderScope
  const [first] = candidatesFor(all, scope, integrationIdentifier)
  if (!first) throw new ApiError('integration_not_found', { message: `No active ${type} integration can send it.` })
  return testIntegration(ctx, env, first.id, { to, ...toTexts(type, shown.result.preview) })
}

function toTexts(type: string, preview: PreviewJson['result']['preview']) {
  const text = (name: string) => (typeof preview[name] === 'string' ? preview[name] : '')
  const { from } = preview
  const sender = isPlainObject(from) ? `${from.name ?? ''} <${from.email}>` : undefined
  const content = type === 'email' ? withPreheader(text('body'), text('preheader')) : text('body')
  return {
    // An inbox full of tries is easier to clear.
    ...(type !== 'sms' && type !== 'chat' && { subject: `[Test] ${text('subject')}` }),
    ...(sender && { from: sender }),
    content,
  }
}
