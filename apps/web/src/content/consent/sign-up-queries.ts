import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { fetchOrProblem } from '#web/platform/fetch.ts';

export const signUpVersionsQuery = ({ api }: OrganizationContext, id: string) =>
  api.signUpForms.versions.queryOptions({ input: { id } });

/** What a contact has signed up for. */
export const signUpsQuery = ({ api, orgId }: OrganizationContext, collection: string, key: string) =>
  api.signUpForms.proof.queryOptions({ input: { organization_id: orgId, collection, key } });

/**
 * The HTML of the public page of a form. It is read from the origin of the app, which serves it too: `url` may name a host
 * of links.
 */
export const signUpPageQuery = ({ orgId }: OrganizationContext, url: string) => ({
  queryKey: [[orgId, 'signUpPage'], url],
  queryFn: async () => (await fetchOrProblem(new URL(url).pathname)).text(),
});
