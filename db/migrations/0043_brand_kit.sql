-- What makes a brand recognizable, on screen and in its emails. Brands that are there already get a color as new ones do
-- (colorOfName in apps/server/src/clients/brands/brand.ts).
alter table brands
  add column color text check (color in (
    'red', 'orange', 'amber', 'olive', 'green', 'teal', 'cyan', 'blue', 'indigo', 'violet', 'magenta', 'slate')),
  -- For dark backgrounds; logo_url is for light ones, and for both without this.
  add column dark_logo_url text,
  -- What new emails begin with.
  add column from_name text not null default '' check (char_length(from_name) <= 120),
  add column from_email text not null default '' check (char_length(from_email) <= 254),
  add column reply_to text check (char_length(reply_to) <= 254),
  -- Who sends, as the law asks for it in each email: plain text of several lines.
  add column postal_address text not null default '' check (char_length(postal_address) <= 500),
  add column imprint text not null default '' check (char_length(imprint) <= 2000),
  add column imprint_url text check (char_length(imprint_url) <= 2000);

update brands set color = (array[
    'red', 'orange', 'amber', 'olive', 'green', 'teal', 'cyan', 'blue', 'indigo', 'violet', 'magenta', 'slate'
  ])[1 + (get_byte(hash, 0) * 256 + get_byte(hash, 1)) % 12]
from (select organization_id, id, sha256(convert_to(lower(name), 'UTF8')) as hash from brands) named
where brands.organization_id = named.organization_id and brands.id = named.id;

alter table brands alter column color set not null;
create index on brands (organization_id, dark_logo_url) where dark_logo_url is not null;
