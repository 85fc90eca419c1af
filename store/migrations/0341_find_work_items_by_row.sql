-- remit: statements
create index concurrently if not exists work_item_by_subject on work_item (subject_id) where subject_id is not null;
create index concurrently if not exists work_item_unnamed on work_item (id)
  where subject_id is null and kind not in ('configure', 'deploy', 'distribute');
