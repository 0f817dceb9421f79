/** Every error a caller can see. Codes, statuses and texts are only here. */
export const errorTable = {
  malformed_json: [400, 'The body is not valid JSON.'],
  refused_content: [400, 'The body holds something this service never stores.'],
  invalid_cursor: [400, 'The cursor is not one this list gave out; start again without it.'],
  invalid_idempotency_key: [400, 'idempotency-key must be 1 to 255 visible ASCII characters.'],
  malformed_request: [400, 'The request could not be read.'],
  integration_check_failed: [400, 'The provider refused the connection; see its words.'],
  connect_unsupported: [400, 'The provider of this integration has no app to install and nobody to link.'],
  connect_refused: [400, 'The vendor did not agree; start again.'],
  public_url_needed: [400, 'Set PUBLIC_URL first: the vendor must be told where to send people and news.'],
  bridge_failed: [400, 'The bridge did not tell of its workflows; see its words.'],
  bridge_unsigned: [
    400,
    'No live API key of this environment can sign the call; call this with one that may do everything.',
  ],
  workflow_not_external: [400, 'A workflow with this workflowId is made here, not by the code of a bridge.'],
  workflow_external: [400, 'This workflow is code of a bridge: change it there, then POST /v1/bridge/sync.'],
  integration_cannot_send: [400, 'This integration has no provider that sends; there is nothing to test.'],
  issuer_failed: [400, 'The issuer did not answer as it should; an owner can check the connection.'],
  identifier_unknown: [400, 'No environment has this applicationIdentifier; the dashboard shows the right one.'],
  hash_refused: [
    400,
    'The subscriberHash must be the HMAC-SHA256 of the subscriberId, made on your server with a live API key.',
  ],
  context_hash_refused: [
    400,
    'The contextHash must be the HMAC-SHA256 of the context as canonical JSON, made with a live API key.',
  ],
  unauthorized: [401, 'Send a valid key as "Authorization: ApiKey <key>".'],
  inbox_unauthorized: [
    401,
    'Open a session first (POST /v1/inbox/session) and send its token as "Authorization: Bearer <token>".',
  ],
  person_deleted: [
    401,
    'The person of this inbox was deleted. A new session would make them anew: ask your server first.',
  ],
  signature_refused: [401, 'The signature is not one made with the signing key of this integration.'],
  sign_in_refused: [
    401,
    'This opens nothing. A link works once and for an hour; a password belongs to its e-mail address.',
  ],
  invitation_refused: [
    401,
    'This invitation is not one of ours, was used, or is older than a week; ask for a new one.',
  ],
  sign_in_first: [401, 'There is an account with this e-mail address: sign in, then open the link again.'],
  second_factor_needed: [401, 'This account has a second proof: send the code of the app, or a recovery code, too.'],
  reset_refused: [401, 'This link is not one of ours, was used, or is older than an hour; ask for a new one.'],
  flow_refused: [
    401,
    'This way back was used, is older than ten minutes, or began in another browser. Begin again on the sign-in page.',
  ],
  issuer_refused: [401, 'The issuer did not let you in. Try again there, or sign in in another way.'],
  cross_site_refused: [403, 'A signed-in browser may ask this only from our own pages (x-tidings-session: 1).'],
  metrics_private: [403, 'Without METRICS_TOKEN this answers only loopback and private addresses.'],
  topics_closed: [403, 'People cannot subscribe themselves to topics here (INBOX_TOPICS); a server can.'],
  subscriber_mismatch: [403, 'The subscriberId is not the person of this token; leave it out.'],
  vouching_needed: [403, 'This needs a session with a subscriberHash: your server must vouch for the person.'],
  look_only: [403, 'This token may only look; open a session of the person to change anything.'],
  environment_mismatch: [403, 'The _environmentId in the body is not the environment of this API key.'],
  key_needed: [403, 'This needs a live API key, and a sign-in by link has none; sign in with a key.'],
  environment_out_of_reach: [
    403,
    'This key opens only its own environment; use a key of the other one, or one that reaches the organization.',
  ],
  environment_protected: [
    403,
    'This environment is protected: workflows, layouts and translations change here only by publishing.',
  ],
  person_needed: [403, 'This is about an account of your own; sign in with an e-mail address and a password.'],
  proof_refused: [403, 'The password or the code is not right.'],
  second_factor_to_set_up: [403, 'Your organization asks for a second proof: set one up in your account first.'],
  password_not_allowed: [403, 'Your organization lets you in by its sign-in connection only: continue with that.'],
  connection_session: [
    403,
    'You came in by a connection of this organization, which opens nothing else of yours. For this, sign in by your password.',
  ],
  connection_refused: [403, 'The connection may not let you in here; ask an owner of the organization.'],
  not_permitted: [403, 'You may not do this here.'],
  event_not_found: [404, 'No event has this transactionId in this environment.'],
  route_not_found: [404, 'There is no such route; /openapi.json lists them all.'],
  sign_in_connection_not_found: [404, 'This organization has no sign-in connection with this id.'],
  subscriber_not_found: [404, 'No subscriber has this subscriberId in this environment.'],
  topic_not_found: [404, 'No topic has this key in this environment.'],
  topic_subscription_not_found: [404, 'This subscriber is not subscribed to this topic.'],
  integration_not_found: [404, 'No integration has this id in this environment.'],
  tenant_not_found: [404, 'No tenant has this identifier in this environment.'],
  context_not_found: [404, 'No context has this type and id in this environment.'],
  variable_not_found: [404, 'No variable has this key in the environments that you can get at.'],
  workflow_not_found: [404, 'No workflow has this workflowId in this environment.'],
  translation_not_found: [404, 'There is no translation of this workflow or layout in this language.'],
  step_not_found: [404, 'No step of this workflow has this stepId.'],
  layout_not_found: [404, 'No layout has this layoutId in this environment.'],
  message_not_found: [404, 'No message has this id in this environment.'],
  notification_not_found: [404, 'No event has this id in this environment.'],
  suppression_not_found: [404, 'This address is not on the suppression list.'],
  api_key_not_found: [404, 'No live API key has this id in this environment.'],
  webhook_not_found: [404, 'Nothing listens here.'],
  link_not_found: [404, 'This link is not one we made.'],
  channel_not_found: [404, 'This subscriber has no credentials for this provider.'],
  endpoint_not_found: [404, 'No channel endpoint has this identifier in this environment.'],
  webhook_endpoint_not_found: [404, 'No webhook endpoint has this id in this environment.'],
  webhook_delivery_not_found: [404, 'This webhook endpoint was told of no event with this id.'],
  publication_not_found: [404, 'No publication has this id in this environment.'],
  member_not_found: [404, 'No member of this organization has this id.'],
  invitation_not_found: [404, 'There is no open invitation with this id.'],
  session_not_found: [404, 'You have no session with this id, or it is over.'],
  organization_not_found: [404, 'You are no member of an organization with this id.'],
  environment_not_found: [404, 'There is no such environment.'],
  connection_not_found: [404, 'No channel connection has this identifier in this environment.'],
  subscriber_exists: [409, 'A subscriber with this subscriberId exists already.'],
  topic_exists: [409, 'A topic with this key exists already.'],
  tenant_exists: [409, 'A tenant with this identifier exists already.'],
  context_exists: [409, 'A context of this type with this id exists already.'],
  variable_exists: [409, 'A variable with this key exists already.'],
  too_many_variables: [409, 'An environment has 200 variables; delete one first.'],
  workflow_exists: [409, 'A workflow with this workflowId exists already.'],
  layout_exists: [409, 'A layout with this layoutId exists already.'],
  layout_is_default: [409, 'This is the default layout; make another one the default first, or none.'],
  layout_in_use: [409, 'Workflows name this layout; change them first.'],
  too_many_layouts: [409, 'This environment has 100 layouts; delete one first.'],
  send_is_over: [409, 'This send is over, or was canceled; what is over cannot be stopped and does not go on.'],
  transaction_id_conflict: [409, 'Another event has this transactionId; use a new one for a new event.'],
  too_many_api_keys: [
    409,
    'This environment has two live API keys that may do everything, or 50 that may do less; revoke one first.',
  ],
  too_many_integrations: [409, 'This environment has 500 integrations; delete one first.'],
  too_many_topics: [409, 'This person is in 1,000 topics; let them leave one first.'],
  subscription_ambiguous: [409, 'Several people have a subscription with this identifier; name it by its id.'],
  endpoint_exists: [409, 'The subscriber has this channel endpoint already.'],
  connection_exists: [409, 'Another channel connection has this identifier.'],
  too_many_endpoints: [409, 'This subscriber has 100 endpoints at this integration; delete one first.'],
  webhook_endpoint_disabled: [409, 'This webhook endpoint is disabled; enable it first.'],
  too_many_webhook_endpoints: [409, 'This environment has 20 webhook endpoints; delete one first.'],
  environment_elsewhere: [409, 'This environment lives in another cell; sign in there, or use a key of it.'],
  environment_name_taken: [409, 'Another environment of this organization has this name.'],
  environment_busy: [409, 'This environment is being moved, or its writers do not end; try again shortly.'],
  too_many_environments: [409, 'This organization has 200 environments; delete one first.'],
  environment_in_use: [409, 'You are in this environment; go to another one to delete it.'],
  publication_stale: [409, 'The environments are not what they were when the diff was shown; look at it again.'],
  environment_not_deleted: [409, 'This environment is not deleted, or for so long that nothing is left of it.'],
  member_exists: [409, 'Somebody with this e-mail address is a member already.'],
  invitation_exists: [409, 'This e-mail address is invited already; renew or revoke that invitation.'],
  too_many_members: [409, 'This organization has 1,000 members and open invitations; remove one first.'],
  password_absent: [409, 'You have no password here: you come in by the sign-in of your organization.'],
  two_factor_on: [409, 'A second proof is set up already; turn it off first.'],
  two_factor_off: [409, 'No second proof is set up, or none was begun; begin anew.'],
  too_many_sign_in_connections: [409, 'An organization has at most 20 sign-in connections; delete one first.'],
  last_way_in: [409, 'All owners come in by this connection. Make an owner who has a password first.'],
  last_owner: [409, 'This is the last owner of the organization; make another one first.'],
  last_api_key: [409, 'This is the last live API key of the environment; make another first.'],
  identifier_taken: [409, 'Another integration of this environment has this identifier.'],
  integration_not_active: [400, 'Only an active integration can be primary; activate it first.'],
  preference_read_only: [400, 'This workflow leaves its subscribers no choice (it is critical or read-only).'],
  channel_without_primary: [400, 'Only email and sms integrations have a primary.'],
  request_timeout: [408, 'The request took too long to arrive; send it again.'],
  request_in_flight: [409, 'A request with this idempotency-key is still running; try again shortly.'],
  body_too_large: [413, 'The body is larger than this route takes.'],
  unsupported_media_type: [415, 'Send the body as application/json (gzip, deflate and br are understood).'],
  wrong_cell: [421, 'This environment lives in another cell; the header tidings-cell names it.'],
  validation_failed: [422, 'Some fields are not valid; see errors.'],
  idempotency_key_reused: [422, 'This idempotency-key was used before with another body.'],
  too_many_requests: [429, 'Too many requests; wait as Retry-After says.'],
  backlog_full: [429, 'Too many events of this environment are waiting; send this again as Retry-After says.'],
  headers_too_large: [431, 'The path and headers are larger than this service reads.'],
  internal_error: [500, 'Something went wrong on our side; the requestId finds it in the log.'],
  callback_not_now: [503, 'This call cannot be checked just now; call again.'],
  outcome_unknown: [
    503,
    'The database did not confirm this, so it may or may not be kept. Send it again with the same transactionId or Idempotency-Key.',
  ],
  environment_held: [503, 'This environment is being moved; try again as Retry-After says.'],
  service_unavailable: [503, 'The database cannot be reached right now; try again as Retry-After says.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type ErrorCode = keyof typeof errorTable
export type FieldErrors = Record<string, { messages: string[]; value?: unknown }>

type Details = {
  message?: string
  /** Always present on a 422. */
  errors?: FieldErrors
  /** Shown beside the error's own fields: the object that exists (409 of failIfExists), the result of an event. */
  existing?: object
  retryAfterSeconds?: number
  headers?: Record<string, string>
}

export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Details

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? errorTable[code][1])
    this.code = code
    this.status = errorTable[code][0]
    this.details = details
  }
}

export function validationFailed(errors: FieldErrors): ApiError {
  const first = Object.entries(errors)[0]
  const message = first ? `${first[0]} ${first[1].messages[0]}` : errorTable.validation_failed[1]
  return new ApiError('validation_failed', { message, errors })
}

export function invalidField(field: string, message: string, value?: unknown): ApiError {
  return validationFailed({ [field]: value === undefined ? { messages: [message] } : { messages: [message], value } })
}

/** Draining and frozen are leases: one that has run out counts as active (see migration 0035). */
export type StateName = 'active' | 'arriving' | 'draining' | 'frozen' | 'departed'

export type HeldEnvironment = {
  state: Exclude<StateName, 'active'>
  /** Where it lives: of a departed one, and of an arriving one until it is active here. */
  cell: string | null
  /** Grows by one with each move: of two that name a cell, the higher one is right. */
  generation: number
}

/** An environment is being moved, or was: nothing of it is read or written here now. No fault of whoever asked. */
export class EnvironmentHeld extends Error {
  readonly held: HeldEnvironment

  constructor(environmentId: string, held: HeldEnvironment) {
    super(`environment ${environmentId} is ${held.state}`)
    this.held = held
  }
}
