-- What operators have changed, deleted or added (changed_at) stays as it is, and so does the order of what there is already. Entries
-- that this version no longer writes are deleted.
with written as (
  select name, position, is_draft, 'en' as locale, en_title as title, en_content as content from written_pages
  union all
  select name, position, is_draft, 'de', de_title, de_content from written_pages
),
removed as (
  delete from contents c where changed_at is null
    and not exists (select from written w where w.name = c.name and w.locale = c.locale)
)
insert into contents as c (name, locale, title, content, position, is_draft)
select name, locale, title, content, position, is_draft from written
on conflict (name, locale) do update
  set title = excluded.title, content = excluded.content, is_draft = excluded.is_draft, updated_at = now()
  where c.changed_at is null
    and (c.title, c.content, c.is_draft) is distinct from (excluded.title, excluded.content, excluded.is_draft);

with written as (
  select name, position, 'en' as language, en_title as title, en_description as description from written_categories
  union all
  select name, position, 'de', de_title, de_description from written_categories
)
insert into faq_categories as c (name, language, title, description, position)
select name, language, title, description, position from written
on conflict (name, language) do update
  set title = excluded.title, description = excluded.description, updated_at = now()
  where c.changed_at is null and (c.title, c.description) is distinct from (excluded.title, excluded.description);

with written as (
  select c.id as faq_category_id, w.name, w.position, w.screens,
    case c.language when 'en' then en_title else de_title end as title,
    case c.language when 'en' then en_content else de_content end as content
  from written_faqs w join faq_categories c on c.name = w.category
),
removed as (
  delete from faqs f where changed_at is null
    and not exists (select from written w where w.faq_category_id = f.faq_category_id and w.name = f.name)
)
insert into faqs as f (faq_category_id, name, title, content, screens, position)
select faq_category_id, name, title, content, screens, position from written
on conflict (faq_category_id, name) do update
  set title = excluded.title, content = excluded.content, screens = excluded.screens, updated_at = now()
  where f.changed_at is null
    and (f.title, f.content, f.screens) is distinct from (excluded.title, excluded.content, excluded.screens);

-- A category with questions of an operator stays.
delete from faq_categories c where changed_at is null
  and not exists (select from written_categories w where w.name = c.name)
  and not exists (
    select from faqs f join faq_categories other on other.id = f.faq_category_id
    where other.name = c.name and f.changed_at is not null and not f.deleted
  );

drop table written_pages, written_categories, written_faqs;
