-- Events for merchants, the audit log, and emails that wait to be sent.

-- Where events stand in the order in which merchants read them.
create sequence outbox_position;
select allow('{notifier}', '{usage}', '{sequence outbox_position}');

-- Events for merchants, written in the transaction that changed the state.
create table outbox (
  -- Grows with time: old events are found at the beginning.
  id uuid primary key,
  -- Written together with a change of what belongs to the merchant.
  merchant_id uuid not null,
  type text not null,
  object_id uuid not null,
  -- Of the object: events about one object have an order.
  version integer not null,
  -- The object as it was then, as the API shows it.
  data json not null,
  -- For this endpoint alone, with any filter, e.g. a test; null for all that want the type.
  endpoint_id uuid,
  -- The place in the order in which merchants read their events; null until the event has deliveries. The
  -- notifier gives it, one statement at a time, so that a reader in this order misses no event that is
  -- committed later.
  position bigint,
  created_at timestamptz not null default now()
);
create unique index outbox_order on outbox (object_id, version);
create index outbox_waiting on outbox (id) where position is null;
create unique index outbox_by_merchant on outbox (merchant_id, position)
  where position is not null;
-- Events of one type, in the order in which they are read.
create index outbox_by_type on outbox (merchant_id, type, position) where position is not null;
select allow('{api}', '{select}', '{table outbox}');
select allow('{api}', '{insert}', '{table outbox}',
  '{id, merchant_id, type, object_id, version, data, endpoint_id}');
select allow('{worker}', '{select, insert}', '{table outbox}');
select allow('{notifier}', '{select, insert, delete}', '{table outbox}');
select allow('{notifier}', '{update}', '{table outbox}', '{position}');
select withhold('{indexer}', '{table outbox}');

-- The API writes events of what it creates, and tests of single endpoints. All other events report what a
-- worker has seen.
create function refuse_event() returns trigger language plpgsql as $$
begin
  raise insufficient_privilege using message = 'the API writes no event ' || new.type;
end $$;
create trigger outbox_of_api before insert on outbox for each row
  when (current_user = database_role('api') and new.type not in ('invoice.created', 'refund.created')
    and (new.type <> 'test' or new.endpoint_id is null))
  execute function refuse_event();

-- What was changed, by whom and from where. An entry is written before the change is tried, its outcome after
-- it: one without an outcome was cut off. Only the owner of the database can change or remove either, and the
-- database's clock gives the time.
create table audit_entry (
  id bigint generated always as identity primary key,
  -- Null for an operator's change that is of no merchant.
  merchant_id uuid references merchant (id),
  at timestamptz not null default clock_timestamp(),
  actor text not null check (actor in ('person', 'key', 'operator')),
  -- The person's id, the last characters of the key, or the operator's name on their machine.
  actor_id text not null,
  -- As it read then: an address can change.
  actor_name text not null,
  role text,
  action text not null,
  object_id text,
  -- The object's fields that the change is about.
  before jsonb,
  after jsonb,
  -- The IP address and the browser that the request came from.
  address text,
  agent text,
  trace_id uuid
);
create index audit_entry_by_merchant on audit_entry (merchant_id, id desc);
-- The log is filtered by actor, action and time.
create index audit_entry_by_actor on audit_entry (actor_id, id desc);
create index audit_entry_by_action on audit_entry (merchant_id, action, id desc);
create index audit_entry_by_time on audit_entry (merchant_id, at);
create index audit_entry_by_operator
  on audit_entry (id desc) where actor = 'operator';
select allow('{api}', '{select}', '{table audit_entry}');
select allow('{api}', '{insert}', '{table audit_entry}',
  '{merchant_id, actor, actor_id, actor_name, role, action, object_id, before, after, address, agent, trace_id}');
select withhold('{worker, notifier, indexer}', '{table audit_entry}');

-- How the change of an entry ended.
create table audit_outcome (
  entry_id bigint primary key references audit_entry (id),
  at timestamptz not null default clock_timestamp(),
  -- The HTTP status of the answer.
  status smallint not null,
  -- What the change has created.
  object_id text
);
select allow('{api}', '{select}', '{table audit_outcome}');
select allow('{api}', '{insert}', '{table audit_outcome}', '{entry_id, status, object_id}');
select withhold('{worker, notifier, indexer}', '{table audit_outcome}');

-- Whether the audit log has an entry of the last minute, without an outcome, in which this actor does this.
create function has_open_entry(of_merchant uuid, by_actor text, by_id text, of_action text)
returns boolean language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from audit_entry e
    where e.merchant_id = of_merchant and e.actor = by_actor and e.actor_id = by_id
      and e.action = of_action and e.at > clock_timestamp() - interval '1 minute'
      and not exists (select from audit_outcome o where o.entry_id = e.id))
$$;

-- Emails, stored before they are sent.
create table mail (
  id uuid primary key,
  recipient text not null check (length(recipient) <= 254 and recipient !~ '[\r\n]'),
  subject text not null check (length(subject) <= 200 and subject !~ '[\r\n]'),
  body text not null check (length(body) <= 20000),
  attachment text check (length(attachment) <= 2000000),
  attachment_name text check (attachment_name ~ '^[a-z0-9.-]{1,80}$'),
  -- link: can be caused with any address, so that it is bounded for each recipient by its cause; warning: never
  -- left out, in a queue of its own; notice: all others.
  kind text not null default 'notice' check (kind in ('link', 'warning', 'notice')),
  -- Who has caused a link: a merchant, `operator`, `stranger`, or `stranger` and a digest of the network.
  link_from text check (length(link_from) <= 64),
  -- Has a link that stops a change of the recipient, which is good as long as the change waits: sent before
  -- other warnings.
  has_stop_link boolean not null default false,
  -- What members can cause as often as they like is counted by what it is about.
  counted_as text check (length(counted_as) <= 64),
  -- When it is tried next; while it is being sent, until when no other process does.
  due_at timestamptz not null default now(),
  attempts smallint not null default 0,
  sent_at timestamptz,
  -- Why the last attempt failed.
  failure text,
  created_at timestamptz not null default now(),
  constraint mail_attachment_named check (attachment is null or attachment_name is not null),
  constraint mail_link_from check ((kind = 'link') = (link_from is not null))
);
create index mail_due on mail (due_at) where sent_at is null;
create index mail_old on mail (created_at);
-- By mailbox: what follows a + is no mailbox of its own.
create index mail_links on mail (lower(regexp_replace(recipient, '[+][^@]*@', '@')), created_at)
  where kind = 'link';
create index mail_warnings on mail (has_stop_link desc, due_at) where sent_at is null and kind = 'warning';
create index mail_counted on mail (counted_as, created_at) where counted_as is not null;
select allow('{api}', '{select, insert, update, delete}', '{table mail}');
select withhold('{worker, notifier, indexer}', '{table mail}');

-- Stores an email with a link, unless the mailbox had `most` from this cause within an hour, or three times as
-- many from all strangers together: one network can't use up what all strangers may have sent to a mailbox. The
-- lock makes others for the same mailbox wait, and then count this one. False when it was not stored.
create function store_link_mail(
  new_id uuid, caused_by text, to_recipient text, with_subject text, with_body text, most integer
) returns boolean
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  mailbox constant text := lower(regexp_replace(to_recipient, '[+][^@]*@', '@'));
  of_cause bigint;
  of_strangers bigint;
begin
  perform pg_advisory_xact_lock(hashtextextended('mails to ' || mailbox, 0));
  select count(*) filter (where link_from = caused_by),
    count(*) filter (where link_from like 'stranger%')
  into of_cause, of_strangers from mail
  where kind = 'link' and lower(regexp_replace(recipient, '[+][^@]*@', '@')) = mailbox
    and created_at > clock_timestamp() - interval '1 hour';
  if of_cause >= most or (caused_by like 'stranger%' and of_strangers >= 3 * most) then
    return false;
  end if;
  insert into mail (id, recipient, subject, body, kind, link_from, created_at)
  values (new_id, to_recipient, with_subject, with_body, 'link', caused_by, clock_timestamp());
  return true;
end $$;
select allow('{api}', '{execute}', array['function store_link_mail(uuid, text, text, text, text, integer)']);
