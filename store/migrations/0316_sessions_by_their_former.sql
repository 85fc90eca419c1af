-- remit: statements
-- A payer who starts again twice gets the session that has taken the reference.
create index concurrently if not exists checkout_session_by_former on checkout_session (former_id)
  where former_id is not null;
