-- Logos are PNG, JPEG or WebP. A merchant with another one shows its name until it uploads one of these.
update merchant_page set logo = null, logo_type = null, logo_id = null, version = version + 1
where logo_type = 'image/svg+xml';
alter table merchant_page drop constraint merchant_page_logo_type_check;
alter table merchant_page add constraint merchant_page_logo_type_check
  check (logo_type in ('image/png', 'image/jpeg', 'image/webp'));
