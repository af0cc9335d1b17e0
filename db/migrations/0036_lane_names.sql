-- A lane has the name of its recipient group: there is one transport so far.
alter table delivery_chunks add check (lane in ('google', 'outlook', 'microsoft_365', 'yahoo', 'gmx', 't_online',
  'icloud', 'other'));
alter table delivery_queue add check (lane in ('google', 'outlook', 'microsoft_365', 'yahoo', 'gmx', 't_online',
  'icloud', 'other'));
