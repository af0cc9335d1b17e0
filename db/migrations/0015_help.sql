-- Help of the installation: pages and questions with answers, in each language. db/reference/help fills them; operators change them.
create table contents (
  id uuid primary key default gen_random_uuid(),
  -- The same in all languages: the address of the page.
  name text not null check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  locale text not null check (locale in ('en', 'de')),
  title text not null,
  -- Markdown.
  content text not null,
  position integer not null,
  is_draft boolean not null default false,
  -- Set when an operator has changed or deleted the row: reference data leaves such a row as it is.
  changed_at timestamptz,
  deleted boolean not null default false,
  updated_at timestamptz not null default now(),
  -- Where the version puts the entry in its list. Null: an operator has added it.
  delivered_position integer,
  unique (name, locale)
);

create table faq_categories (
  id uuid primary key default gen_random_uuid(),
  -- The same in all languages.
  name text not null check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  language text not null check (language in ('en', 'de')),
  title text not null,
  description text not null default '',
  position integer not null,
  changed_at timestamptz,
  deleted boolean not null default false,
  updated_at timestamptz not null default now(),
  delivered_position integer,
  unique (name, language)
);

create table faqs (
  id uuid primary key default gen_random_uuid(),
  faq_category_id uuid not null references faq_categories on delete cascade,
  -- The same in all languages.
  name text not null check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  -- The question.
  title text not null,
  -- The answer, in Markdown.
  content text not null,
  -- The screens whose help shows it, such as 'contacts'.
  screens text[] not null default '{}',
  position integer not null,
  is_draft boolean not null default false,
  changed_at timestamptz,
  deleted boolean not null default false,
  updated_at timestamptz not null default now(),
  delivered_position integer,
  unique (faq_category_id, name)
);
