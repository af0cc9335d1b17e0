-- Reserved for versions of an email, which have no reader.
alter table delivery_chunks drop column variant;
