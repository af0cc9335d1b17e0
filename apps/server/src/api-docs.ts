import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OpenAPIGenerator, type OpenAPI } from '@orpc/openapi';
import { isContractProcedure } from '@orpc/contract';
import type { OperationMeta } from '@reachout/contract/operation.ts';
import { fileExports } from '@reachout/contract/file-exports.ts';
import { fileTransfers } from '@reachout/contract/file-transfers.ts';
import { contract } from '@reachout/contract/router.ts';
import { signIn } from '@reachout/contract/sign-in.ts';
import { timeZone } from '@reachout/contract/values.ts';
import { z } from 'zod';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { allowInlineScripts } from './platform/http/allow-inline-scripts.ts';
import {
  describeEventsAsText,
  describeForms,
  jsonSchemaConverter,
  refuseEmptyParameters,
} from './platform/http/json-schemas.ts';
import {
  operationProblems,
  problemComponent,
  shareProblemResponses,
} from './platform/http/problem-schemas.ts';

const introduction = `
Programs send an API key of the organization, made under Settings › API keys:

    curl -H 'Authorization: Bearer reachout_…' '…/api/clients?organization_id=…'

The page of the keys shows the id of the organization, which most operations require as \`organization_id\`; operations
on one record find it by the record's \`id\`. The scopes of a key say what it may do, never more than the member who
created it.

Keys with a content scope, and content tokens of members, also read items at
\`/content/{organization_id}/items/{collection}\`, in the REST interface of Directus.

Lists take \`page\` (from 0) and \`page_size\` (10 if it is left out; more for joined lists and searches), and respond with \`items\` and the exact \`count\` of all. Errors are problem
details (RFC 9457) with a stable \`code\`; \`data\` names the permission that a key or a role lacks. Unsafe operations take
an \`Idempotency-Key\`: a repeat with the same key gets the first response. An address responds to other methods than
those listed here with 405 and \`Allow\`; \`HEAD\` is one of them wherever \`GET\` has no effect.

The operations of \`/auth\` sign people in within their browsers, without a key. The links in messages (\`/t\`, \`/u\`,
\`/p\`, \`/v\`) and the pages of the web app are for browsers and mail programs, and no part of this reference.
`;

const operations = { ...contract, signIn, ...fileExports, ...fileTransfers };

const referencePaths = ['/api/docs', '/api/docs/', '/api/docs/js/scalar.js'];

/**
 * Serves the OpenAPI document of the contract at `/api/openapi.json`, and as a readable page at `/api/docs`. Each is created
 * on its first request, because it is rarely requested.
 */
export function registerApiDocs(app: FastifyInstance, publicUrl: string): void {
  let document: Promise<OpenAPI.Document> | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= describeApi(publicUrl);
    return await reply.send(await document);
  });

  let reference: Promise<FastifyInstance> | undefined;
  for (const path of referencePaths) {
    app.get(path, async (_request, reply) => {
      reference ??= createReference();
      const { statusCode, headers, body } = await (await reference).inject(path);
      const { 'content-type': type, location } = headers;
      if (location !== undefined) return await reply.redirect(location, statusCode);
      allowInlineScripts(reply, body);
      allowMarkup(reply);
      return await reply.type(String(type)).send(body);
    });
  }
}

async function describeApi(publicUrl: string): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [jsonSchemaConverter] });
  const document = await generator.generate(operations, {
    info: {
      title: 'Reachout',
      version: '0',
      description: introduction,
    },
    servers: [{ url: `${publicUrl}/api` }],
    components: {
      schemas: { Problem: problemComponent },
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key of an organization. It may do what its scopes say, in that organization alone.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: publicUrl.startsWith('https://') ? '__Host-reachout_session' : 'reachout_session',
          description: 'The cookie of somebody who signed in.',
        },
      },
    },
    security: [{ apiKey: [] }, { session: [] }],
    commonSchemas: await findNamedSchemas(),
    customErrorResponseBodySchema: operationProblems,
  });
  sendFieldsAsBodies(document, operations);
  describeRedirects(document);
  shareProblemResponses(document);
  describeForms(document);
  describeEventsAsText(document);
  refuseEmptyParameters(document);
  return document;
}

/** Finds the schemas that modules of the contract export under a name, such as `Campaign`: clients get a type for each. */
async function findNamedSchemas() {
  const folder = dirname(fileURLToPath(import.meta.resolve('@reachout/contract/router.ts')));
  const named: Record<string, { strategy: 'output'; schema: z.ZodType }> = {
    TimeZone: { strategy: 'output', schema: timeZone },
  };
  for await (const file of glob('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] })) {
    const exported = (await import(join(folder, file))) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exported))
      if (/^[A-Z]/.test(name) && schema instanceof z.ZodType) named[name] = { strategy: 'output', schema };
  }
  return named;
}

/** If one input field is the body, the generator describes the whole input; this moves the other fields to the query. */
function sendFieldsAsBodies(document: OpenAPI.Document, router: object): void {
  for (const child of Object.values(router) as object[]) {
    if (!isContractProcedure(child)) {
      sendFieldsAsBodies(document, child);
      continue;
    }
    const { route, meta } = child['~orpc'];
    const { bodyField } = meta as OperationMeta;
    if (bodyField === undefined) continue;
    const paths = document.paths as Record<string, Record<string, OpenAPI.OperationObject>>;
    const operation = paths[route.path ?? '']?.[(route.method ?? 'POST').toLowerCase()];
    const body = operation?.requestBody as OpenAPI.RequestBodyObject | undefined;
    const media = body?.content['application/json'];
    if (media?.schema === undefined) continue;
    const { properties } = media.schema as { properties: Record<string, OpenAPI.SchemaObject> };
    const { [bodyField]: item, ...others } = properties;
    media.schema = item!;
    const parameters = Object.entries(others).map(([name, schema]) => ({ name, in: 'query', schema }));
    operation!.parameters = [...(operation!.parameters ?? []), ...(parameters as OpenAPI.ParameterObject[])];
  }
}

/** Redirects have no body; the generator describes one for each operation. */
function describeRedirects(document: OpenAPI.Document): void {
  for (const methods of Object.values(document.paths ?? {}))
    for (const { responses = {} } of Object.values(methods ?? {}) as OpenAPI.OperationObject[])
      if ('302' in responses) responses['302'] = { description: 'Found' };
}

/** Creates an app that never listens, because the library is a Fastify plugin. It is loaded late: 4 MB of source. */
async function createReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const reference = Fastify();
  await reference.register(scalar, {
    routePrefix: '/api/docs',
    configuration: {
      url: '/api/openapi.json',
      // Nothing is loaded from or sent to third parties.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  return reference;
}

/** The page writes its own markup, which trusted types would block. */
function allowMarkup(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'));
  reply.header(
    'content-security-policy',
    policy.replaceAll(/;(?:require-trusted-types-for|trusted-types)[^;]*/g, ''),
  );
}
