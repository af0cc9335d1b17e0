-- What operators have written for the help of the installation, in place of what the files of the version say (docs/help).
create table contents (
  -- The same in all languages: the address of the page.
  name text not null check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  locale text not null check (locale in ('en', 'de')),
  title text not null,
  -- Markdown.
  content text not null,
  is_draft boolean not null default false,
  updated_at timestamptz not null default now(),
  primary key (name, locale)
);

create table faq_categories (
  -- The same in all languages.
  name text not null check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  language text not null check (language in ('en', 'de')),
  title text not null,
  description text not null default '',
  updated_at timestamptz not null default now(),
  primary key (name, language)
);

create table faqs (
  -- The same in all languages.
  name text not null check (name ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  -- The question.
  title text not null,
  -- The answer, in Markdown.
  content text not null,
  -- The screens whose help shows it, such as 'contacts'.
  screens text[] not null default '{}',
  is_draft boolean not null default false,
  updated_at timestamptz not null default now(),
  category text not null,
  language text not null check (language in ('en', 'de')),
  primary key (category, name, language)
);

-- The names of a list in the order that operators have given it: 'pages', 'categories', 'faqs of ' and a category.
create table help_orders (
  list text primary key,
  names text[] not null
);
