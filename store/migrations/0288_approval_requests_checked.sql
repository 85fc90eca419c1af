-- remit: statements
alter table approval_request validate constraint approval_request_kind_check;
alter table approval_request validate constraint approval_request_member;
alter table approval_request validate constraint approval_request_address;
