import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ApiKey } from '@reachout/contract/api-keys.ts';
import type { Invitation, InvitationLink } from '@reachout/contract/invitations.ts';
import { useSharedApp, type Person } from '../../testing/app.ts';
import { getRow, listRows } from '../../testing/rows.ts';
import { digestTenant, buildTenant, type Tenant } from '../../testing/tenant.ts';
import { pageView, websiteHeaders } from '../../testing/tracked-website.ts';

const oneClick = new FormData();
oneClick.append('List-Unsubscribe', 'One-Click');

/**
 * Tries each kind of bearer token at the endpoints of all other kinds (TOK-1). The tests of each kind cover the responses
 * to the right token.
 */
suite('purposes of tokens (TOK-1)', () => {
  const app = useSharedApp();
  let tenant: Tenant;
  let invited: Person;
  let joining: Person;
  let website: { id: string; token: string };
  /** Tokens by kind. */
  let tokens: Record<string, string>;

  before(async () => {
    tenant = await buildTenant(app.owner);
    const { organizationId: id } = tenant;
    const owner = await app.signInMember(id, 'owner');
    invited = await app.signIn();
    joining = await app.signIn();
    const invitation = await app.request<{ items: Invitation[] }>(
      'POST',
      '/api/organizations/invitations/create',
      { body: { organization_id: id, emails: [invited.email], role: 'analyst' }, as: owner },
    );
    const link = await owner.request<InvitationLink>('PUT', `/api/organizations/${id}/invitation_link`, {
      client_ids: [tenant.clientId],
    });
    const key = await owner.request<ApiKey & { secret: string }>(
      'POST',
      `/api/organizations/${id}/api_keys`,
      { name: 'Reader', scopes: ['clients:read'] },
    );
    const { send_number } = await getRow(app.owner, 'touchpoint_sends', ['send_number'], {
      id: tenant.sendId,
    });
    website = await getRow(app.owner, 'touchpoint_websites', ['id', 'token'], {
      organization_id: id,
    });
    tokens = {
      invitation: invitation.body.items[0]?.url?.split('/').at(-1) ?? '',
      link: link.body.invitation_token,
      'api key': key.body.secret,
      session: decodeURIComponent(/reachout_session=([^;]+)/.exec(owner.headers['cookie'] ?? '')?.[1] ?? ''),
      unsubscribe: app.services.signer.sign({ sendNumber: send_number, seq: 1 }).unsubscribe,
      website: website.token,
    };
    for (const [kind, token] of Object.entries(tokens)) assert.ok(token.length > 20, kind);
  });

  const at = (path: string, token: string) => `${path}${encodeURIComponent(token)}`;
  const doors: Record<string, { fits: string[]; try: (token: string) => Promise<number> }> = {
    'accepting an invitation': {
      fits: ['invitation'],
      try: async (token) =>
        (await invited.request('PUT', at('/api/organizations/invitations/', token))).status,
    },
    'declining an invitation': {
      fits: ['invitation'],
      try: async (token) =>
        (
          await app.request('DELETE', at('/api/organizations/invitations/', token), {
            headers: { origin: invited.headers['origin'] ?? '' },
          })
        ).status,
    },
    'seeing an invitation': {
      fits: ['invitation', 'link'],
      try: async (token) => (await app.request('GET', at('/api/organizations/invitations/', token))).status,
    },
    'joining by link': {
      fits: ['link'],
      try: async (token) =>
        (await joining.request('PUT', at('/api/organizations/invitations/link/', token))).status,
    },
    'a call of an API key': {
      fits: ['api key'],
      try: async (token) =>
        (
          await app.request('GET', `/api/clients?organization_id=${tenant.organizationId}`, {
            headers: { authorization: `Bearer ${token}` },
          })
        ).status,
    },
    'a call of a session': {
      fits: ['session'],
      try: async (token) =>
        (
          await app.request('GET', '/api/me', {
            headers: { cookie: `reachout_session=${encodeURIComponent(token)}` },
          })
        ).status,
    },
    'resetting a password': {
      fits: [],
      try: async (token) =>
        (
          await app.request('POST', '/api/auth/reset-password/new', {
            body: { token, password: 'correct horse battery' },
            headers: { origin: invited.headers['origin'] ?? '' },
          })
        ).status,
    },
    'events of a website': {
      fits: ['website'],
      try: async (token) => {
        const { status } = await app.request('POST', '/api/track', {
          body: pageView(),
          headers: { ...websiteHeaders({ ...website, token }), cookie: `reachout_session=${token}` },
        });
        return status === 204 ? 200 : status;
      },
    },
    unsubscribing: {
      fits: ['unsubscribe'],
      // Mail programs always get a success response, so the effect is checked instead.
      try: async (token) => {
        const already = await countUnsubscribed();
        await app.request('POST', at('/u/', token), { body: oneClick });
        return (await countUnsubscribed()) > already ? 200 : 404;
      },
    },
  };
  const countUnsubscribed = async () =>
    (
      await listRows(app.owner, 'choices', ['id'], {
        kind: 'suppression',
        organization_id: tenant.organizationId,
        value: 'unsubscribe',
      })
    ).length;

  for (const [door, { fits, try: knock }] of Object.entries(doors)) {
    test(`only the right token works at ${door}`, async () => {
      const digestBefore = await digestTenant(app.owner, tenant.organizationId);
      for (const [kind, token] of Object.entries(tokens)) {
        if (fits.includes(kind)) continue;
        const status = await knock(token);
        assert.ok([401, 404, 410].includes(status), `${kind}: ${status}`);
      }
      assert.deepEqual(await digestTenant(app.owner, tenant.organizationId), digestBefore);
    });
  }

  test('each token works for its own purpose', async () => {
    for (const [door, kind] of [
      ['seeing an invitation', 'invitation'],
      ['seeing an invitation', 'link'],
      ['a call of an API key', 'api key'],
      ['a call of a session', 'session'],
      ['events of a website', 'website'],
      ['unsubscribing', 'unsubscribe'],
      ['joining by link', 'link'],
      ['accepting an invitation', 'invitation'],
    ] as const)
      assert.equal(await doors[door]!.try(tokens[kind]!), 200, `${kind} at ${door}`);
  });
});
