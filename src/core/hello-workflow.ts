import type { Db, Env } from '../store/database.ts'
import { createWorkflow } from './save-workflow.ts'
import type { WorkflowInput } from './workflow.ts'

const hello: WorkflowInput = {
  name: 'Hello',
  description: 'Made on the first start, so that there is something to trigger.',
  validatePayload: false,
  payloadSchema: { type: 'object', properties: { message: { type: 'string' } } },
  steps: [
    {
      stepId: 'in-app',
      name: 'In-app',
      type: 'in_app',
      controlValues: {
        subject: 'Hello {{subscriber.firstName}}',
        body: 'Hello {{subscriber.firstName | default: subscriber.subscriberId}}, {{payload.message}}',
      },
    },
  ],
}

/** There is a workflow `hello`; one that is there already stays as it is. */
export async function ensureHelloWorkflow(db: Db, env: Env, now: Date): Promise<void> {
  await createWorkflow(db, env, 'hello', hello, now)
}
