-- What operators have changed, deleted or added (changed_at) stays as it is. Entries that this version no longer writes are deleted.

-- A list is in the order of this version, followed by what operators have added. If they have moved something, its order stays, and
-- what is new comes last.
create temporary table ordered as
with written as (
  select 'pages' as list, name, position from written_pages
  union all
  select 'categories', name, position from written_categories
  union all
  select 'faqs of ' || category, name, position from written_faqs
),
stored as (
  select 'pages' as list, name, position, delivered_position from contents where locale = 'en' and not deleted
  union all
  select 'categories', name, position, delivered_position from faq_categories where language = 'en' and not deleted
  union all
  select 'faqs of ' || c.name, f.name, f.position, f.delivered_position
  from faqs f join faq_categories c on c.id = f.faq_category_id
  where c.language = 'en' and not f.deleted
),
entries as (
  select list, name, s.position, coalesce(w.position, s.delivered_position) as delivered_position,
    row_number() over (partition by list order by s.position, name)
      <> row_number() over (
        partition by list order by s.position is null,
          -- Of lists that were stored before delivered positions were.
          coalesce(s.delivered_position, case when list not in (
            select list from stored where delivered_position is not null
          ) then w.position end),
          s.position, name
      )
      and s.position is not null as is_out_of_order
  from stored s full join written w using (list, name)
),
lists as (
  select *, bool_or(is_out_of_order) over (partition by list) as is_moved from entries
)
select list, name, delivered_position,
  row_number() over (
    partition by list
    order by case when is_moved then position else delivered_position end, coalesce(position, delivered_position), name
  ) as position
from lists;

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

update contents c set position = o.position, delivered_position = o.delivered_position
from ordered o where o.list = 'pages' and o.name = c.name;

update faq_categories c set position = o.position, delivered_position = o.delivered_position
from ordered o where o.list = 'categories' and o.name = c.name;

update faqs f set position = o.position, delivered_position = o.delivered_position
from ordered o, faq_categories c
where c.id = f.faq_category_id and o.list = 'faqs of ' || c.name and o.name = f.name;

drop table written_pages, written_categories, written_faqs, ordered;
