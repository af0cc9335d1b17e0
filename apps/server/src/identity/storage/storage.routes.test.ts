import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, suite, test } from 'node:test';
import sharp from 'sharp';
import { makeApiKey } from '../api-keys/find-api-key-caller.ts';
import type { Problem } from '../../platform/http/problem.ts';
import { newId } from '../../platform/ids.ts';
import { createTestApp, useSharedApp, type Person, type TestApp } from '../../testing/app.ts';
import { buildBrand, buildClient, buildMember } from '../../sample/records.ts';
import { insertRows } from '../../sample/rows.ts';
import { getRow, updateRows } from '../../testing/rows.ts';
import { startS3Server, type S3Server } from '../../testing/s3-server.ts';
import { buildTenant, type Tenant } from '../../testing/tenant.ts';
import { assertColumn } from '../../testing/assert-column.ts';
import { setQuota } from '../organizations/quotas.ts';
import { createShowLogo } from './logo-preview.ts';
import { removeFilesOf } from './remove-files.ts';

interface Stored {
  bucket: string;
  path: string;
  url: string;
}
type Headers = Record<string, string>;

/** 64 × 64 pixels. */
let png: Buffer;
before(async () => {
  const image = sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } });
  png = await image.png().toBuffer();
});
const hourMs = 3_600_000;
/** @returns the name that an upload at this time would get */
const nameOf = (at: number) => {
  const hex = at.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${newId().slice(15)}.webp`;
};

suite('avatars and logos', () => {
  const app = useSharedApp();
  let tenant: Tenant;
  let owner: Person;
  let targets: Record<'organizations' | 'clients' | 'brands', string>;

  beforeEach(async () => {
    tenant = await buildTenant(app.owner);
    owner = await app.signInMember(tenant.organizationId);
    targets = {
      organizations: `logos/organizations/${tenant.organizationId}`,
      clients: `logos/clients/${tenant.clientId}`,
      brands: `logos/brands/${tenant.brandId}`,
    };
  });

  async function ask(method: 'GET' | 'POST' | 'DELETE', url: string, headers: Headers | undefined) {
    const response = await app.app.inject({
      method,
      url: url.startsWith('/') ? url : `/api/storage/${url}`,
      headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'image/png' } : {}) },
      ...(method === 'POST' ? { payload: png } : {}),
    });
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes: response.rawPayload,
      body: (isJson ? response.json() : {}) as Problem &
        Stored & { items: { path: string }[]; count: number },
    };
  }
  const as = (person: Person) => person.headers;
  const upload = async (target: string, headers = owner.headers) => {
    const { status, body } = await ask('POST', target, headers);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  test('email readers get brand logos as PNG, light and dark', async () => {
    const address = `/l/${tenant.brandId}`;
    const { url } = await upload(targets.brands);
    const dark = await upload(`${targets.brands}/dark`);
    for (const path of [`${address}.png`, `${address}-dark.png`]) {
      const { status, headers, bytes } = await ask('GET', path, undefined);
      assert.deepEqual([status, headers['content-type']], [200, 'image/png'], path);
      assert.equal((await sharp(bytes).metadata()).format, 'png');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'");
    }
    // Only members can read the file, and deleting one logo keeps the other.
    await assertResponse(ask('GET', url, undefined), 401, 'not_signed_in');
    await assertResponse(ask('GET', dark.url, as(await app.signIn())), 404, 'not_found');
    assert.equal((await ask('DELETE', dark.url, owner.headers)).status, 200);
    assert.equal((await ask('GET', url, owner.headers)).status, 200);
    assert.equal((await ask('GET', dark.url, owner.headers)).status, 404);
    const unknown = [newId(), tenant.clientId, tenant.organizationId, `${tenant.brandId}.png/..`, 'x'];
    for (const id of unknown) assert.equal((await ask('GET', `/l/${id}.png`, undefined)).status, 404, id);
  });

  test('only brands have logos for dark backgrounds', async () => {
    for (const kind of ['organizations', 'clients'] as const)
      await assertResponse(ask('POST', `${targets[kind]}/dark`, owner.headers), 404, 'not_found', kind);
    await assertResponse(ask('POST', `${targets.brands}/dark/dark`, owner.headers), 404, 'not_found');
    const analyst = await app.signInMember(tenant.organizationId, 'analyst');
    await assertResponse(ask('POST', `${targets.brands}/dark`, as(analyst)), 403, 'forbidden');
    const stranger = await app.signIn();
    await assertResponse(ask('POST', `${targets.brands}/dark`, as(stranger)), 404, 'not_found');
  });

  async function assertResponse(
    asked: Promise<{ status: number; body: Problem }>,
    status: number,
    code?: string,
    what = 'not answered as expected',
  ) {
    const answer = await asked;
    assert.deepEqual([answer.status, answer.body.code], [status, code], what);
  }
  const folderOf = (bucket: string, id: string) => join(app.services.config.dataDir, 'files', bucket, id);
  const logoOf = async (kind: 'organizations' | 'clients' | 'brands', id: string) =>
    (
      await app.owner
        .selectFrom<'organizations' | 'clients' | 'brands'>(kind)
        .select('logo_url')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).logo_url;
  const signInKey = async (scopes: string[]): Promise<Headers> => {
    const { secret, ...stored } = makeApiKey(app.services.secrets);
    await insertRows(app.owner, 'api_keys', {
      ...stored,
      id: newId(),
      organization_id: tenant.organizationId,
      name: 'Key',
      scopes,
      user_id: owner.userId,
      expires_at: new Date(Date.now() + hourMs).toISOString(),
    });
    return { authorization: `Bearer ${secret}` };
  };
  const signInGuest = async (clientIds: string[]) => {
    const guest = await app.signInMember(tenant.organizationId, 'guest');
    for (const client_id of clientIds) {
      await insertRows(app.owner, 'organization_user_clients', {
        organization_id: tenant.organizationId,
        user_id: guest.userId,
        client_id,
      });
    }
    return guest;
  };

  test('changing a logo requires permission for its record', async () => {
    const stranger = await app.signIn();
    const analyst = await app.signInMember(tenant.organizationId, 'analyst');
    const editor = await app.signInMember(tenant.organizationId, 'editor');
    for (const [kind, target] of Object.entries(targets)) {
      await assertResponse(ask('POST', target, undefined), 401, 'not_signed_in');
      await assertResponse(ask('POST', target, as(stranger)), 404, 'not_found');
      await assertResponse(ask('POST', `logos/${kind}/${newId()}`, as(owner)), 404, 'not_found');
      await assertResponse(ask('POST', `logos/${kind}/x`, as(owner)), 404, 'not_found');
      await assertResponse(ask('POST', target, as(analyst)), 403, 'forbidden');
      if (kind === 'organizations') await assertResponse(ask('POST', target, as(editor)), 403, 'forbidden');
      else await upload(target, as(editor));
      const { origin: _, ...elsewhere } = owner.headers;
      await assertResponse(
        ask('POST', target, { ...elsewhere, origin: 'https://evil.example' }),
        403,
        'foreign_origin',
      );
    }
    await updateRows(app.owner, 'organizations', { id: tenant.organizationId }, { status: 'suspended' });
    for (const target of Object.values(targets))
      await assertResponse(ask('POST', target, as(owner)), 403, 'organization_suspended');
  });

  test('images can be stored, listed, replaced and removed, with audit entries', async () => {
    for (const kind of ['organizations', 'clients', 'brands'] as const) {
      const id = targets[kind].split('/').at(-1)!;
      const first = await upload(targets[kind]);
      assert.deepEqual(first, { bucket: 'logos', path: first.path, url: `/api/storage/logos/${first.path}` });
      assert.ok(first.path.startsWith(`${tenant.organizationId}/`));
      assert.equal(await logoOf(kind, id), first.url);
      const second = await upload(targets[kind]);
      assert.equal(await logoOf(kind, id), second.url);
      await assertResponse(ask('GET', first.url, as(owner)), 404, 'not_found', 'the one before is gone');
      assert.equal((await readdir(folderOf('logos', tenant.organizationId))).length, 1);
      const { body } = await ask('GET', `logos?prefix=${tenant.organizationId}`, as(owner));
      assertColumn(body.items, 'path', [second.path]);
      assert.deepEqual(Object.keys(body.items[0]!).toSorted(), [
        'bytes',
        'name',
        'path',
        'public_url',
        'type',
        'updated_at',
      ]);
      assert.equal((await ask('DELETE', second.url, as(owner))).status, 200);
      assert.equal(await logoOf(kind, id), null);
      assert.deepEqual(await readdir(folderOf('logos', tenant.organizationId)), []);
      await assertResponse(ask('DELETE', second.url, as(owner)), 404, 'not_found');
    }
    const entries = await app.owner
      .selectFrom('audit_log')
      .select(['action', 'record_type', 'record_id', 'user_id', 'ip_address', 'details'])
      .where('organization_id', '=', tenant.organizationId)
      .where('action', 'like', 'storage.%')
      .orderBy('id')
      .execute();
    assert.deepEqual(
      entries.map(({ action, record_type, record_id }) => `${action} ${record_type} ${record_id}`),
      (['organizations', 'clients', 'brands'] as const).flatMap((kind) =>
        ['upload', 'upload', 'delete'].map(
          (verb) => `storage.${verb} ${kind} ${targets[kind].split('/').at(-1)}`,
        ),
      ),
    );
    assert.ok(entries.every(({ user_id }) => user_id === owner.userId));
    assert.ok(entries.every(({ ip_address }) => ip_address === '127.0.0.1'));
  });

  test('seeing an image requires reading its record (TEN-2, TEN-9)', async () => {
    const stranger = await app.signIn();
    const analyst = await app.signInMember(tenant.organizationId, 'analyst');
    const guest = await signInGuest([tenant.clientId]);
    const other = await buildClient(app.owner, { organization_id: tenant.organizationId });
    const otherBrand = await buildBrand(app.owner, { client_id: other.id });
    const shared = [
      await upload(targets.organizations),
      await upload(targets.clients),
      await upload(targets.brands),
    ];
    const others = [await upload(`logos/clients/${other.id}`), await upload(`logos/brands/${otherBrand.id}`)];
    const unknown = await ask('GET', `logos/${tenant.organizationId}/${newId()}.webp`, as(owner));
    assert.equal(unknown.status, 404);
    for (const { url } of [...shared, ...others]) {
      await assertResponse(ask('GET', url, undefined), 401, 'not_signed_in');
      for (const method of ['GET', 'DELETE'] as const) {
        const answer = await ask(method, url, as(stranger));
        assert.deepEqual([answer.status, answer.body], [404, unknown.body]);
      }
      assert.equal((await ask('GET', url, as(analyst))).status, 200);
      await assertResponse(ask('DELETE', url, as(analyst)), 403, 'forbidden');
    }
    for (const { url } of shared) {
      assert.equal((await ask('GET', url, as(guest))).status, 200);
      await assertResponse(ask('DELETE', url, as(guest)), 403, 'forbidden');
    }
    for (const { url } of others) {
      for (const method of ['GET', 'DELETE'] as const) {
        const answer = await ask(method, url, as(guest));
        assert.deepEqual([answer.status, answer.body], [404, unknown.body]);
      }
    }
    const list = async (person: Person) =>
      (await ask('GET', `logos?prefix=${tenant.organizationId}`, as(person))).body.items
        ?.map(({ path }) => path)
        .toSorted();
    assert.deepEqual(await list(analyst), [...shared, ...others].map(({ path }) => path).toSorted());
    assert.deepEqual(await list(guest), shared.map(({ path }) => path).toSorted());
    await assertResponse(ask('GET', `logos?prefix=${tenant.organizationId}`, as(stranger)), 404, 'not_found');
    await assertResponse(
      ask('GET', `logos?prefix=${tenant.organizationId}`, undefined),
      401,
      'not_signed_in',
    );
    await assertResponse(ask('GET', 'logos', as(owner)), 404, 'not_found');
  });

  test('limited members change images of their clients only (TEN-9)', async () => {
    const { organizationId: organization_id, clientId } = tenant;
    const other = await buildClient(app.owner, { organization_id });
    const limited = { client_id: clientId };
    await insertRows(app.owner, 'organization_roles', { organization_id, role: 'partner', name: 'Partner' });
    await insertRows(app.owner, 'role_permissions', [
      { organization_id, role: 'partner', position: 0, action: 'read', subject: 'all' },
      {
        organization_id,
        role: 'partner',
        position: 1,
        action: 'update',
        subject: 'Client',
        conditions: JSON.stringify(limited),
      },
    ]);
    const partner = await app.signInMember(organization_id, 'partner');
    const { url } = await upload(targets.clients, as(partner));
    assert.equal((await ask('DELETE', url, as(partner))).status, 200);
    await assertResponse(ask('POST', `logos/clients/${other.id}`, as(partner)), 404, 'not_found');
    const foreign = await upload(`logos/clients/${other.id}`);
    await assertResponse(ask('DELETE', foreign.url, as(partner)), 403, 'forbidden');
    assert.equal(await logoOf('clients', other.id), foreign.url);
  });

  test('images follow their record into and out of deletion', async () => {
    const { url } = await upload(targets.brands);
    const setDeleted = (deleted: boolean) =>
      updateRows(app.owner, 'clients', { id: tenant.clientId }, { deleted });
    await setDeleted(true);
    await assertResponse(ask('GET', url, as(owner)), 404, 'not_found');
    await assertResponse(ask('POST', targets.brands, as(owner)), 404, 'not_found');
    await upload(targets.organizations);
    await setDeleted(false);
    assert.equal((await ask('GET', url, as(owner))).status, 200);
  });

  test('only colleagues see an avatar, and its user changes it', async () => {
    const { url, path } = await upload('avatars/me');
    assert.ok(path.startsWith(`${owner.userId}/`));
    const avatarOf = async () =>
      (await getRow(app.owner, 'users', ['avatar_url'], { id: owner.userId })).avatar_url;
    assert.equal(await avatarOf(), url);
    const colleague = await app.signInMember(tenant.organizationId, 'guest');
    const stranger = await app.signIn();
    await buildMember(app.owner, { user_id: stranger.userId });
    assert.equal((await ask('GET', url, as(owner))).status, 200);
    assert.equal((await ask('GET', url, as(colleague))).status, 200);
    await assertResponse(ask('GET', url, as(stranger)), 404, 'not_found');
    await assertResponse(ask('GET', url, undefined), 401, 'not_signed_in');
    await assertResponse(ask('DELETE', url, as(colleague)), 404, 'not_found');
    await assertResponse(ask('POST', 'avatars/me', undefined), 401, 'not_signed_in');
    await assertResponse(ask('POST', `avatars/${owner.userId}`, as(colleague)), 404, 'not_found');
    await assertResponse(ask('GET', `avatars?prefix=${owner.userId}`, as(colleague)), 404, 'not_found');
    for (const prefix of ['', `?prefix=${owner.userId}`]) {
      const { body } = await ask('GET', `avatars${prefix}`, as(owner));
      assert.deepEqual(
        body.items.map((item) => item.path),
        [path],
      );
    }
    await updateRows(app.owner, 'organizations', { id: tenant.organizationId }, { status: 'inactive' });
    await assertResponse(ask('GET', url, as(colleague)), 404, 'not_found');
    const next = await upload('avatars/me');
    await assertResponse(ask('GET', url, as(owner)), 404, 'not_found');
    assert.equal((await ask('DELETE', next.url, as(owner))).status, 200);
    assert.equal(await avatarOf(), null);
    assert.deepEqual(await readdir(folderOf('avatars', owner.userId)), []);
  });

  test('API keys need scopes for images (TEN-9)', async () => {
    const reader = await signInKey(['clients:read']);
    const writer = await signInKey(['clients:read', 'clients:write']);
    const sender = await signInKey(['campaigns:send']);
    const { url } = await upload(targets.clients, writer);
    await assertResponse(ask('POST', targets.clients, reader), 403, 'forbidden');
    await assertResponse(ask('POST', targets.organizations, writer), 403, 'forbidden');
    assert.equal((await ask('GET', url, reader)).status, 200);
    await assertResponse(ask('GET', url, sender), 404, 'not_found');
    const elsewhere = await buildTenant(app.owner);
    await buildMember(app.owner, { organization_id: elsewhere.organizationId, user_id: owner.userId });
    await assertResponse(ask('POST', `logos/clients/${elsewhere.clientId}`, writer), 404, 'not_found');
    const avatar = await upload('avatars/me');
    for (const method of ['GET', 'DELETE'] as const)
      await assertResponse(ask(method, avatar.url, writer), 403, 'forbidden');
    await assertResponse(ask('POST', 'avatars/me', writer), 403, 'forbidden');
    await assertResponse(ask('GET', 'avatars', writer), 403, 'forbidden');
  });

  test('concurrent uploads leave one file', async () => {
    const stored = await Promise.all(Array.from({ length: 6 }, () => upload(targets.clients)));
    const now = await logoOf('clients', tenant.clientId);
    assert.ok(stored.some(({ url }) => url === now));
    assert.deepEqual(
      (await readdir(folderOf('logos', tenant.organizationId))).map(
        (name) => `${tenant.organizationId}/${name}`,
      ),
      [now?.slice('/api/storage/logos/'.length)],
    );
  });

  test('later uploads remove unreferenced old files', async () => {
    const folder = folderOf('logos', tenant.organizationId);
    await upload(targets.clients);
    const { url: brandUrl } = await upload(targets.brands);
    const [old, recent] = [nameOf(Date.now() - 2 * hourMs), nameOf(Date.now() - hourMs / 2)];
    for (const name of [old, recent]) await writeFile(join(folder, name), 'left over');
    // A file in use is kept whatever age its name has.
    const kept = nameOf(Date.now() - 3 * hourMs);
    await rename(join(folder, brandUrl.split('/').at(-1)!), join(folder, kept));
    await updateRows(
      app.owner,
      'brands',
      { id: tenant.brandId },
      { logo_url: `/api/storage/logos/${tenant.organizationId}/${kept}`, deleted: true },
    );
    const { path } = await upload(targets.clients);
    assert.deepEqual((await readdir(folder)).toSorted(), [path.split('/').at(-1)!, recent, kept].toSorted());
  });

  test('an organization has 200 images and 50 MB, or its quota (UPL-1, RATE-3)', async () => {
    const folder = folderOf('logos', tenant.organizationId);
    await mkdir(folder, { recursive: true });
    const names = Array.from({ length: 200 }, () => nameOf(Date.now()));
    for (const name of names) await writeFile(join(folder, name), '');
    const refused = ask('POST', targets.clients, as(owner));
    await assertResponse(refused, 409, 'storage_full');
    assert.deepEqual((await refused).body.data, {
      images: { used: 200, limit: 200 },
      megabytes: { used: 0, limit: 50 },
    });
    assert.equal(await logoOf('clients', tenant.clientId), null);
    assert.equal((await readdir(folder)).length, 200);
    await rm(join(folder, names[0]!));
    const { url } = await upload(targets.clients);
    for (const name of names.slice(2)) await rm(join(folder, name));
    await truncate(join(folder, names[1]!), 50_000_000);
    await assertResponse(ask('POST', targets.clients, as(owner)), 409, 'storage_full');
    assert.equal(await logoOf('clients', tenant.clientId), url);
    await rm(join(folder, names[1]!));
    await setQuota(app.services.db, tenant.organizationId, 'images', 1);
    await assertResponse(ask('POST', targets.brands, as(owner)), 409, 'storage_full');
    const neighbour = await buildTenant(app.owner);
    const other = await app.signInMember(neighbour.organizationId);
    await upload(`logos/clients/${neighbour.clientId}`, as(other));
  });

  test('files are removed with their organization or user', async () => {
    const logo = await upload(targets.organizations);
    const avatar = await upload('avatars/me');
    await removeFilesOf(app.services.files, { organizationId: tenant.organizationId });
    await assertResponse(ask('GET', logo.url, as(owner)), 404, 'not_found');
    assert.equal((await ask('GET', avatar.url, as(owner))).status, 200);
    await removeFilesOf(app.services.files, { userId: owner.userId });
    await removeFilesOf(app.services.files, { userId: owner.userId });
    await assertResponse(ask('GET', avatar.url, as(owner)), 404, 'not_found');
  });

  test('invited people get a small logo as data URL', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const photo = await sharp({ create: { width: 128, height: 128, channels: 3, background: 'teal', noise } })
      .png()
      .toBuffer();
    const response = await app.app.inject({
      method: 'POST',
      url: `/api/storage/${targets.organizations}`,
      headers: { ...owner.headers, 'content-type': 'image/png' },
      payload: photo,
    });
    const guest = await app.signIn();
    const invited = await owner.request<{ items: { url: string }[] }>(
      'POST',
      '/api/organizations/invitations/create',
      { organization_id: tenant.organizationId, emails: [guest.email], role: 'analyst', client_ids: [] },
    );
    const token = invited.body.items[0]?.url.split('/').at(-1);
    interface Preview {
      organization: { logo_url: string | null };
    }
    const preview = await app.request<Preview>('GET', `/api/organizations/invitations/${token}`);
    const shown = preview.body.organization.logo_url;
    const mine = await guest.request<{ items: Preview[] }>('GET', '/api/me/invitations');
    assert.deepEqual(
      mine.body.items.map(({ organization }) => organization.logo_url),
      [shown],
    );
    const { url } = response.json<Stored>();
    await assertResponse(ask('GET', url, as(guest)), 404, 'not_found');
    const showLogo = createShowLogo(app.services);
    assert.equal(await showLogo(url), shown);
    assert.ok(shown !== null && shown.length < 20_000);
    const [type, data = ''] = shown.split(',');
    assert.equal(type, 'data:image/webp;base64');
    const { width, height } = await sharp(Buffer.from(data, 'base64')).metadata();
    assert.deepEqual([width, height], [96, 96]);
    for (const other of [
      null,
      'https://pictures.example/x.webp',
      `/api/storage/logos/${newId()}/${newId()}.webp`,
    ])
      assert.equal(await showLogo(other), null);
  });
});

for (const kind of ['a disk', 'an S3 server'] as const) {
  suite(`failures of ${kind}`, () => {
    let s3: S3Server;
    let app: TestApp;
    before(async () => {
      s3 = await startS3Server();
      app = await createTestApp(kind === 'a disk' ? {} : { s3Url: s3.url });
    });
    after(async () => {
      await app.close();
      await s3.close();
    });

    test('storage failures give 503 and leave no reference', async () => {
      const tenant = await buildTenant(app.owner);
      const owner = await app.signInMember(tenant.organizationId);
      const files = join(app.services.config.dataDir, 'files');
      const setBroken = async (isBroken: boolean) => {
        s3.isBroken = isBroken;
        if (kind !== 'a disk') return;
        // A file in place of the folder makes all reads and writes below it fail.
        if (isBroken) {
          await rename(files, `${files}-away`);
          await writeFile(files, '');
        } else {
          await rm(files);
          await rename(`${files}-away`, files);
        }
      };
      const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string) => {
        const { statusCode, body } = await app.app.inject({
          method,
          url,
          headers: { ...owner.headers, ...(method === 'POST' ? { 'content-type': 'image/png' } : {}) },
          ...(method === 'POST' ? { payload: png } : {}),
        });
        return { status: statusCode, body };
      };
      const target = `/api/storage/logos/clients/${tenant.clientId}`;
      const client = () => getRow(app.owner, 'clients', '*', { id: tenant.clientId });
      const { url } = JSON.parse((await ask('POST', target)).body) as Stored;
      assert.equal((await ask('GET', url)).status, 200);
      const earlier = await client();
      assert.equal(earlier.logo_url, url);
      await setBroken(true);
      for (const [method, path] of [
        ['POST', target],
        ['GET', url],
        ['GET', `/api/storage/logos?prefix=${tenant.organizationId}`],
      ] as const) {
        const { status, body } = await ask(method, path);
        assert.equal(status, 503, `${method} ${path}`);
        assert.equal((JSON.parse(body) as Problem).code, 'unavailable');
        assert.doesNotMatch(body, /E[A-Z]{4,}|InternalError|127\.0\.0\.1|files\b|\/tmp/);
      }
      assert.deepEqual(await client(), earlier);
      await setBroken(false);
      assert.equal((await ask('GET', url)).status, 200);
      await setBroken(true);
      // The reference is deleted; the file remains until the next upload cleans up.
      assert.equal((await ask('DELETE', url)).status, 200);
      assert.equal((await client()).logo_url, null);
      await setBroken(false);
      assert.equal((await ask('GET', url)).status, 404);
    });
  });
}
