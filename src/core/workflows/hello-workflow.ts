import type { Db, Env } from '../../store/database.ts'
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

const helloEmail: WorkflowInput = {
  name: 'Hello by e-mail',
  description: 'Made on the first start; in development its mail is found at GET /v1/dev/mailbox.',
  validatePayload: false,
  payloadSchema: { type: 'object', properties: { message: { type: 'string' } } },
  steps: [
    {
      stepId: 'email',
      name: 'E-mail',
      type: 'email',
      controlValues: {
        subject: 'Hello {{subscriber.firstName | default: subscriber.subscriberId}}',
        body: '<p>Hello {{subscriber.firstName | default: subscriber.subscriberId}}, {{payload.message}}</p>',
      },
    },
  ],
}

/** Creates the workflows `hello` and `hello-email`; an existing one stays as it is. */
export async function ensureHelloWorkflows(db: Db, env: Env, now: Date): Promise<void> {
  await createWorkflow(db, env, 'hello', { input: hello, schemaFault: null }, now)
  await createWorkflow(db, env, 'hello-email', { input: helloEmail, schemaFault: null }, now)
}
