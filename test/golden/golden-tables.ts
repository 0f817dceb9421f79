/**
 * Section 2 of the specification, copied by hand from its text: name, type, required. The source must agree with this,
 * not with itself. `extra` are the fields that CONTRACT adds beyond it.
 */
export type Table = { rows: Record<string, { type: string; required: boolean }>; extra: readonly string[] }

function table(text: string, extra: readonly string[] = []): Table {
  const rows: Table['rows'] = {}
  for (const line of text.trim().split('\n')) {
    const [names = '', type = '', required = ''] = line.trim().split(/\s+/)
    if (!['yes', 'no'].includes(required)) throw new Error(`not a row: ${line}`)
    for (const name of names.split(',')) rows[name] = { type, required: required === 'yes' }
  }
  return { rows, extra }
}

const channel = `'in_app'|'email'|'sms'|'chat'|'push'`
const jobType = `${channel}|'digest'|'trigger'|'delay'|'throttle'|'custom'`
const unit = `'seconds'|'minutes'|'hours'|'days'|'weeks'|'months'`
const weekDays = `'monday'|'tuesday'|'wednesday'|'thursday'|'friday'|'saturday'|'sunday'`
const filterType = `'BOOLEAN'|'TEXT'|'DATE'|'NUMBER'|'STATEMENT'|'LIST'|'MULTI_LIST'|'GROUP'`
const comparing = `'LARGER'|'SMALLER'|'LARGER_EQUAL'|'SMALLER_EQUAL'|'EQUAL'|'NOT_EQUAL'|'BETWEEN'|'NOT_BETWEEN'`
const operator = `${comparing}|'ALL_IN'|'ANY_IN'|'NOT_IN'|'LIKE'|'NOT_LIKE'|'IN'`
const providers = [
  'emailjs mailgun mailjet mandrill nodemailer postmark sendgrid sendinblue ses netcore infobip-email resend plunk',
  'mailersend mailtrap clickatell outlook365 platform-email sparkpost email-webhook braze nexmo plivo sms77 sms-central',
  'sns telnyx twilio gupshup firetext infobip-sms burst-sms bulk-sms isend-sms forty-six-elks kannel maqsam termii',
  'africas-talking platform-sms sendchamp generic-sms clicksend bandwidth messagebird simpletexting azure-sms',
  'ring-central brevo-sms eazy-sms mobishastra afro-message unifonic smsmode imedia sinch fcm apns expo one-signal',
  'pushpad push-webhook pusher-beams appio platform slack discord msteams mattermost ryver zulip grafana-on-call',
  'getstream rocket-chat whatsapp-business chat-webhook platform-slack',
]
const jobProvider = providers
  .flatMap((line) => line.split(' '))
  .map((name) => `'${name}'`)
  .join('|')
const status = `'sent'|'error'|'warning'`

export const tables: Record<string, Table> = {
  Subscriber: table(`
    _id string no
    subscriberId string yes
    firstName,lastName,email,phone,avatar,locale,timezone string|null no
    channels array<ChannelSettings> no
    topics array<string> no
    isOnline boolean|null no
    lastOnlineAt time|null no
    __v number no
    data object|null no
    _organizationId,_environmentId string yes
    deleted boolean yes
    createdAt,updatedAt time yes`),
  ChannelSettings: table(`
    providerId string yes
    integrationIdentifier string no
    credentials object yes
    _integrationId string yes`),
  StepFilter: table(`
    isNegated boolean no
    type ${filterType} no
    value 'AND'|'OR' no
    children array<FieldFilterPart> no`),
  FieldFilterPart: table(`
    field,value string no
    operator ${operator} no
    on 'subscriber'|'payload' no`),
  FeedItem: table(
    `
    _id,_templateId,_environmentId,_organizationId,_notificationId,_subscriberId,_jobId string yes
    _messageTemplateId string no
    _feedId string|null no
    createdAt,updatedAt time|null no
    actor Actor no
    subscriber FeedSubscriber no
    transactionId,content string yes
    templateIdentifier,providerId,subject string|null no
    channel ${channel} yes
    read,seen boolean yes
    deviceTokens array<string>|null no
    cta MessageCTA yes
    status ${status} yes
    payload,overrides object no
    data object|null no
    tags array<string>|null no`,
    ['archived'],
  ),
  Actor: table(`
    data string|null yes
    type 'none'|'user'|'system_icon'|'system_custom' yes`),
  FeedSubscriber: table(`
    _id,firstName,lastName,avatar string no
    subscriberId string yes`),
  MessageCTA: table(`
    type 'redirect' no
    data CTAData no
    action MessageAction no`),
  CTAData: table('url string no'),
  MessageAction: table(`
    status 'pending'|'done' no
    buttons array<MessageButton> no
    result object no`),
  MessageButton: table(`
    type 'primary'|'secondary' yes
    content string yes
    resultContent string no`),
  Message: table(`
    _id string no
    _templateId,_messageTemplateId,_feedId string|null no
    _environmentId,_organizationId,_notificationId,_subscriberId string yes
    subscriber Subscriber no
    template Workflow no
    templateIdentifier string no
    createdAt time yes
    deliveredAt array<time> no
    lastSeenDate,lastReadDate,snoozedUntil time no
    content string no
    transactionId string yes
    subject,email,phone,directWebhookUrl,providerId,title,errorId,errorText string no
    channel ${channel} yes
    read,seen boolean yes
    deviceTokens array<string> no
    cta MessageCTA yes
    status ${status} yes
    payload,overrides object no
    contextKeys array<string> no`),
  Workflow: table(`
    _id string no
    name,description,_organizationId,_creatorId,_environmentId,_notificationGroupId string yes
    active,draft,critical,deleted boolean yes
    preferenceSettings PreferenceSettings yes
    tags array<string> yes
    steps array<NotificationStep> yes
    triggers array<NotificationTrigger> yes
    deletedAt,deletedBy string yes
    _parentId string no
    notificationGroup,data,workflowIntegrationStatus object no`),
  PreferenceSettings: table('email,sms,in_app,chat,push boolean no'),
  NotificationTrigger: table(`
    type 'event' yes
    identifier string yes
    variables array<Variable> yes
    subscriberVariables array<Variable> no`),
  Variable: table('name string yes'),
  NotificationStep: table(`
    _id,uuid,name,_templateId,_parentId string no
    active,shouldStopOnFail boolean no
    template object no
    filters array<StepFilter> no
    metadata Metadata no
    replyCallback ReplyCallback no
    variants array<StepVariant> no`),
  StepVariant: table(`
    _id,uuid,name,_templateId,_parentId string no
    active,shouldStopOnFail boolean no
    template object no
    filters array<StepFilter> no
    metadata Metadata no
    replyCallback ReplyCallback no`),
  ReplyCallback: table('active boolean no\n url string no'),
  DigestRegular: table(`
    type 'regular'|'backoff' yes
    amount,backoffAmount number no
    unit,backoffUnit ${unit} no
    digestKey string no
    backoff,updateMode boolean no`),
  DigestTimed: table(`
    type 'timed' yes
    amount number no
    unit ${unit} no
    digestKey string no
    timed TimedConfig no`),
  DelayRegular: table(`
    type 'regular' yes
    amount number no
    unit ${unit} no`),
  DelayScheduled: table(`
    type 'scheduled' yes
    delayPath string yes`),
  TimedConfig: table(`
    atTime string no
    weekDays array<WeekDay> no
    monthDays array<string> no
    ordinal '1'|'2'|'3'|'4'|'5'|'last' no
    ordinalValue 'day'|'weekday'|'weekend'|${weekDays} no
    monthlyType 'each'|'on' no`),
  JobDigest: table(`
    type 'regular'|'backoff'|'timed' yes
    digestKey string no
    amount,backoffAmount number no
    unit,backoffUnit ${unit} no
    events array<object> no
    backoff,updateMode boolean no
    timed JobTimed no`),
  JobTimed: table(`
    atTime string no
    weekDays array<WeekDay> no
    monthDays array<number> no
    ordinal '1'|'2'|'3'|'4'|'5'|'last' no
    ordinalValue 'day'|'weekday'|'weekend'|${weekDays} no
    monthlyType 'each'|'on' no
    cronExpression,untilDate string no`),
  Activity: table(`
    _id string no
    _environmentId,_organizationId,_subscriberId,transactionId string yes
    _templateId,_digestedNotificationId string no
    createdAt,updatedAt time no
    channels array<JobType> no
    subscriber ActivitySubscriber no
    template ActivityTemplate no
    jobs array<Job> no
    payload,controls,to object no
    tags array<string> no
    topics array<ActivityTopic> no
    severity 'high'|'medium'|'low'|'none' no
    critical boolean no
    contextKeys array<string> no`),
  ActivitySubscriber: table(`
    subscriberId,_id string yes
    firstName,lastName,email,phone string no`),
  ActivityTemplate: table(`
    _id string no
    name string yes
    origin 'platform-cloud'|'platform-cloud-v1'|'external' no
    triggers array<NotificationTrigger> yes`),
  ActivityTopic: table('_topicId,topicKey string yes'),
  Job: table(
    `
    _id string yes
    type ${jobType} yes
    digest JobDigest no
    executionDetails array<ExecutionDetail> yes
    step JobStep yes
    overrides,payload object no
    providerId ${jobProvider} yes
    status string yes
    updatedAt time no
    scheduleExtensionsCount number no`,
    ['messages'],
  ),
  JobStep: table(`
    _id,_templateId string yes
    active boolean yes
    filters array<StepFilter> yes
    replyCallback,controlVariables,issues,template object no
    metadata Metadata no
    variants array<JobStep> no
    name string no
    _parentId string|null no`),
  ExecutionDetail: table(`
    _id string yes
    createdAt time no
    status 'Success'|'Warning'|'Failed'|'Pending'|'Queued'|'ReadConfirmation' yes
    detail string yes
    isRetry,isTest boolean yes
    providerId ${jobProvider} no
    raw string|null no
    source 'Credentials'|'Internal'|'Payload'|'Webhook' yes`),
  TriggerResult: table(`
    acknowledged boolean yes
    status TriggerStatus yes
    error array<string> no
    transactionId string no`),
  FeedPage: table('data array<FeedItem> yes\n hasMore boolean yes\n pageSize,page number yes\n totalCount number no'),
  MessagePage: table('data array<Message> yes\n hasMore boolean yes\n pageSize,page number yes\n totalCount number no'),
  ActivityPage: table('data array<Activity> yes\n hasMore boolean yes\n pageSize,page number yes'),
}

export const names: Record<string, string> = {
  WeekDay: weekDays,
  JobType: jobType,
  TriggerStatus: `'error'|'trigger_not_active'|'no_workflow_active_steps_defined'|'no_workflow_steps_defined'|'processed'|'no_tenant_found'|'invalid_recipients'`,
}

/** One of these, whichever it is. */
export const unions: Record<string, readonly string[]> = {
  Metadata: ['DigestRegular', 'DigestTimed', 'DelayRegular', 'DelayScheduled'],
}
