// Made from docs/openapi.json by scripts/api-types.ts; do not edit.

export type Error = {
  statusCode: number
  code: string
  message: string
  path: string
  timestamp: string
  requestId: string
  errors?: Record<string, { messages: string[]; value?: unknown }>
}

export type ApiKey = {
  id: string
  name: string
  createdAt: string
  current: boolean
  bootstrap: boolean
  revokedAt?: string
}

export type ChannelCredentials = {
  webhookUrl?: string
  channel?: string
  deviceTokens?: string[]
  alertUid?: string
  title?: string
  imageUrl?: string
  state?: string
  externalUrl?: string
}

export type ChannelSettings = {
  providerId:
    | 'slack'
    | 'discord'
    | 'msteams'
    | 'mattermost'
    | 'ryver'
    | 'zulip'
    | 'grafana-on-call'
    | 'getstream'
    | 'rocket-chat'
    | 'whatsapp-business'
    | 'chat-webhook'
    | 'platform-slack'
    | 'fcm'
    | 'apns'
    | 'expo'
    | 'one-signal'
    | 'pushpad'
    | 'push-webhook'
    | 'pusher-beams'
    | 'appio'
  integrationIdentifier?: string
  credentials: ChannelCredentials
  _integrationId: string
}

export type Subscriber = {
  _id: string
  subscriberId: string
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  avatar?: string | null
  locale?: string | null
  channels: ChannelSettings[]
  isOnline?: boolean | null
  lastOnlineAt?: string | null
  __v: number
  data?: Record<string, unknown> | null
  timezone?: string | null
  _organizationId: string
  _environmentId: string
  deleted: boolean
  createdAt: string
  updatedAt: string
}

export type StepFilter = {
  isNegated: boolean
  type: 'BOOLEAN' | 'TEXT' | 'DATE' | 'NUMBER' | 'STATEMENT' | 'LIST' | 'MULTI_LIST' | 'GROUP'
  value: 'AND' | 'OR'
  children: {
    field: string
    value: string
    operator:
      | 'LARGER'
      | 'SMALLER'
      | 'LARGER_EQUAL'
      | 'SMALLER_EQUAL'
      | 'EQUAL'
      | 'NOT_EQUAL'
      | 'ALL_IN'
      | 'ANY_IN'
      | 'NOT_IN'
      | 'BETWEEN'
      | 'NOT_BETWEEN'
      | 'LIKE'
      | 'NOT_LIKE'
      | 'IN'
    on: 'subscriber' | 'payload'
  }[]
}

export type NotificationStepVariant = {
  _id: string
  uuid: string
  name: string
  _templateId: string
  _parentId?: string
  active: boolean
  shouldStopOnFail: boolean
  template: Record<string, unknown>
  filters: StepFilter[]
  metadata?: Record<string, unknown>
  replyCallback?: { active?: boolean; url?: string }
}

export type NotificationStep = {
  _id: string
  uuid: string
  name: string
  _templateId: string
  _parentId?: string
  active: boolean
  shouldStopOnFail: boolean
  template: Record<string, unknown>
  filters: StepFilter[]
  metadata?: Record<string, unknown>
  replyCallback?: { active?: boolean; url?: string }
  variants: NotificationStepVariant[]
}

export type NotificationTrigger = { type: 'event'; identifier: string; variables: { name: string }[] }

export type EmbeddedWorkflow = {
  _id: string
  name: string
  description: string
  active: boolean
  draft: boolean
  preferenceSettings: { email?: boolean; sms?: boolean; in_app?: boolean; chat?: boolean; push?: boolean }
  critical: boolean
  tags: string[]
  steps: NotificationStep[]
  _organizationId: string
  _creatorId: string
  _environmentId: string
  triggers: NotificationTrigger[]
  _notificationGroupId: string
  deleted: boolean
  deletedAt: string
  deletedBy: string
}

export type MessageCTA = {
  type?: 'redirect'
  data?: { url?: string }
  action?: {
    status?: 'pending' | 'done'
    buttons?: { type: 'primary' | 'secondary'; content: string; resultContent?: string }[]
    result?: { payload?: Record<string, unknown>; type?: 'primary' | 'secondary' }
  }
}

export type DeadLetter = {
  _id: string
  _templateId?: string | null
  _messageTemplateId?: string | null
  _feedId?: string | null
  _environmentId: string
  _organizationId: string
  _notificationId: string
  _subscriberId: string
  subscriber?: Subscriber
  template?: EmbeddedWorkflow
  templateIdentifier?: string
  createdAt: string
  deliveredAt?: string[]
  lastSeenDate?: string
  lastReadDate?: string
  snoozedUntil?: string
  content?: string
  transactionId: string
  subject?: string
  email?: string
  phone?: string
  title?: string
  providerId?: string
  errorId?: string
  errorText?: string
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
  read: boolean
  seen: boolean
  cta: MessageCTA
  status: 'sent' | 'error' | 'warning'
  payload?: Record<string, unknown>
  overrides?: Record<string, unknown>
  contextKeys?: string[]
  attempts: number
  integrationId?: string
}

export type DevMail = { _id: string; channel: string; to: string; subject?: string; content: string; createdAt: string }

export type TriggerResult = {
  acknowledged: boolean
  status:
    | 'error'
    | 'trigger_not_active'
    | 'no_workflow_active_steps_defined'
    | 'no_workflow_steps_defined'
    | 'processed'
    | 'no_tenant_found'
    | 'invalid_recipients'
  error?: string[]
  transactionId?: string
}

export type Explanation = {
  result: TriggerResult
  recipients: {
    subscriberId: string
    steps: {
      stepId: string
      type: 'in_app' | 'email' | 'sms' | 'push' | 'chat' | 'delay' | 'digest' | 'throttle'
      outcome: 'send' | 'skip' | 'fail' | 'wait' | 'delay' | 'digest' | 'throttle' | 'defer'
      why?: string
      integrations?: string[]
      until?: string
    }[]
  }[]
  hasMore: boolean
}

export type Integration = {
  _id: string
  _environmentId: string
  _organizationId: string
  name: string
  identifier: string
  providerId: string
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
  credentials: Record<string, unknown>
  configurations: Record<string, unknown>
  active: boolean
  deleted: boolean
  deletedAt?: string
  deletedBy?: string
  primary: boolean
  conditions: StepFilter[]
}

export type IntegrationTest = {
  outcome: 'sent' | 'retry' | 'rejected' | 'unknown'
  reason?: string
  id?: string
  providerReply: { status: number; body: string } | { status: number; body: string }
  durationMs: number
}

export type Message = {
  _id: string
  _templateId?: string | null
  _messageTemplateId?: string | null
  _feedId?: string | null
  _environmentId: string
  _organizationId: string
  _notificationId: string
  _subscriberId: string
  subscriber?: Subscriber
  template?: EmbeddedWorkflow
  templateIdentifier?: string
  createdAt: string
  deliveredAt?: string[]
  lastSeenDate?: string
  lastReadDate?: string
  snoozedUntil?: string
  content?: string
  transactionId: string
  subject?: string
  email?: string
  phone?: string
  title?: string
  providerId?: string
  errorId?: string
  errorText?: string
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
  read: boolean
  seen: boolean
  cta: MessageCTA
  status: 'sent' | 'error' | 'warning'
  payload?: Record<string, unknown>
  overrides?: Record<string, unknown>
  contextKeys?: string[]
}

export type JobDigest = {
  type: 'regular' | 'backoff' | 'timed'
  digestKey?: string
  amount?: number
  unit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months'
  events?: Record<string, unknown>[]
  backoff?: boolean
  backoffAmount?: number
  backoffUnit?: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months'
  timed?: Record<string, unknown>
}

export type ExecutionDetail = {
  _id: string
  createdAt: string
  status: 'Success' | 'Warning' | 'Failed' | 'Pending' | 'Queued' | 'ReadConfirmation'
  detail: string
  isRetry: boolean
  isTest: boolean
  providerId?:
    | 'emailjs'
    | 'mailgun'
    | 'mailjet'
    | 'mandrill'
    | 'nodemailer'
    | 'postmark'
    | 'sendgrid'
    | 'sendinblue'
    | 'ses'
    | 'netcore'
    | 'infobip-email'
    | 'resend'
    | 'plunk'
    | 'mailersend'
    | 'mailtrap'
    | 'clickatell'
    | 'outlook365'
    | 'platform-email'
    | 'sparkpost'
    | 'email-webhook'
    | 'braze'
    | 'nexmo'
    | 'plivo'
    | 'sms77'
    | 'sms-central'
    | 'sns'
    | 'telnyx'
    | 'twilio'
    | 'gupshup'
    | 'firetext'
    | 'infobip-sms'
    | 'burst-sms'
    | 'bulk-sms'
    | 'isend-sms'
    | 'forty-six-elks'
    | 'kannel'
    | 'maqsam'
    | 'termii'
    | 'africas-talking'
    | 'platform-sms'
    | 'sendchamp'
    | 'generic-sms'
    | 'clicksend'
    | 'bandwidth'
    | 'messagebird'
    | 'simpletexting'
    | 'azure-sms'
    | 'ring-central'
    | 'brevo-sms'
    | 'eazy-sms'
    | 'mobishastra'
    | 'afro-message'
    | 'unifonic'
    | 'smsmode'
    | 'imedia'
    | 'sinch'
    | 'fcm'
    | 'apns'
    | 'expo'
    | 'one-signal'
    | 'pushpad'
    | 'push-webhook'
    | 'pusher-beams'
    | 'appio'
    | 'platform'
    | 'slack'
    | 'discord'
    | 'msteams'
    | 'mattermost'
    | 'ryver'
    | 'zulip'
    | 'grafana-on-call'
    | 'getstream'
    | 'rocket-chat'
    | 'whatsapp-business'
    | 'chat-webhook'
    | 'platform-slack'
  raw?: string
  source: 'Credentials' | 'Internal' | 'Payload' | 'Webhook'
}

export type Job = {
  _id: string
  type: 'in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'trigger' | 'delay' | 'throttle' | 'custom'
  digest?: JobDigest
  executionDetails: ExecutionDetail[]
  step: {
    _id: string
    active: boolean
    filters: StepFilter[]
    _templateId: string
    name?: string
    metadata?: Record<string, unknown>
    replyCallback?: Record<string, unknown>
    template?: Record<string, unknown>
    variants?: {
      _id: string
      active: boolean
      filters: StepFilter[]
      _templateId: string
      name?: string
      metadata?: Record<string, unknown>
      template?: Record<string, unknown>
    }[]
  }
  overrides?: Record<string, unknown>
  payload?: Record<string, unknown>
  providerId:
    | 'emailjs'
    | 'mailgun'
    | 'mailjet'
    | 'mandrill'
    | 'nodemailer'
    | 'postmark'
    | 'sendgrid'
    | 'sendinblue'
    | 'ses'
    | 'netcore'
    | 'infobip-email'
    | 'resend'
    | 'plunk'
    | 'mailersend'
    | 'mailtrap'
    | 'clickatell'
    | 'outlook365'
    | 'platform-email'
    | 'sparkpost'
    | 'email-webhook'
    | 'braze'
    | 'nexmo'
    | 'plivo'
    | 'sms77'
    | 'sms-central'
    | 'sns'
    | 'telnyx'
    | 'twilio'
    | 'gupshup'
    | 'firetext'
    | 'infobip-sms'
    | 'burst-sms'
    | 'bulk-sms'
    | 'isend-sms'
    | 'forty-six-elks'
    | 'kannel'
    | 'maqsam'
    | 'termii'
    | 'africas-talking'
    | 'platform-sms'
    | 'sendchamp'
    | 'generic-sms'
    | 'clicksend'
    | 'bandwidth'
    | 'messagebird'
    | 'simpletexting'
    | 'azure-sms'
    | 'ring-central'
    | 'brevo-sms'
    | 'eazy-sms'
    | 'mobishastra'
    | 'afro-message'
    | 'unifonic'
    | 'smsmode'
    | 'imedia'
    | 'sinch'
    | 'fcm'
    | 'apns'
    | 'expo'
    | 'one-signal'
    | 'pushpad'
    | 'push-webhook'
    | 'pusher-beams'
    | 'appio'
    | 'platform'
    | 'slack'
    | 'discord'
    | 'msteams'
    | 'mattermost'
    | 'ryver'
    | 'zulip'
    | 'grafana-on-call'
    | 'getstream'
    | 'rocket-chat'
    | 'whatsapp-business'
    | 'chat-webhook'
    | 'platform-slack'
  status: string
  updatedAt?: string
  scheduleExtensionsCount?: number
  messages?: Record<string, unknown>[]
}

export type Activity = {
  _id: string
  _environmentId: string
  _organizationId: string
  _subscriberId: string
  transactionId: string
  _templateId?: string
  _digestedNotificationId?: string
  createdAt?: string
  updatedAt?: string
  channels?: ('in_app' | 'email' | 'sms' | 'chat' | 'push' | 'digest' | 'trigger' | 'delay' | 'throttle' | 'custom')[]
  subscriber?: {
    subscriberId: string
    _id: string
    firstName?: string
    lastName?: string
    email?: string
    phone?: string
  }
  template?: {
    _id?: string
    name: string
    origin?: 'platform-cloud' | 'platform-cloud-v1' | 'external'
    triggers: NotificationTrigger[]
  }
  jobs: Job[]
  payload?: Record<string, unknown>
  controls?: Record<string, unknown>
  to?: Record<string, unknown>
  tags?: string[]
  topics?: { _topicId: string; topicKey: string }[]
  severity?: 'high' | 'medium' | 'low' | 'none'
  critical?: boolean
  contextKeys?: string[]
}

export type Attempt = {
  number: number
  providerId: string
  integrationId: string
  startedAt: string
  endedAt?: string
  outcome?: 'sent' | 'retry' | 'rejected' | 'unknown'
  integrationRefused: boolean
  reason?: string
}

export type SentMessage = {
  _id: string
  jobId: string
  stepId: string
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
  status: 'sent' | 'error' | 'warning'
  delivery?: 'open' | 'sent' | 'rejected' | 'unknown' | 'dead' | 'canceled'
  subject?: string
  content: string
  html?: string
  text?: string
  to?: string
  from?: { email: string; name?: string }
  replyTo?: string
  cta: MessageCTA
  avatar?: string
  data?: Record<string, unknown>
  providerId?: string
  integrationId?: string
  externalId?: string
  feedback?: 'delivered' | 'bounced' | 'complained'
  errorId?: string
  errorText?: string
  createdAt: string
  updatedAt: string
  nextTryAt?: string
  expiresAt?: string
  attempts: Attempt[]
}

export type Trouble = {
  code:
    | 'dead_letters'
    | 'provider_failing'
    | 'no_integration'
    | 'events_waiting'
    | 'timers_late'
    | 'workflow_failing'
    | 'tasks_quarantined'
    | 'deliveries_unknown'
    | 'bounces_growing'
  severity: 'error' | 'warning'
  text: string
  advice: string
  count: number
  target: {
    page: 'dead-letters' | 'integrations' | 'activity' | 'workflows' | 'suppressions'
    channel?: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
    providerId?: string
    workflowId?: string
    outcome?:
      | 'accepted'
      | 'notified'
      | 'sent'
      | 'failed'
      | 'unknown'
      | 'retried'
      | 'skipped'
      | 'merged'
      | 'canceled'
      | 'redriven'
      | 'delivered'
      | 'bounced'
      | 'complained'
  }
}

export type NumbersNow = {
  at: string
  status: 'ok' | 'error' | 'warning'
  waiting: { events: number; capped: boolean; oldestSeconds: number }
  items: Trouble[]
  cursor: string
}

export type NumbersSeries = {
  key: {
    outcome:
      | 'accepted'
      | 'notified'
      | 'sent'
      | 'failed'
      | 'unknown'
      | 'retried'
      | 'skipped'
      | 'merged'
      | 'canceled'
      | 'redriven'
      | 'delivered'
      | 'bounced'
      | 'complained'
    channel?: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
    workflowId?: string
    workflowName?: string
    providerId?: string
  }
  total: number
  points: { at: string; n: number }[]
}

export type Numbers = {
  from: string
  to: string
  step: 'minute' | 'hour' | 'day'
  series: NumbersSeries[]
  hasMore: boolean
  totals: {
    accepted: number
    notified: number
    sent: number
    failed: number
    unknown: number
    retried: number
    skipped: number
    merged: number
    canceled: number
    redriven: number
    delivered: number
    bounced: number
    complained: number
  }
  cursor: string
}

export type CredentialField = {
  name: string
  label: string
  kind: 'text' | 'url' | 'host' | 'port' | 'flag' | 'choice' | 'object'
  secret: boolean
  required: boolean
  values?: string[]
}

export type Provider = {
  providerId: string
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
  displayName: string
  documentation?: string
  verified: string
  tier: 'T0' | 'T1' | 'T2' | 'T3'
  idempotencyWindowMs?: number
  traceable: boolean
  whenUnknown: 'atLeastOnce' | 'atMostOnce'
  tokensPerCall?: number
  usesSubscriberWebhook: boolean
  developmentOnly: boolean
  available: boolean
  canCheck: boolean
  callbacks: boolean
  credentials: CredentialField[]
}

export type FeedItem = {
  _id: string
  _templateId: string
  _environmentId: string
  _messageTemplateId?: string
  _organizationId: string
  _notificationId: string
  _subscriberId: string
  _feedId?: string | null
  _jobId: string
  createdAt?: string | null
  updatedAt?: string | null
  actor?: { data: string | null; type: 'none' | 'user' | 'system_icon' | 'system_custom' }
  subscriber?: { _id?: string; firstName?: string; lastName?: string; avatar?: string; subscriberId: string }
  transactionId: string
  templateIdentifier?: string | null
  providerId?: string | null
  content: string
  subject?: string | null
  channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
  read: boolean
  seen: boolean
  archived: boolean
  deviceTokens?: string[] | null
  cta: MessageCTA
  status: 'sent' | 'error' | 'warning'
  payload?: Record<string, unknown>
  data?: Record<string, unknown> | null
  overrides?: Record<string, unknown>
  tags?: string[] | null
}

export type Suppression = {
  channel: 'email' | 'sms'
  address: string
  reason: 'bounced' | 'complained' | 'unsubscribed'
  messageId?: string
  createdAt: string
}

export type Tenant = {
  _id: string
  identifier: string
  name?: string
  data?: Record<string, unknown>
  _environmentId: string
  createdAt: string
  updatedAt: string
}

export type Topic = { _id: string; key: string; name?: string; createdAt: string; updatedAt: string }

export type SubscriberSummary = {
  _id: string
  subscriberId: string
  avatar?: string | null
  firstName?: string | null
  lastName?: string | null
  email?: string | null
}

export type TopicSubscription = {
  _id: string
  identifier: string
  createdAt: string
  updatedAt: string
  topic: Topic
  subscriber: SubscriberSummary
}

export type ExportedPreferences = {
  choices: {
    workflowId?: string
    enabled?: boolean
    channels: { in_app?: boolean; email?: boolean; sms?: boolean; chat?: boolean; push?: boolean }
    updatedAt: string
  }[]
  schedule?: {
    isEnabled: boolean
    weeklySchedule?: {
      monday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
      tuesday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
      wednesday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
      thursday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
      friday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
      saturday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
      sunday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
    }
  }
}

export type InboxNotification = {
  id: string
  transactionId: string
  subject?: string
  body: string
  to: { id: string; firstName?: string; lastName?: string; avatar?: string; subscriberId: string }
  isRead: boolean
  isSeen: boolean
  isArchived: boolean
  isSnoozed: boolean
  snoozedUntil?: string | null
  deliveredAt: string[]
  createdAt: string
  readAt?: string | null
  firstSeenAt?: string | null
  archivedAt?: string | null
  avatar?: string
  primaryAction?: { label: string; isCompleted: boolean; redirect?: { url: string; target?: string } }
  secondaryAction?: { label: string; isCompleted: boolean; redirect?: { url: string; target?: string } }
  channelType: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
  tags?: string[]
  data?: Record<string, unknown>
  redirect?: { url: string; target?: string }
  workflow?: {
    id: string
    identifier: string
    name: string
    critical: boolean
    tags: string[]
    severity: 'high' | 'medium' | 'low' | 'none'
  }
  severity: 'high' | 'medium' | 'low' | 'none'
}

export type ChangedPreference = {
  level: 'global' | 'template'
  workflow: {
    id: string
    identifier: string
    name: string
    critical: boolean
    tags: string[]
    severity: 'high' | 'medium' | 'low' | 'none'
  }
  enabled: boolean
  channels: { in_app?: boolean; email?: boolean; sms?: boolean; chat?: boolean; push?: boolean }
}

export type SubscriberWorkflowPreference = {
  enabled: boolean
  readOnly: boolean
  channels: { in_app?: boolean; email?: boolean; sms?: boolean; chat?: boolean; push?: boolean }
  overrides: {
    channel: 'in_app' | 'email' | 'sms' | 'chat' | 'push'
    source: 'subscriber' | 'template' | 'workflowOverride'
  }[]
  workflow: { slug: string; identifier: string; name: string; critical: boolean; updatedAt: string }
  updatedAt?: string
}

export type SubscriberPreferences = {
  global: {
    enabled: boolean
    channels: { in_app?: boolean; email?: boolean; sms?: boolean; chat?: boolean; push?: boolean }
    schedule?: {
      isEnabled: boolean
      weeklySchedule?: {
        monday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
        tuesday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
        wednesday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
        thursday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
        friday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
        saturday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
        sunday?: { isEnabled: boolean; hours?: { start: string; end: string }[] }
      }
    }
  }
  workflows: SubscriberWorkflowPreference[]
}

export type StepVariant = { name?: string; filters: StepFilter[]; controlValues: Record<string, unknown> }

export type WorkflowStep = {
  _id: string
  stepId: string
  slug: string
  name: string
  type: 'in_app' | 'email' | 'sms' | 'push' | 'chat' | 'delay' | 'digest' | 'throttle'
  active: boolean
  shouldStopOnFail: boolean
  filters: StepFilter[]
  when?: { stepId: string; is: 'seen' | 'unseen' | 'read' | 'unread' | 'sent' | 'failed' }
  variants: StepVariant[]
  replyCallback?: { active?: boolean; url?: string }
  controlValues: Record<string, unknown>
  controls: { values: Record<string, unknown> }
  variables: Record<string, unknown>
  origin: string
  workflowId: string
  workflowDatabaseId: string
}

export type Workflow = {
  _id: string
  workflowId: string
  slug: string
  name: string
  tags: string[]
  active: boolean
  status: 'ACTIVE' | 'INACTIVE'
  version: number
  origin: string
  isTranslationEnabled: boolean
  createdAt: string
  updatedAt: string
  description: string
  severity: 'high' | 'medium' | 'low' | 'none'
  critical: boolean
  validatePayload: boolean
  payloadSchema: Record<string, unknown> | null
  ttl?: { amount: number; unit: 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks' | 'months' }
  preferences: {
    user:
      | {
          all: { enabled: boolean; readOnly: boolean }
          channels: {
            in_app: { enabled: boolean }
            email: { enabled: boolean }
            sms: { enabled: boolean }
            chat: { enabled: boolean }
            push: { enabled: boolean }
          }
        }
      | {
          all: { enabled: boolean; readOnly: boolean }
          channels: {
            in_app: { enabled: boolean }
            email: { enabled: boolean }
            sms: { enabled: boolean }
            chat: { enabled: boolean }
            push: { enabled: boolean }
          }
        }
    default: {
      all: { enabled: boolean; readOnly: boolean }
      channels: {
        in_app: { enabled: boolean }
        email: { enabled: boolean }
        sms: { enabled: boolean }
        chat: { enabled: boolean }
        push: { enabled: boolean }
      }
    }
  }
  steps: WorkflowStep[]
}

export type WorkflowSummary = {
  _id: string
  workflowId: string
  slug: string
  name: string
  tags: string[]
  active: boolean
  status: 'ACTIVE' | 'INACTIVE'
  version: number
  origin: string
  isTranslationEnabled: boolean
  createdAt: string
  updatedAt: string
  stepTypeOverviews: ('in_app' | 'email' | 'sms' | 'push' | 'chat' | 'delay' | 'digest' | 'throttle')[]
  steps: { slug: string; type: 'in_app' | 'email' | 'sms' | 'push' | 'chat' | 'delay' | 'digest' | 'throttle' }[]
}

export type StepPreview = {
  result: {
    type: 'in_app' | 'email' | 'sms' | 'push' | 'chat' | 'delay' | 'digest' | 'throttle'
    preview: Record<string, unknown>
    errors: { field: string; message: string }[]
    error?: { title: string; message: string; hint: string }
  }
  applies: boolean
  why?: string
  variant?: string
  previewPayloadExample: Record<string, unknown>
  schema: Record<string, unknown> | null
}

export type WorkflowVersion = {
  version: number
  current: boolean
  createdAt?: string
  createdBy?: { id: string; name?: string }
  workflow: Workflow
}

export type Session = {
  environment: { id: string; name: string }
  organization: { id: string; name?: string }
  signedInBy: 'key' | 'link'
  keyId?: string
  expiresAt: string
}
