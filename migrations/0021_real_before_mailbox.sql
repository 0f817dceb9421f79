-- The development mailbox is the primary only while nothing else is active, or where somebody chose it. Until now it
-- stayed the primary because it was the oldest, so real mail ended in it.
update integration m set is_primary = false
where m.is_primary and m.provider_id in ('platform-email', 'platform-sms')
  and exists (select from integration r
    where r.environment_id = m.environment_id and r.channel = m.channel and r.active and r.deleted_at is null
      and r.provider_id not in ('platform-email', 'platform-sms'));

update integration i set is_primary = true
where i.id in (
    select distinct on (r.environment_id, r.channel) r.id from integration r
    where r.active and r.deleted_at is null and r.channel in ('email', 'sms')
      and r.provider_id not in ('platform-email', 'platform-sms')
    order by r.environment_id, r.channel, r.id)
  and not exists (select from integration p
    where p.environment_id = i.environment_id and p.channel = i.channel and p.is_primary);
