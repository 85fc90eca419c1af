-- Beside its number, each value in invoices' metadata has a digest, which no other value has: those of a list
-- are counted without a look at the invoices. The release before this one writes none, and then the invoice is
-- looked at.
create function metadata_digest(key text, value text) returns uuid
language sql immutable parallel safe as $$
  select encode(substring(sha256(convert_to(
    octet_length(key) || ':' || key || value, 'UTF8')) for 16), 'hex')::uuid
$$;
create function metadata_entries(metadata jsonb) returns table (term bigint, digest uuid)
language sql immutable parallel safe as $$
  select metadata_term(key, metadata ->> key), metadata_digest(key, metadata ->> key)
  from jsonb_object_keys(metadata) as key
  where jsonb_typeof(metadata -> key) in ('string', 'number', 'boolean')
$$;
alter table invoice_metadata add column digest uuid;

select allow('{api}', '{execute}',
  '{"function metadata_digest(text, text)", "function metadata_entries(jsonb)"}');
