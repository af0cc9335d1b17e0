import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createSecrets, newToken, type SealPlace } from './secrets.ts';

const [older, newer] = ['older key of at least 32 characters!', 'newer key of at least 32 characters!'];
const place: SealPlace = {
  table: 'organization_invitations',
  column: 'token_sealed',
  id: 'row-1',
  organizationId: 'organization-1',
};

suite('sealed values (SEC-1)', () => {
  const secrets = createSecrets(newer);

  test('any text can be opened in its place', () => {
    for (const text of ['', 'token', 'Zoë \u{1F600}\n'.repeat(10_000)])
      assert.equal(secrets.open(place, secrets.seal(place, text)), text);
  });

  test('sealed text is hidden and differs each time', () => {
    const sealed = [secrets.seal(place, 'open sesame'), secrets.seal(place, 'open sesame')];
    assert.notEqual(sealed[0], sealed[1]);
    for (const one of sealed) {
      assert.doesNotMatch(one, /sesame/);
      const parts = one.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      assert.doesNotMatch(parts.join(' '), /sesame/);
    }
  });

  test('values open only in their row, column, table and organization', () => {
    const sealed = secrets.seal(place, 'token');
    const { organizationId: _, ...nowhere } = place;
    const others: SealPlace[] = [
      { ...place, id: 'row-2' },
      { ...place, column: 'token_hash' },
      { ...place, table: 'organization_invitation_links' },
      { ...place, organizationId: 'organization-2' },
      nowhere,
      // The same characters, split differently.
      { ...place, table: 'organization_invitation', column: 'stoken_sealed' },
      { ...place, id: 'row-1organization-1', organizationId: '' },
    ];
    for (const other of others) assert.throws(() => secrets.open(other, sealed), JSON.stringify(other));
  });

  test('changed values cannot be opened', () => {
    const sealed = secrets.seal(place, 'token');
    const parts = sealed.split('.');
    assert.equal(parts.length, 4);
    for (const [index, part] of parts.entries()) {
      const bytes = Buffer.from(part, 'base64url');
      for (let at = 0; at < bytes.length; at += 1) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ 1;
        const put = parts.with(index, changed.toString('base64url')).join('.');
        assert.throws(() => secrets.open(place, put), `part ${index}, byte ${at}`);
      }
      assert.throws(() => secrets.open(place, parts.with(index, '').join('.')), `without part ${index}`);
    }
    // A shorter tag is easier to guess.
    const tag = Buffer.from(parts[2] ?? '', 'base64url');
    assert.equal(tag.length, 16);
    for (const length of [4, 8, 12, 15])
      assert.throws(() =>
        secrets.open(place, parts.with(2, tag.subarray(0, length).toString('base64url')).join('.')),
      );
    for (const text of ['', 'token', '...', `${sealed}.x`.slice(1)])
      assert.throws(() => secrets.open(place, text), text);
  });

  test('old keys open values, and the new key seals', () => {
    const sealedBefore = createSecrets(older).seal(place, 'token');
    const rotated = createSecrets(newer, ['yet another key, older than both of them', older]);
    assert.equal(rotated.open(place, sealedBefore), 'token');
    assert.throws(() => rotated.open({ ...place, id: 'row-2' }, sealedBefore));
    const sealedAfter = rotated.seal(place, 'token');
    assert.equal(secrets.open(place, sealedAfter), 'token');
    assert.throws(() => createSecrets(older).open(place, sealedAfter), /not known/);
    assert.throws(() => secrets.open(place, sealedBefore), /not known/);
  });
});

suite('keyed token hashes (TOK-1)', () => {
  test('hashes differ by purpose and key, and repeat', () => {
    const token = newToken();
    const of = (key: string, purpose: string) => createSecrets(key).hash(purpose, token);
    assert.equal(of(newer, 'api key'), of(newer, 'api key'));
    const hashes = [of(newer, 'api key'), of(newer, 'invitation'), of(older, 'api key'), of(newer, '')];
    assert.equal(new Set(hashes).size, hashes.length);
    for (const hash of hashes) assert.equal(Buffer.from(hash, 'base64url').length, 32);
    assert.notEqual(createSecrets(newer).hash('api key', `${token}x`), hashes[0]);
  });

  test('hashes are found by old keys, stored by the current', () => {
    const token = newToken();
    const before = createSecrets(older).hash('api key', token);
    const rotated = createSecrets(newer, [older]);
    assert.deepEqual(rotated.hashes('api key', token), [rotated.hash('api key', token), before]);
    assert.notEqual(rotated.hash('api key', token), before);
    assert.ok(!rotated.hashes('invitation', token).includes(before));
    assert.deepEqual(createSecrets(newer).hashes('api key', token), [rotated.hash('api key', token)]);
  });

  test('tokens have 192 bits and are unique', () => {
    const tokens = Array.from({ length: 1_000 }, newToken);
    assert.equal(new Set(tokens).size, 1_000);
    for (const token of tokens) assert.match(token, /^[\w-]{32}$/);
  });
});
