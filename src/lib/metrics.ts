import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/**
 * Metrics for operators, one registry per context. Labels are kinds of things (channel, provider, lane, outcome), never
 * a tenant or a person: the page is for operators, and must not grow with use. Counters count what is
 * committed. docs/metrics.md explains each.
 */
export type Metrics = ReturnType<typeof createMetrics>

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
// From an in-app message (milliseconds) to an e-mail that is retried for hours.
const stageSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200]
const providerSeconds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export function createMetrics() {
  const registry = new Registry()
  // At the default of 10 ms this alone wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  return { registry, ...counters(registry), ...histograms(registry), ...gauges(registry) }
}

function counters(registry: Registry) {
  const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  return {
    events: counter('tidings_events_total', 'Events by what was answered: processed, or why not', ['result']),
    notifications: counter('tidings_notifications_total', 'Notifications written: one event for one person'),
    steps: counter('tidings_steps_total', 'Steps that came to an end, or began to wait', ['type', 'outcome']),
    messages: counter('tidings_messages_total', 'Messages that came to an end', ['channel', 'provider', 'outcome']),
    attempts: counter('tidings_attempts_total', 'Tries at providers by their answer', [
      'channel',
      'provider',
      'outcome',
    ]),
    requests: counter('tidings_http_requests_total', 'Requests answered', ['method', 'route', 'status']),
    tasks: counter('tidings_tasks_total', 'Tasks that left their queue', ['queue', 'result']),
    timers: counter('tidings_timers_fired_total', 'Timers that were due and were queued', ['kind']),
    goneTokensKept: counter(
      'tidings_gone_tokens_kept_total',
      'Device tokens a vendor called gone that were kept, because it said so of too many',
      ['provider'],
    ),
    sendsStopped: counter('tidings_sends_stopped_total', 'Sends that were paused, by why', ['reason']),
    sendsBegun: counter('tidings_sends_begun_total', 'Sends to more people than one page holds, by how they began', [
      'as',
    ]),
    environmentsSlowed: counter('tidings_environments_slowed_total', 'Environments that were slowed down, by why', [
      'reason',
    ]),
    webhookTries: counter('tidings_webhook_tries_total', 'Tries at webhook endpoints by their answer', ['outcome']),
    webhooksDisabled: counter('tidings_webhook_endpoints_disabled_total', 'Webhook endpoints that were disabled'),
    bridgeCalls: counter('tidings_bridge_calls_total', 'Questions to bridges by what came of them', ['outcome']),
    loopFailures: counter('tidings_loop_failures_total', 'Turns of a loop that failed', ['loop']),
    loopBlocked: counter('tidings_event_loop_blocked_total', 'Times the event loop stood still for over a second'),
    spans: counter('tidings_spans_total', 'Spans handed to the collector, or dropped', ['result']),
  }
}

function histograms(registry: Registry) {
  const histogram = <const L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers: [registry] })
  return {
    requestSeconds: histogram(
      'tidings_http_request_seconds',
      'From the request to its answer',
      ['method', 'route'],
      requestSeconds,
    ),
    stageSeconds: histogram('tidings_stage_seconds', 'Time between two points of the way', ['stage'], stageSeconds),
    providerSeconds: histogram(
      'tidings_provider_seconds',
      'One try at a provider, with all its calls',
      ['channel', 'provider'],
      providerSeconds,
    ),
    taskSeconds: histogram('tidings_task_seconds', 'Tasks taken together, until done', ['queue'], stageSeconds),
  }
}

function gauges(registry: Registry) {
  const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  return {
    queueTasks: gauge('tidings_queue_tasks', 'Tasks in a queue, counted up to 10000', ['queue', 'lane', 'state']),
    oldestDueAge: gauge('tidings_oldest_due_age_seconds', 'How long the oldest due task has waited', ['queue', 'lane']),
    oldestTimerAge: gauge('tidings_oldest_due_timer_age_seconds', 'How overdue the most overdue timer is', ['kind']),
    dueTimers: gauge('tidings_due_timers', 'Timers that are due, counted up to 10000', ['kind']),
    inboxListeners: gauge('tidings_inbox_listeners', 'Browsers that listen to an inbox through this node'),
    deadLetters: gauge('tidings_dead_letters', 'Messages given up that can be driven again, counted up to 10000'),
    quarantined: gauge('tidings_quarantined_tasks', 'Tasks that were given up', ['queue']),
    conservationMissing: gauge('tidings_conservation_missing', 'Rows that were promised and are not there', ['table']),
    conservationRound: gauge(
      'tidings_conservation_round_timestamp_seconds',
      'When all of history was last compared with what was promised',
    ),
    missingKeys: gauge(
      'tidings_missing_encryption_keys',
      'Encryption keys that stored secrets need and this process lacks',
    ),
    backlogKnown: gauge('tidings_backlog_known', '1 when the database told how the queues stand, 0 when it did not'),
    bridgeWaiting: gauge('tidings_bridge_waiting_steps', 'Steps that wait for bridges, counted up to 10000'),
    oldestBridgeAge: gauge(
      'tidings_oldest_bridge_step_age_seconds',
      'How long the oldest step has waited for its bridge',
    ),
    integrations: gauge('tidings_integrations', 'Integrations this process has tried, by how they do', [
      'provider',
      'state',
    ]),
    poolConnections: gauge('tidings_database_pool_connections', 'Connections of the pool', ['state']),
    poolWaiting: gauge('tidings_database_pool_waiting', 'Callers that wait for a connection of the pool'),
    poolSize: gauge('tidings_database_pool_size', 'The most connections the pool may open'),
    standbys: gauge('tidings_database_synchronous_standbys', 'Standbys a commit waits for, and those that are there', [
      'state',
    ]),
    xminAge: gauge('tidings_database_xmin_age_transactions', 'Transactions since the oldest rows that are kept', [
      'holder',
    ]),
    snapshotAge: gauge('tidings_database_snapshot_age_seconds', 'Age of the oldest open transaction', ['holder']),
    loopTurned: gauge('tidings_loop_turned_timestamp_seconds', 'When the loop last turned', ['loop']),
  }
}
