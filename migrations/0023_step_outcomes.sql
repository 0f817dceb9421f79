-- Activity by outcome: the notifications of which a step ended so, or waits. Steps that simply completed, which are most of
-- all that is written, are not in it.
create index job_outcome on job (environment_id, status, notification_id)
  where status in ('failed', 'skipped', 'canceled', 'merged', 'delayed');
