import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { useSharedApp } from '../../testing/app.ts';
import { buildTouchpoint } from '../../sample/records.ts';
import { getRow, listRows } from '../../testing/rows.ts';
import { buildSentEmail } from '../../testing/sent-email.ts';

suite('from a click to a visitor of a contact', () => {
  const app = useSharedApp();
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

  test('a page that a click opened tells whose visit it is', async () => {
    const { app: server, owner, services } = app;
    const sent = await buildSentEmail(owner);
    const website = await buildTouchpoint(owner, {
      organization_id: sent.organizationId,
      type: 'website',
      status: 'active',
      website: { hosts: ['shop.example'] },
    });
    const { id, token } = await getRow(owner, 'touchpoint_websites', ['id', 'token'], {
      touchpoint_id: website.id,
    });
    const { click } = services.signer.sign({ sendNumber: sent.sendNumber, seq: 1 });
    const followed = await server.inject({
      method: 'GET',
      url: `/t/c/${click}.0`,
      headers: { 'user-agent': browser },
    });
    const ctm_aid = new URL(String(followed.headers.location)).searchParams.get('ctm_aid');
    const visitors = { genuine: randomUUID(), forged: randomUUID() };
    const tokens = { genuine: ctm_aid, forged: click };
    for (const kind of ['genuine', 'forged'] as const) {
      const response = await server.inject({
        method: 'POST',
        url: '/api/track',
        headers: { 'user-agent': browser, authorization: `Bearer ${token}`, 'x-website-id': id },
        payload: {
          type: 'VIEW_PAGE',
          timestamp: new Date().toISOString(),
          event_id: randomUUID(),
          anonymous_id: visitors[kind],
          url: 'https://shop.example/spring',
          ctm_aid: tokens[kind],
        },
      });
      assert.equal(response.statusCode, 204);
    }
    assert.deepEqual(
      await listRows(owner, 'visitor_contacts', ['visitor_id', 'contact_id', 'send_id'], {
        touchpoint_id: website.id,
      }),
      [{ visitor_id: visitors.genuine, contact_id: 'contact-1', send_id: sent.sendId }],
    );
  });
});
