import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { documented } from '@reachout/contract/values.ts';

/** Makes JSON Schema of the schemas of the contract, with the keywords that the contract adds to them. */
export const jsonSchemaConverter = new ZodToJsonSchemaConverter({
  interceptors: [
    (converted) => {
      const [required, json] = converted.next();
      const { or, ...keywords } = documented.get(converted.schema) ?? {};
      const full = { ...(json as object), ...keywords };
      if (or === undefined) return [required, full];
      return [required, { anyOf: [...('anyOf' in full ? (full.anyOf as object[]) : [full]), ...or] }];
    },
  ],
});
