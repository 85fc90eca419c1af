-- remit: statements
create unique index concurrently if not exists work_item_of_subject on work_item (subject_id)
  where subject_id is not null;
drop index concurrently if exists work_item_by_subject;
