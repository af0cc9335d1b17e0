-- Where the version puts the entry in its list. Null: an operator has added it.
alter table contents add column delivered_position integer;
alter table faq_categories add column delivered_position integer;
alter table faqs add column delivered_position integer;
