-- jobId() counts as JavaScript does, where what lies beyond U+FFFF (an emoji in a stepId) has a length of two. Counted
-- otherwise, the jobs of such steps were not found: they were not canceled, not erased, and not kept while they waited.
create or replace function derived_id(kind text, of_id uuid, part text) returns uuid language plpgsql immutable parallel safe as $$
declare
  units integer := case when octet_length(part) = length(part) then length(part)
    else 2 * length(part) - length(regexp_replace(part, '[\U00010000-\U0010ffff]', '', 'g')) end;
  digest bytea := sha256(convert_to(length(kind) || ':' || kind || '36:' || of_id || units || ':' || part, 'UTF8'));
  hex text := encode(set_byte(digest, 1, get_byte(digest, 1) & 243 | 8), 'hex');
begin
  return left(of_id::text, 13) || '7' || left(hex, 19);
end $$;
