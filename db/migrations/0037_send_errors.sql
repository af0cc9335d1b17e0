-- What the engine itself says about a send or a delivery is a code with its values ({"code": …, "values": …}), so that
-- everybody reads it in their own language. What a mail server said stays in reply.
alter table touchpoint_sends drop column error_content, add column error jsonb;
alter table delivery_results add column error jsonb;
alter table delivery_queue add column error jsonb;
