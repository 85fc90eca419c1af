-- What processes may do with tables that came into being beside the roles.
select allow('{worker}', '{select, insert, update, delete}', '{table worker_alarm}');
select allow('{api}', '{select}', '{table worker_alarm}');
select withhold('{notifier, indexer}', '{table worker_alarm}');
-- What has served its purpose is removed by workers and notifiers.
select allow('{worker}', '{delete}', '{table work_item}');
select allow('{notifier}', '{update}', '{table webhook_attempt}', '{answer}');
