// Made from the migrations by `npm run generate`; a test fails when it is stale.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Written as JSON text, read as what it says. */
type Json<Absent> = ColumnType<unknown, string | Absent, string | Extract<Absent, null>>

export type Tables = {
  api_key: {
    environment_id: string
    id: string
    name: string
    secret_hash: Buffer
    bootstrap: Generated<boolean>
    revoked_at: Date | null
    last_used_at: Date | null
    sealed_text: string | null
    reach: Generated<string>
    scope: Generated<string>
    expires_at: Date | null
    note: string | null
  }
  attempt: {
    environment_id: string
    id: string
    message_id: string
    number: number
    integration_id: string
    provider_id: string
    started_at: Date
    deadline: Date
    ended_at: Date | null
    outcome: string | null
    integration_refused: Generated<boolean>
    reason: string | null
    when_unknown: string | null
    paced: Generated<boolean>
    variant: string | null
  }
  bridge: {
    environment_id: string
    url: string
    key_id: string | null
    synced_at: Date
    failing_since: Date | null
    failing_reason: string | null
    busy_until: Generated<Date>
    busy_by: string | null
  }
  bridge_call: {
    environment_id: string
    job_id: string
    notification_id: string
    since: Date
    next_at: Date
    number: Generated<number>
    failures: Generated<number>
  }
  callback_arrival: {
    environment_id: string
    integration_id: string
    told_at: Date | null
    told: Json<null>
    refused_at: Date | null
    refused: string | null
  }
  callback_token: {
    environment_id: string
    integration_id: string
    digest: Buffer
    expires_at: Date
  }
  change_record: {
    organization_id: string
    id: string
    happened_in: string | null
    actor_type: string
    actor_id: string
    actor_name: string
    address: string | null
    agent: string | null
    request_id: string | null
    action: string
    subject_type: string
    subject_id: string
    subject_name: string | null
    changes: Json<never>
  }
  channel_connection: {
    environment_id: string
    id: string
    identifier: string
    integration_id: string
    subscriber_id: string | null
    shared: boolean
    context_keys: string[]
    workspace: Json<never>
    auth: string | null
    auth_number: Generated<number>
    expires_at: Date | null
    renewing_until: Date | null
    refused: string | null
    updated_at: Date
  }
  channel_endpoint: {
    environment_id: string
    id: string
    identifier: string
    integration_id: string
    connection_id: string | null
    subscriber_id: string
    context_keys: string[]
    contexts: Buffer
    type: string
    endpoint: string
    place: Buffer
    gone_at: Date | null
    updated_at: Date
  }
  connect_attempt: {
    environment_id: string
    id: string
    integration_id: string
    subscriber_id: string | null
    secret_hash: Buffer
    wanted: Json<never>
    expires_at: Date
  }
  conservation: {
    one: Generated<boolean>
    place: Json<null>
    missing: Json<undefined>
    last_missing: Json<undefined>
    round_ended_at: Date | null
    messages_from: Date
  }
  context: {
    environment_id: string
    id: string
    type: string
    identifier: string
    data: Json<null>
    updated_at: Date
  }
  dev_mail: {
    environment_id: string
    id: string
    channel: string
    recipient: string
    subject: string | null
    content: string
    created_at: Date
  }
  digest_window: {
    environment_id: string
    workflow_id: string
    step_id: string
    subscriber_id: string
    key: string
    kind: string
    notification_id: string
    job_id: string
    closes_at: Date
    look_back_seconds: number | null
  }
  edition: {
    environment_id: string
    number: number
    default_locale: string
    created_at: Date
    created_by: string | null
  }
  encryption_key: {
    id: string
    check_value: string
    first_used_at: Date
    retired_at: Date | null
  }
  environment: {
    id: string
    organization_id: string
    name: string
    identifier: Generated<string>
    signing_secret: string | null
    state: Generated<string>
    state_since: Date | null
    frozen_until: Date | null
    cell: string | null
    source_cell: string | null
    home_cell: string | null
    generation: Generated<number>
    slug: Generated<string>
    color: Generated<string>
    type: Generated<string>
    parent_id: string | null
    protected: Generated<boolean>
    deleted_at: Date | null
    purged_after: Date | null
    send_bounds: Json<undefined>
    slowed: Json<null>
  }
  environment_move: {
    environment_id: string
    from_cell: string
    to_cell: string
    step: string
    started_at: Generated<Date>
    departed_at: Date | null
    changed_at: Generated<Date>
    subscription_oid: string | null
    target_system: string | null
    report: Json<undefined>
  }
  environment_variable: {
    environment_id: string
    id: string
    key: string
    is_secret: boolean
    value: string | null
    updated_at: Date
  }
  event: {
    environment_id: string
    id: string
    transaction_id: string
    workflow_id: string
    workflow_version: number
    payload: Json<never>
    overrides: Json<never>
    recipients: Json<null>
    actor: Json<null>
    tenant: string | null
    context: Json<null>
    context_keys: string[] | null
    state: Generated<string>
    expand_cursor: Json<null>
    notified_count: Generated<number>
    trace: string | null
    edition: number | null
  }
  event_attachment: {
    environment_id: string
    event_id: string
    position: number
    name: string
    mime: string
    content: Buffer
  }
  event_key: {
    environment_id: string
    transaction_id: string
    event_id: string
    event_hash: Buffer
  }
  held_item: {
    environment_id: string
    send_id: string
    id: string
    kind: string
    held_at: Date
  }
  idempotency: {
    environment_id: string
    claim: Buffer
    request_hash: Buffer
    status: number | null
    reply: string | null
    claimed_at: Date
    leased_until: Date | null
  }
  inbox_node: {
    id: string
    seen_at: Date
  }
  integration: {
    environment_id: string
    id: string
    provider_id: string
    channel: string
    name: string
    identifier: string
    credentials: Json<undefined>
    configurations: Json<undefined>
    conditions: Json<undefined>
    active: boolean
    is_primary: Generated<boolean>
    placeholder: Generated<boolean>
    deleted_at: Date | null
    deleted_by: string | null
  }
  integration_pace: {
    environment_id: string
    integration_id: string
    paused_until: Date
    rate: number
    ceiling: number | null
    slots: number
    refilled_at: Date
    slowed_at: Date
  }
  invitation: {
    organization_id: string
    id: string
    email: string
    role: string | null
    roles: Json<never>
    token_hash: Buffer
    expires_at: Date
    invited_by: string
  }
  job: {
    environment_id: string
    id: string
    notification_id: string
    step_index: number
    type: string
    status: string
    provider_id: string | null
    message_ids: string[] | null
    details: Json<never>
    run_at: Date | null
    updated_at: Date
    merged_into: string | null
    extensions: Generated<number>
    answer: Json<null>
  }
  layout: {
    environment_id: string
    id: string
    identifier: string
    name: string
    is_default: Generated<boolean>
    edition: number
    created_by: string | null
    updated_by: string | null
    updated_at: Date
    deleted_at: Date | null
  }
  layout_version: {
    environment_id: string
    layout_id: string
    edition: number
    identifier: string
    is_default: boolean
    definition: Json<null>
    created_at: Date
    created_by: string | null
  }
  member: {
    organization_id: string
    person_id: string
    role: string | null
    created_at: Date
    through: string | null
  }
  member_role: {
    organization_id: string
    person_id: string
    in_environment: string
    role: string | null
  }
  message: {
    environment_id: string
    id: string
    event_id: string
    notification_id: string
    job_id: string
    subscriber_id: string
    workflow_id: string
    workflow_version: number
    step_index: number
    transaction_id: string
    channel: string
    provider_id: string | null
    status: string
    error_id: string | null
    error_text: string | null
    subject: string | null
    content: string
    cta: Json<undefined>
    avatar: string | null
    data: Json<null>
    seen: Generated<boolean>
    read: Generated<boolean>
    seen_at: Date | null
    read_at: Date | null
    context_keys: string[] | null
    updated_at: Date
    first_seen_at: Date | null
    archived_at: Date | null
    snoozed_until: Date | null
    redelivered_at: Date[] | null
    delivery: string | null
    integration_id: string | null
    address: string | null
    envelope: Json<null>
    attempts: Generated<number>
    redriven_after: Generated<number>
    in_flight: Generated<boolean>
    settled_targets: string[] | null
    retry_at: Date | null
    expires_at: Date | null
    priority: number | null
    external_id: string | null
    delivered_at: Date | null
    feedback: string | null
    reports: string[] | null
    endpoint_id: string | null
  }
  move_marker: {
    environment_id: string
    marker: string
  }
  node: {
    id: string
    role: string
    host: string
    pid: number
    version: string
    key_ids: string[]
    sealing_key: string
    seen_at: Date
    key_fingerprints: Generated<string[]>
  }
  notification: {
    environment_id: string
    id: string
    event_id: string
    transaction_id: string
    subscriber_id: string
    workflow_id: string
    workflow_version: number
    topic_ids: string[] | null
    context_keys: string[] | null
    completed_at: Date | null
  }
  organization: {
    id: string
    name: string
  }
  organization_setting: {
    organization_id: string
    mail_environment: string | null
    mail_integration: string | null
    require_two_factor: Generated<boolean>
    passwords: Generated<string>
  }
  outcome_folded: {
    environment_id: string
    tallies: string
  }
  outcome_rollup: {
    environment_id: string
    at: Date
    minutes: number
    workflow_id: string
    channel: string
    provider_id: string
    outcome: string
    n: string
  }
  outcome_tally: {
    environment_id: string
    id: string
    at: Date
    workflow_id: string
    channel: string
    provider_id: string
    outcome: string
    n: number
  }
  own_mail: {
    organization_id: string
    id: string
    kind: string
    subject_id: string
    recipient: string
    link: string | null
    state: string
    tries: Generated<number>
    next_at: Date
    reason: string | null
  }
  paced_message: {
    environment_id: string
    integration_id: string
    place: number
    message_id: string
  }
  password_reset: {
    person_id: string
    id: string
    token_hash: Buffer
    expires_at: Date
    used_at: Date | null
  }
  person: {
    id: string
    email: string
    name: string
    password_hash: string | null
    totp_secret: string | null
    totp_confirmed_at: Date | null
    totp_last_step: string | null
    updated_at: Date
  }
  person_session: {
    organization_id: string
    id: string
    person_id: string
    token_hash: Buffer
    last_seen_at: Date
    expires_at: Date
    ended_at: Date | null
    address: string | null
    agent: string | null
    connection_id: string | null
  }
  placement: {
    environment_id: string
    cell: string
    generation: number
    changed_at: Generated<Date>
  }
  presence: {
    environment_id: string
    subscriber_id: string
    node_id: string
  }
  publication: {
    environment_id: string
    id: string
    source_id: string | null
    source_name: string | null
    restored_id: string | null
    restored_state: string | null
    note: string | null
    changes: Json<never>
    summary: Json<never>
    workflows_before: Json<never>
    edition_before: number | null
    workflows_after: Json<never>
    edition_after: number | null
    created_at: Date
    created_by: string | null
  }
  published_resource: {
    environment_id: string
    kind: string
    resource_id: string
    locale: string
    source_id: string
  }
  receipt: {
    environment_id: string
    integration_id: string
    ticket: string
    message_id: string
    target: string
    due_at: Date
    expires_at: Date
    outcome: string | null
    reason: string | null
  }
  recovery_code: {
    person_id: string
    code_hash: Buffer
  }
  send: {
    environment_id: string
    id: string
    transaction_id: string
    workflow_id: string
    kind: string
    state: string
    since: Date
    reason: string | null
    reason_text: string | null
    resumes_at: Date | null
    look_at: Date | null
    event_was: string | null
    total: number | null
    canary_people: number | null
    canary_until: number | null
    bounds: Json<null>
    counted: boolean
    judged: Json<undefined>
    canceled_after: string | null
    left_out: number | null
    history: Json<undefined>
  }
  send_tally: {
    environment_id: string
    send_id: string
    id: string
    channel: string
    outcome: string
    n: number
  }
  send_total: {
    environment_id: string
    send_id: string
    channel: string
    outcome: string
    n: string
  }
  session: {
    environment_id: string
    id: string
    token_hash: Buffer
    api_key_id: string | null
    expires_at: Date
    ended_at: Date | null
  }
  sign_in_connection: {
    organization_id: string
    id: string
    name: string
    issuer: string
    client_id: string
    client_secret: string
    scopes: string[]
    domains: string[]
    trusts_email: boolean
    groups_claim: string | null
    group_roles: Json<never>
    default_role: string | null
    joins: boolean
    active: boolean
  }
  sign_in_failure: {
    account_hash: Buffer
    failures: number
    last_at: Date
    blocked_until: Date
  }
  sign_in_flow: {
    organization_id: string
    id: string
    connection_id: string
    state_hash: Buffer
    cookie_hash: Buffer
    nonce: string
    verifier: string
    next: string | null
    expires_at: Date
  }
  sign_in_identity: {
    organization_id: string
    connection_id: string
    subject: string
    person_id: string
  }
  sign_in_link: {
    environment_id: string
    id: string
    token_hash: Buffer
    expires_at: Date
    used_at: Date | null
  }
  subscriber: {
    environment_id: string
    id: string
    subscriber_id: string
    first_name: string | null
    last_name: string | null
    full_name: GeneratedAlways<string | null>
    email: string | null
    phone: string | null
    avatar: string | null
    locale: string | null
    timezone: string | null
    data: Json<null>
    is_online: boolean | null
    last_online_at: Date | null
    version: Generated<number>
    updated_at: Date
  }
  subscriber_channel: {
    environment_id: string
    subscriber_id: string
    integration_id: string
    credentials: string
    gone: string | null
  }
  subscriber_preference: {
    environment_id: string
    subscriber_id: string
    workflow_id: string | null
    scope: string
    choices: Json<never>
    updated_at: Date
  }
  subscriber_schedule: {
    environment_id: string
    subscriber_id: string
    enabled: boolean
    weekly: Json<null>
    updated_at: Date
  }
  subscription_detail: {
    environment_id: string
    topic_id: string
    subscriber_id: string
    identifier: string
    id: string
    name: string | null
    context_keys: Generated<string[]>
    preferences: Json<undefined>
    updated_at: Date
  }
  suppression: {
    environment_id: string
    channel: string
    address: string
    reason: string
    message_id: string | null
    created_at: Date
  }
  tenant: {
    environment_id: string
    id: string
    identifier: string
    name: string | null
    data: Json<null>
    updated_at: Date
  }
  throttle_window: {
    environment_id: string
    workflow_id: string
    step_id: string
    subscriber_id: string
    key: string
    count: number
    ends_at: Date
  }
  token_trust: {
    environment_id: string
    integration_id: string
    credentials: Buffer
    accepted: string
    gone: string
  }
  topic: {
    environment_id: string
    id: string
    key: string
    name: string | null
    updated_at: Date
    deleted_at: Date | null
    by_person: Generated<boolean>
  }
  topic_subscription: {
    environment_id: string
    topic_id: string
    id: string
    subscriber_id: string
  }
  translation: {
    environment_id: string
    resource_type: string
    resource_id: string
    locale: string
    edition: number
    content: Json<null>
    created_at: Date
    created_by: string | null
  }
  webhook_delivery: {
    environment_id: string
    endpoint_id: string
    id: string
    type: string
    subscriber_id: string | null
    body: string
    created_at: Date
    state: Generated<string>
    next_at: Date | null
    number: Generated<number>
    in_flight: Generated<boolean>
    started_at: Date | null
    failures: Generated<number>
    since: Date
    tries: Json<undefined>
  }
  webhook_endpoint: {
    environment_id: string
    id: string
    url: string
    description: string | null
    event_types: string[] | null
    secrets: string
    state: string
    disabled_reason: string | null
    failing_since: Date | null
    busy_until: Generated<Date>
    busy_by: string | null
    updated_at: Date
  }
  webhook_page: {
    environment_id: string
    endpoint_id: string
    id: string
    created_at: Date
    size: number
    begun: Generated<number>
    ids: string[]
    types: string[]
    subscriber_ids: string[]
    bodies: string[]
  }
  week_purge: {
    week: Date
    step: Generated<number>
    after_environment: Generated<string>
    after_id: Generated<string>
    done_at: Date | null
  }
  worker_alive: {
    one: Generated<boolean>
    at: Date
  }
  workflow: {
    environment_id: string
    id: string
    identifier: string
    name: string
    active: boolean
    version: number
    created_by: string
    updated_at: Date
    deleted_at: Date | null
    deleted_by: string | null
  }
  workflow_version: {
    environment_id: string
    workflow_id: string
    version: number
    definition: Json<never>
    created_at: Date | null
    created_by: string | null
  }
}
