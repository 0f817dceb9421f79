-- Whose key deleted a workflow, as for integrations; unknown for those deleted before.
alter table workflow add column deleted_by uuid;
