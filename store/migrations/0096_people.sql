-- People of merchants: who they are (schema auth, in which better-auth reads and writes, by its own names),
-- for which merchants they act, and what was changed by whom.

create schema auth;

create table auth."user" (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique check (email = lower(email)),
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp,
  "twoFactorEnabled" boolean
);

create table auth.session (
  id uuid primary key default gen_random_uuid(),
  "expiresAt" timestamptz not null,
  token text not null unique,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null references auth."user" (id) on delete cascade
);
create index session_of_user on auth.session ("userId");
create index session_old on auth.session ("expiresAt");

create table auth.account (
  id uuid primary key default gen_random_uuid(),
  "accountId" text not null,
  "providerId" text not null,
  "userId" uuid not null references auth."user" (id) on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  scope text,
  password text,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null
);
create index account_of_user on auth.account ("userId");

create table auth.verification (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default current_timestamp,
  "updatedAt" timestamptz not null default current_timestamp
);
create index verification_by_identifier on auth.verification (identifier);
create index verification_old on auth.verification ("expiresAt");

create table auth."twoFactor" (
  id uuid primary key default gen_random_uuid(),
  secret text not null,
  "backupCodes" text not null,
  "userId" uuid not null references auth."user" (id) on delete cascade,
  verified boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);
create index two_factor_by_secret on auth."twoFactor" (secret);
create index two_factor_of_user on auth."twoFactor" ("userId");

create table auth.passkey (
  id uuid primary key default gen_random_uuid(),
  name text,
  "publicKey" text not null,
  "userId" uuid not null references auth."user" (id) on delete cascade,
  "credentialID" text not null unique,
  counter integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  transports text,
  "createdAt" timestamptz,
  aaguid text
);
create index passkey_of_user on auth.passkey ("userId");

-- A code of an authenticator is good once: RFC 6238, section 5.2.
create table auth.totp_used (
  user_id uuid not null references auth."user" (id) on delete cascade,
  code text not null,
  used_at timestamptz not null default now(),
  primary key (user_id, code)
);
create index totp_used_old on auth.totp_used (used_at);

-- Sessions from before the second factor were made without it, so they end with its beginning.
create function auth.end_sessions() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  delete from auth.session where "userId" = new.id;
  return new;
end $$;
create trigger second_factor after update on auth."user" for each row
  when (new."twoFactorEnabled" and old."twoFactorEnabled" is distinct from true)
  execute function auth.end_sessions();

select allow('{api}', '{usage}', '{schema auth}');
select allow('{api}', '{select, insert, update, delete}', array['table auth."user"',
  'table auth.session', 'table auth.account', 'table auth.verification', 'table auth."twoFactor"',
  'table auth.passkey', 'table auth.totp_used']);

-- Who acts for which merchant, and as what: core/dashboard/roles.ts says what each role may do.
create table member (
  merchant_id uuid not null references merchant (id),
  person_id uuid not null references auth."user" (id),
  role text not null check (role in ('owner', 'finance', 'developer', 'support', 'reader')),
  created_at timestamptz not null default now(),
  primary key (merchant_id, person_id)
);
create index member_by_person on member (person_id);
select allow('{api}', '{select}', '{table member}');
select withhold('{worker, notifier, indexer}', '{table member}');

create table invitation (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  role text not null check (role in ('owner', 'finance', 'developer', 'support', 'reader')),
  -- SHA-256 of what the link holds.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references auth."user" (id),
  check ((accepted_at is null) = (accepted_by is null))
);
create index invitation_by_merchant on invitation (merchant_id, created_at desc);
select allow('{api}', '{select}', '{table invitation}');
select withhold('{worker, notifier, indexer}', '{table invitation}');

-- The only way in which the API makes a member: an invitation that is open, once, for the person whose
-- address it was written to.
create function accept_invitation(hash bytea, person uuid, at timestamptz) returns setof member
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with accepted as (
    update invitation i set accepted_at = at, accepted_by = person
    from auth."user" u
    where i.token_hash = hash and i.accepted_at is null and i.expires_at > at
      and u.id = person and u.email = i.email
    returning i.merchant_id, i.role
  )
  insert into member (merchant_id, person_id, role, created_at)
  select a.merchant_id, person, a.role, at from accepted a
  on conflict (merchant_id, person_id) do update set role = excluded.role
  returning *
$$;
select allow('{api}', '{execute}', '{"function accept_invitation(bytea, uuid, timestamptz)"}');

-- What was changed, by whom and from where. An entry is written before the change is tried, its outcome
-- after it: one without an outcome was cut off. Nobody but the owner can change or remove either.
create table audit_entry (
  id bigint generated always as identity primary key,
  merchant_id uuid not null references merchant (id),
  at timestamptz not null default clock_timestamp(),
  actor text not null check (actor in ('person', 'key', 'operator')),
  -- The person's id, the last characters of the key, or the operator's name on their machine.
  actor_id text not null,
  -- As it read then: an address can change.
  actor_name text not null,
  role text,
  action text not null,
  object_id text,
  before jsonb,
  after jsonb,
  address text,
  agent text,
  trace_id uuid
);
create index audit_entry_by_merchant on audit_entry (merchant_id, id desc);
create table audit_outcome (
  entry_id bigint primary key references audit_entry (id),
  at timestamptz not null default clock_timestamp(),
  -- The HTTP status of the answer.
  status smallint not null,
  object_id text
);
select allow('{api}', '{select, insert}', '{table audit_entry, table audit_outcome}');
select withhold('{worker, notifier, indexer}', '{table audit_entry, table audit_outcome}');

-- Mails are stored before they are sent.
create table mail (
  id uuid primary key,
  recipient text not null check (length(recipient) <= 254 and recipient !~ '[\r\n]'),
  subject text not null check (length(subject) <= 200 and subject !~ '[\r\n]'),
  body text not null check (length(body) <= 20000),
  created_at timestamptz not null default now(),
  -- When it is tried next, and, for whoever sends it, until when nobody else does.
  due_at timestamptz not null default now(),
  attempts smallint not null default 0,
  sent_at timestamptz,
  failure text
);
create index mail_due on mail (due_at) where sent_at is null;
create index mail_old on mail (created_at);
select allow('{api}', '{select, insert, update}', '{table mail}');
select allow('{api}', '{delete}', '{table mail}');
select withhold('{worker, notifier, indexer}', '{table mail}');
