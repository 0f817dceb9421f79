import type { ChannelConnection, Integration, Job, SentMessage, Workflow, WorkflowStep } from './api/types.ts'

/** Whole replies of the API for tests, which say only what they are about. */
const at = '2026-03-01T12:00:00.000Z'
const channelsOn = {
  in_app: { enabled: true },
  email: { enabled: true },
  sms: { enabled: true },
  chat: { enabled: true },
  push: { enabled: true },
}

export const stepOf = (stepId: string, fields: Partial<WorkflowStep> = {}): WorkflowStep => ({
  _id: `id-of-${stepId}`,
  stepId,
  slug: stepId,
  name: stepId,
  type: 'email',
  active: true,
  shouldStopOnFail: false,
  filters: [],
  variants: [],
  controlValues: {},
  controls: { values: {} },
  variables: {},
  origin: 'platform-cloud',
  workflowId: 'order-shipped',
  workflowDatabaseId: 'w1',
  ...fields,
})

export const workflowOf = (fields: Partial<Workflow> = {}): Workflow => ({
  _id: 'w1',
  workflowId: 'order-shipped',
  slug: 'order-shipped',
  name: 'Order shipped',
  tags: [],
  active: true,
  status: 'ACTIVE',
  version: 1,
  origin: 'platform-cloud',
  isTranslationEnabled: false,
  createdAt: at,
  updatedAt: at,
  description: '',
  severity: 'none',
  critical: false,
  validatePayload: false,
  payloadSchema: null,
  preferences: { user: null, default: { all: { enabled: true, readOnly: false }, channels: channelsOn } },
  steps: [],
  ...fields,
})

export const jobOf = (fields: Partial<Job> = {}): Job => ({
  _id: 'j1',
  type: 'email',
  executionDetails: [],
  step: { _id: 'id-of-e-mail', active: true, filters: [], _templateId: 'w1' },
  providerId: 'sendgrid',
  status: 'completed',
  ...fields,
})

export const messageOf = (fields: Partial<SentMessage> = {}): SentMessage => ({
  _id: 'm1',
  jobId: 'j1',
  stepId: 'e-mail',
  channel: 'email',
  status: 'sent',
  content: '',
  cta: {},
  createdAt: at,
  updatedAt: at,
  attempts: [],
  ...fields,
})

export const integrationOf = (fields: Partial<Integration> = {}): Integration => ({
  _id: 'i1',
  _environmentId: 'e1',
  _organizationId: 'o1',
  name: 'SendGrid',
  identifier: 'sendgrid',
  providerId: 'sendgrid',
  channel: 'email',
  credentials: {},
  configurations: {},
  active: true,
  deleted: false,
  primary: false,
  conditions: [],
  ...fields,
})

export const connectionOf = (fields: Partial<ChannelConnection> = {}): ChannelConnection => ({
  identifier: 'chc_1',
  channel: 'chat',
  providerId: 'slack',
  integrationIdentifier: 'slack',
  subscriberId: null,
  contextKeys: [],
  workspace: { id: 'T0ACME', name: 'Acme' },
  auth: { accessToken: '••••' },
  refused: null,
  createdAt: at,
  updatedAt: at,
  ...fields,
})
