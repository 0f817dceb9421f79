/** Functions that look past row-level security. */
export const selectCrossing = `select proname as name from pg_proc
  where pronamespace = 'public'::regnamespace and prosecdef order by proname collate "C"`

/**
 * All there may be. Four look up whose a call is; fourteen are for the team of an organization, which has several
 * environments, and for its people, who may be of several organizations; the others are housekeeping of all environments
 * at once, and give nothing of them away. Whoever adds one has thought about that.
 */
export const crossing = [
  'add_environment',
  'bridge_backlog',
  'change_environment',
  'claim_bridge_work',
  'claim_due_messages',
  'claim_due_receipts',
  'claim_webhook_lanes',
  'claim_webhook_work',
  'coarsen_rollups',
  'current_organization',
  'delete_environment',
  'delete_environment_variables',
  'drop_week',
  'ensure_partitions',
  'environment_variables_of',
  'environments_of',
  'find_api_key',
  'find_environment',
  'find_integration_environment',
  'fold_tallies',
  'forget_stranger',
  'idle_notifications',
  'list_bootstrap_keys',
  'make_partition',
  'next_due',
  'next_environment',
  'next_timers',
  'open_events',
  'organization_name',
  'purge_callback_tokens',
  'purge_change_record',
  'purge_environment_rows',
  'purge_outlived',
  'purge_rollups',
  'purge_sends',
  'purge_webhooks',
  'purge_week',
  'purge_windows',
  'release_paced_messages',
  'rename_organization',
  'restore_environment',
  'save_environment_variables',
  'sends_to_watch',
  'void_resets',
  'wake_due_jobs',
  'watch_backlog',
  'week_is_crowded',
]
