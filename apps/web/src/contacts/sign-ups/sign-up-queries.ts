import type { SignUpForm } from '@reachout/contract/sign-up-forms.ts';
import type { OrganizationContext } from '#web/identity/organizations/use-organization.ts';
import { fetchOrProblem } from '#web/platform/fetch.ts';
import { defineList, type SearchOf } from '#web/platform/list-search.ts';

export const signUpFormList = defineList({ pageSize: 20 });

export const signUpFormsQuery = (
  { api, orgId }: OrganizationContext,
  brandId: string,
  search: SearchOf<typeof signUpFormList>,
) =>
  api.signUpForms.list.queryOptions(
    signUpFormList.query(search, { organization_id: orgId, brand_id: brandId }),
  );

export const signUpVersionsQuery = ({ api }: OrganizationContext, id: string) =>
  api.signUpForms.versions.queryOptions({ input: { id } });

/** What a contact has signed up for. */
export const signUpsQuery = ({ api, orgId }: OrganizationContext, collection: string, key: string) =>
  api.signUpForms.proof.queryOptions({ input: { organization_id: orgId, collection, key } });

/**
 * The HTML of the public page of a form, in the language of the form. It is read from the origin of the app, which serves it
 * too.
 */
export const signUpPageQuery = (
  { orgId }: OrganizationContext,
  { url, language, is_active }: SignUpForm,
) => ({
  queryKey: [[orgId, 'signUpPage'], url, language],
  queryFn: async () => (await fetchOrProblem(`${new URL(url).pathname}?lang=${language}`)).text(),
  enabled: is_active,
});
