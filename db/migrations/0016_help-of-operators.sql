-- The help of a version is in its files (docs/help). The tables have what operators have written, which is shown in place of it.
alter table faqs add column category text, add column language text;
update faqs set category = c.name, language = c.language from faq_categories c where c.id = faq_category_id;
delete from faqs where changed_at is null or deleted;
alter table faqs
  drop column id, drop column faq_category_id, drop column position, drop column changed_at, drop column deleted,
  drop column delivered_position, add primary key (category, name, language),
  add check (language in ('en', 'de')), alter column language set not null;

delete from faq_categories where changed_at is null or deleted;
alter table faq_categories
  drop column id, drop column position, drop column changed_at, drop column deleted, drop column delivered_position,
  drop constraint faq_categories_name_language_key, add primary key (name, language);

delete from contents where changed_at is null or deleted;
alter table contents
  drop column id, drop column position, drop column changed_at, drop column deleted, drop column delivered_position,
  drop constraint contents_name_locale_key, add primary key (name, locale);

-- The names of a list in the order that operators have given it: 'pages', 'categories', 'faqs of ' and a category.
create table help_orders (list text primary key, names text[] not null);
