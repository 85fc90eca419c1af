-- People: how they sign in (schema auth, which better-auth reads and writes under its own names), for which
-- merchants they act, and what their pages keep.

create schema auth;
select allow('{api}', '{usage}', '{schema auth}');

create table auth."user" (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  email text not null unique check (email = lower(email)),
  "emailVerified" boolean not null,
  image text,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now(),
  "twoFactorEnabled" boolean
);
select allow('{api}', '{select, insert, update, delete}', array['table auth."user"']);

create table auth.session (
  id uuid primary key default gen_random_uuid(),
  "expiresAt" timestamptz not null,
  token text not null unique,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" uuid not null references auth."user" (id) on delete cascade,
  -- When the person last signed in with every factor they have: written by signing in alone. Null requires
  -- another sign-in for actions that need a fresh one.
  "signedInAt" timestamptz
);
create index session_of_user on auth.session ("userId");
create index session_old on auth.session ("expiresAt");
select allow('{api}', '{select, insert, update, delete}', '{table auth.session}');

-- How a person signs in: with a password, the only provider.
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
  -- Its hash.
  password text,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null
);
create index account_of_user on auth.account ("userId");
select allow('{api}', '{select, insert, update, delete}', '{table auth.account}');

-- Secrets of links and of sign-ins that wait for their second factor.
create table auth.verification (
  id uuid primary key default gen_random_uuid(),
  identifier text not null,
  value text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now()
);
create index verification_by_identifier on auth.verification (identifier);
create index verification_old on auth.verification ("expiresAt");
select allow('{api}', '{select, insert, update, delete}', '{table auth.verification}');

-- Authenticator apps. Secret and backup codes are encrypted.
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
select allow('{api}', '{select, insert, update, delete}', array['table auth."twoFactor"']);

-- Passkeys (WebAuthn).
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
select allow('{api}', '{select, insert, update, delete}', '{table auth.passkey}');

-- A code of an authenticator is good once: RFC 6238, section 5.2.
create table auth.totp_used (
  user_id uuid not null references auth."user" (id) on delete cascade,
  code text not null,
  used_at timestamptz not null default now(),
  primary key (user_id, code)
);
create index totp_used_old on auth.totp_used (used_at);
select allow('{api}', '{select, insert, update, delete}', '{table auth.totp_used}');

-- When the second factor changes, sessions end, and so do sign-ins that wait for it: they were begun without
-- it.
create function auth.end_sessions() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  delete from auth.session where "userId" = new.id;
  delete from auth.verification where value = new.id::text;
  return new;
end $$;
create trigger second_factor after update on auth."user" for each row
  when (coalesce(new."twoFactorEnabled", false) <> coalesce(old."twoFactorEnabled", false))
  execute function auth.end_sessions();

-- The same when the password changes.
create function auth.end_sessions_of_account() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
  delete from auth.session where "userId" = new."userId";
  delete from auth.verification where value = new."userId"::text;
  return new;
end $$;
create trigger password after update on auth.account for each row
  when (new.password is distinct from old.password)
  execute function auth.end_sessions_of_account();

-- Who acts for which merchant, and as what: core/access/roles.ts says what each role may do.
create table member (
  merchant_id uuid not null references merchant (id),
  person_id uuid not null references auth."user" (id),
  role text not null check (role in ('owner', 'finance', 'developer', 'support', 'reader')),
  -- Since when the person may approve: an owner who adds a second account of their own must not approve with it
  -- at once.
  role_since timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  primary key (merchant_id, person_id)
);
create index member_by_person on member (person_id);
select allow('{api}', '{select}', '{table member}');
select withhold('{worker, notifier, indexer}', '{table member}');

-- Owners and finance may approve: a change between the two does not begin anything.
create function note_role_since() returns trigger language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  if not (old.role in ('owner', 'finance') and new.role in ('owner', 'finance')) then
    new.role_since := clock_timestamp();
  end if;
  return new;
end $$;
create trigger role_since before update of role on member for each row
  when (old.role is distinct from new.role) execute function note_role_since();

-- Whether a person has one of these roles at a merchant, and a second factor.
create function acts_as(of_merchant uuid, person text, roles text[])
returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from member m join auth."user" u on u.id = m.person_id
    where m.merchant_id = of_merchant and m.person_id::text = person and m.role = any (roles)
      and u."twoFactorEnabled")
$$;
select allow('{api}', '{execute}', array['function acts_as(uuid, text, text[])']);

-- Gives a member a role, or removes them where it is null. The owners are locked first, so that two of them
-- can't remove each other and leave none. Returns done, unknown or last_owner.
create function set_member(merchant uuid, person uuid, new_role text) returns text
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  owners integer;
  old_role text;
begin
  select count(*) into owners from (
    select 1 from member m where m.merchant_id = merchant and m.role = 'owner'
    order by m.person_id for update) locked;
  select m.role into old_role from member m
  where m.merchant_id = merchant and m.person_id = person for update;
  if old_role is null then return 'unknown'; end if;
  if old_role = 'owner' and owners < 2 and new_role is distinct from 'owner' then return 'last_owner'; end if;
  if new_role is null then
    delete from member m where m.merchant_id = merchant and m.person_id = person;
  else
    update member m set role = new_role where m.merchant_id = merchant and m.person_id = person;
  end if;
  return 'done';
end $$;

-- A person who is removed from a merchant, or from the operators, signs in again for what is left to them. A
-- person to whom nothing is left loses their passkeys, too.
create function end_access() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from auth.session where "userId" = old.person_id;
  if not exists (select from member where person_id = old.person_id)
    and not exists (select from operator where person_id = old.person_id) then
    delete from auth.passkey where "userId" = old.person_id;
  end if;
  return old;
end $$;
create trigger access_ended after delete on member for each row execute function end_access();

-- Who was an owner, and until when: for a while they are still notified like owners, and the links in their
-- emails stay good, so that one owner can't shut the others out of what protects them.
create table former_owner (
  merchant_id uuid not null references merchant (id),
  person_id uuid not null references auth."user" (id) on delete cascade,
  until timestamptz not null default clock_timestamp(),
  primary key (merchant_id, person_id)
);
select allow('{api}', '{select}', '{table former_owner}');
select withhold('{worker, notifier, indexer}', '{table former_owner}');

-- Written by the table of members itself, whichever way a membership ends.
create function note_former_owner() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into former_owner (merchant_id, person_id) values (old.merchant_id, old.person_id)
  on conflict (merchant_id, person_id) do update set until = clock_timestamp();
  return null;
end $$;
create trigger owner_demoted after update of role on member for each row
  when (old.role = 'owner' and new.role <> 'owner') execute function note_former_owner();
create trigger owner_removed after delete on member for each row
  when (old.role = 'owner') execute function note_former_owner();

-- Invitations to act for a merchant.
create table invitation (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  role text not null check (role in ('owner', 'finance', 'developer', 'support', 'reader')),
  -- SHA-256 of the secret in the link.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid references auth."user" (id),
  check ((accepted_at is null) = (accepted_by is null))
);
create index invitation_by_merchant on invitation (merchant_id, created_at desc);
select allow('{api}', '{select, insert}', '{table invitation}');
select withhold('{worker, notifier, indexer}', '{table invitation}');

-- A merchant has at most 50 invitations that can be accepted. Others that invite at the same moment wait.
create function bound_invitations() returns trigger language plpgsql security definer
set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('invitations of ' || new.merchant_id, 0));
  if (select count(*) from invitation
      where merchant_id = new.merchant_id and accepted_at is null and expires_at > now()) >= 50 then
    raise exception 'the merchant has 50 invitations that can still be accepted'
      using errcode = '23514', constraint = 'invitations_open';
  end if;
  return new;
end $$;
create trigger bounded before insert on invitation for each row execute function bound_invitations();

-- The only way in which the API creates a member: an open invitation, once, for the person with the address
-- that it was sent to.
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
select allow('{api}', '{execute}', array['function accept_invitation(bytea, uuid, timestamptz)']);

-- Revokes an invitation that was not accepted. False when there is none.
create function revoke_invitation(merchant uuid, invited uuid) returns boolean
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  with revoked as (
    delete from invitation i
    where i.id = invited and i.merchant_id = merchant and i.accepted_at is null
    returning 1)
  select exists (select from revoked)
$$;
select allow('{api}', '{execute}', array['function revoke_invitation(uuid, uuid)']);

-- A person's named filters of the list of invoices.
create table saved_view (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  person_id uuid not null references auth."user" (id) on delete cascade,
  name text not null check (length(name) between 1 and 60),
  -- The query in the page's URL.
  query text not null check (length(query) <= 1000),
  created_at timestamptz not null default now(),
  unique (merchant_id, person_id, name)
);
select allow('{api}', '{select, insert, update, delete}', '{table saved_view}');
select withhold('{worker, notifier, indexer}', '{table saved_view}');

-- Reports by email that members have requested. `held` is no file: it reports held money as soon as an event
-- does.
create table report_schedule (
  id uuid primary key,
  merchant_id uuid not null references merchant (id),
  -- The recipient, as long as they belong to the merchant.
  person_id uuid not null references auth."user" (id) on delete cascade,
  report text not null,
  every text not null,
  locale text not null check (locale in ('en', 'de')),
  -- The end of the first period that was not sent, always at midnight in UTC.
  due_at timestamptz not null,
  sent_at timestamptz,
  -- Of `held`: the position in the outbox up to which it has reported.
  read_position bigint not null default 0,
  -- A report that could not be written holds up no other: it is tried again later.
  attempts smallint not null default 0,
  try_at timestamptz,
  failure text check (length(failure) <= 300),
  created_at timestamptz not null default now(),
  unique (merchant_id, person_id, report, every),
  constraint report_schedule_what check (
    (report in ('transactions', 'days') and every in ('day', 'week', 'month'))
    or (report = 'held' and every = 'event'))
);
create index report_schedule_due on report_schedule (due_at);
select allow('{api}', '{select, insert, update, delete}', '{table report_schedule}');
select withhold('{worker, notifier, indexer}', '{table report_schedule}');

-- The requests of merchants' servers of the last seven days: no body, no query, no header.
create table api_request (
  trace_id uuid primary key,
  merchant_id uuid not null references merchant (id),
  at timestamptz not null,
  method text not null check (length(method) <= 8),
  -- As the router has it, e.g. /v1/invoices/:id.
  route text not null check (length(route) <= 100),
  path text not null check (length(path) <= 300),
  status smallint not null,
  ms integer not null check (ms >= 0),
  -- The last characters of its API key.
  key_hint text check (length(key_hint) <= 8),
  -- Why it failed: the code of the error, or x402's.
  reason text check (length(reason) <= 100)
);
create index api_request_by_merchant on api_request (merchant_id, at desc, trace_id desc);
create index api_request_failed on api_request (merchant_id, at desc, trace_id desc)
  where status >= 400 or reason is not null;
create index api_request_old on api_request using brin (at);
select allow('{api}', '{select, insert, delete}', '{table api_request}');
select withhold('{worker, notifier, indexer}', '{table api_request}');
