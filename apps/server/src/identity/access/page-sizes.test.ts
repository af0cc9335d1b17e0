import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { useSharedApp } from '../../testing/app.ts';
import { buildClient, buildFilter } from '../../sample/records.ts';
import { contractOperations } from '../../testing/contract-calls.ts';
import { useWorld } from '../../testing/world.ts';

suite('page sizes', () => {
  const app = useSharedApp();
  const { organizationId: organization_id, analyst: reader } = useWorld(app);

  before(async () => {
    for (let number = 10; number < 32; number++) {
      await buildClient(app.owner, { organization_id, name: `Number ${number}` });
      await buildFilter(app.owner, { organization_id, name: `Number ${number}` });
    }
  });

  const sizeOf = async (path: string) => {
    const body = await reader.ok<{ items: unknown[]; count: number }>('GET', path);
    assert.equal(body.count, 22);
    return body.items.length;
  };

  test('a page of a list has 10 records, of joined lists 100', () => {
    const sizes = contractOperations.flatMap(({ name, input }) => {
      const size = input !== undefined && 'page_size' in input.shape ? input.shape['page_size'] : undefined;
      return size === undefined ? [] : [[name, size.parse(undefined)] as const];
    });
    assert.ok(sizes.length > 20);
    assert.deepEqual(Object.fromEntries(sizes.filter(([, size]) => size !== 10)), {
      'campaigns.list': undefined,
      'clients.list': undefined,
      'filters.list': undefined,
      'campaignsTouchpoints.list': 100,
      'clientsBrands.list': 100,
      'touchpoints.list': 100,
    });
  });

  test('a search for clients gives 100 of them, for audiences 20', async () => {
    for (const [path, searched] of [
      [`/api/clients?organization_id=${organization_id}`, 22],
      [`/api/filters?organization_id=${organization_id}`, 20],
    ] as const) {
      assert.equal(await sizeOf(path), 10);
      assert.equal(await sizeOf(`${path}&search=number`), searched);
      assert.equal(await sizeOf(`${path}&search=number&page_size=5`), 5);
      assert.equal(await sizeOf(`${path}&page_size=12`), 12);
    }
  });
});
