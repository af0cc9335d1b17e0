import type { RecordAttributes } from './abilities.ts';
import type { ApiKey } from './api-keys.ts';
import type { ListedCampaign } from './campaigns.ts';
import type { ListedBrand } from './clients.ts';
import type { ContentFile } from './content-files.ts';
import type { Share } from './content-shares.ts';
import type { Collection } from './content.ts';
import type { DataRequest } from './data-requests.ts';
import type { Reaction } from './event-graph.ts';
import type { ListedFilter } from './filters.ts';
import type { Invitation } from './invitations.ts';
import type { Job } from './jobs.ts';
import type { MyApiKey, Passkey, Session } from './me.ts';
import type { Member } from './members.ts';
import type { TrashItem } from './organizations.ts';
import type { RoleDetails } from './roles.ts';
import { isAlone, toConnections, type Connection } from './rules/connections.ts';
import {
  isBrand,
  isTouchpoint,
  toClientRows,
  toGroupedRows,
  toTouchpointRow,
  type ClientListRow,
  type GroupedRow,
} from './rules/grouped-rows.ts';
import { startingCollections } from './rules/starting-collections.ts';
import { isShown } from './rules/storage.ts';
import type { SignUpForm } from './sign-up-forms.ts';
import { campaignCan } from './states/campaign.ts';
import { canComplete, needsMember } from './states/data-request.ts';
import { canRetryJob } from './states/job.ts';
import { touchpointCan } from './states/touchpoint.ts';
import type { Template } from './templates.ts';
import type { Topic } from './topics.ts';
import type { Transport } from './transports.ts';
import type { ListedTouchpoint } from './touchpoints.ts';
import type { ConversionGoal } from './websites.ts';

/** Something that can be done with a record of a list. Who may do it is what the contract says of its operation. */
export interface RecordAction<Row> {
  /** The name of the operation: `campaigns.update`. */
  operation: string | ((row: Row) => string);
  /** The operation's input, without what a person types for it. */
  input: (row: Row, organizationId: string) => object;
  /** Whether the state of the record allows it. */
  isFor?: (row: Row) => boolean;
  /** The operation that takes it back, with the same input. */
  undo?: string | ((row: Row) => string);
  /** Whether it is also offered for several records at once. */
  isBulk?: boolean;
  /** The id of the record whose action includes that of this one, if both are selected. */
  includedIn?: (row: Row) => string | undefined;
}

/** What can be done with the records of a list: in the menu of a row, and for the selected rows. */
export interface RecordList<Row, Name extends string = string> {
  /** The operation that lists the records. */
  list: string;
  /** Whether a row is a record rather than the heading of others, which has no actions. */
  isRecord?: (row: Row) => boolean;
  /** The rows of its items, if they are not the same. */
  rowsOf?: (items: readonly never[]) => Row[];
  /**
   * The client and the brand of a row, by which permissions can be limited. Without it, rows have none: whoever is
   * limited to some clients or brands can do nothing with them.
   * @param page  those of the record on whose page the list is
   */
  ownerOf?: (row: Row, page: RecordAttributes) => RecordAttributes;
  actions: Record<Name, RecordAction<Row>>;
}

const listOf =
  <Row>() =>
  <Name extends string>(list: RecordList<Row, Name>): RecordList<Row, Name> =>
    list;

const byId = ({ id }: { id: string }) => ({ id });
const ofPage = (_row: object, page: RecordAttributes): RecordAttributes => page;
const inOrganization = ({ id }: { id: string }, organization_id: string) => ({ organization_id, id });

/** Records that belong to a brand, to a client, or to all clients. */
const ofOwned = (row: { client_id: string | null; brand_id: string | null }): RecordAttributes => ({
  ...(row.client_id === null ? {} : { client_id: row.client_id }),
  ...(row.brand_id === null ? {} : { brand_id: row.brand_id }),
});

const ofCollection = ({ collection }: Collection, organization_id: string) => ({
  organization_id,
  collection,
});
const ofInvitation = ({ id }: Invitation, organization_id: string) => ({
  id: organization_id,
  invitation_id: id,
});
const ofTransport = ({ id }: Transport, organization_id: string) => ({
  id: organization_id,
  transport_id: id,
});
const isPending = ({ status }: Invitation) => status === 'pending';
const ofWebsite = ({ id, touchpoint_id }: ConversionGoal) => ({ id: touchpoint_id, goal_id: id });

const touchpointActions = {
  duplicate: { operation: 'touchpoints.duplicate', input: byId },
  archive: {
    operation: 'touchpoints.update',
    input: ({ id }: GroupedRow) => ({ id, status: 'archived' }),
    isFor: (row: GroupedRow) => isTouchpoint(row) && touchpointCan.archive(row),
    isBulk: true,
  },
  unarchive: {
    operation: 'touchpoints.unarchive',
    input: byId,
    isFor: (row: GroupedRow) => isTouchpoint(row) && touchpointCan.reopen(row),
    isBulk: true,
  },
  delete: {
    operation: 'touchpoints.delete',
    input: byId,
    undo: 'touchpoints.restore',
    isBulk: true,
  },
};

/** The lists of the app. A test asks for each of their actions whether what is offered is what the server allows. */
export const recordLists = {
  campaigns: listOf<ListedCampaign>()({
    list: 'campaigns.list',
    ownerOf: ({ brand }) => ({ client_id: brand.client.id, brand_id: brand.id }),
    actions: {
      duplicate: { operation: 'campaigns.duplicate', input: byId },
      archive: {
        operation: 'campaigns.update',
        input: ({ id }) => ({ id, status: 'archived' }),
        isFor: campaignCan.archive,
        isBulk: true,
      },
      unarchive: {
        operation: 'campaigns.unarchive',
        input: byId,
        isFor: campaignCan.reopen,
        isBulk: true,
      },
      delete: { operation: 'campaigns.delete', input: byId, undo: 'campaigns.restore', isBulk: true },
    },
  }),
  touchpoints: listOf<GroupedRow>()({
    list: 'touchpoints.list',
    isRecord: isTouchpoint,
    rowsOf: (items: readonly ListedTouchpoint[]) => items.map(toTouchpointRow),
    ownerOf: ({ owner }) => owner,
    actions: touchpointActions,
  }),
  campaignsTouchpoints: listOf<GroupedRow>()({
    list: 'campaignsTouchpoints.list',
    isRecord: isTouchpoint,
    rowsOf: toGroupedRows,
    ownerOf: ({ owner }) => owner,
    actions: touchpointActions,
  }),
  clientsBrands: listOf<ClientListRow>()({
    list: 'clientsBrands.list',
    rowsOf: toClientRows,
    ownerOf: (row) => (isBrand(row) ? { client_id: row.client_id, brand_id: row.id } : { client_id: row.id }),
    actions: {
      addBrand: {
        operation: 'brands.create',
        input: (row, organization_id) => ({ organization_id, client_id: row.id }),
        isFor: (row) => !isBrand(row),
      },
      delete: {
        operation: (row) => (isBrand(row) ? 'brands.delete' : 'clients.delete'),
        input: byId,
        undo: (row) => (isBrand(row) ? 'brands.restore' : 'clients.restore'),
        isBulk: true,
        includedIn: (row) => (isBrand(row) ? row.client_id : undefined),
      },
    },
  }),
  brands: listOf<ListedBrand>()({
    list: 'brands.list',
    ownerOf: ({ client_id, id }) => ({ client_id, brand_id: id }),
    actions: {
      delete: { operation: 'brands.delete', input: byId, undo: 'brands.restore', isBulk: true },
    },
  }),
  touchpointEvents: listOf<Connection>()({
    list: 'touchpointEvents.list',
    rowsOf: toConnections,
    ownerOf: ({ event }) => ({ client_id: event.client.id, brand_id: event.brand.id }),
    actions: {
      edit: { operation: 'touchpointEvents.update', input: ({ event }) => ({ id: event.id }) },
      addListener: {
        operation: 'touchpointEvents.createListener',
        input: ({ event, listener }) => ({
          id: event.id,
          ...(listener && { listener_touchpoint_id: listener.listener_touchpoint_id, unless: null }),
        }),
        isFor: ({ listener }) => listener !== null,
      },
      toggle: {
        operation: 'touchpointEvents.update',
        input: ({ event }) => ({ id: event.id, is_active: !event.is_active }),
      },
      remove: {
        operation: (row) => (isAlone(row) ? 'touchpointEvents.delete' : 'touchpointEvents.deleteListener'),
        input: ({ event, listener }) => ({
          id: event.id,
          ...(event.listeners.length > 1 && { listener_id: listener?.id }),
        }),
      },
    },
  }),
  reactions: listOf<Reaction>()({
    list: 'reactions.list',
    ownerOf: ofOwned,
    actions: {
      cancel: {
        operation: 'reactions.cancel',
        input: inOrganization,
        isFor: ({ state }) => state === 'waiting',
      },
    },
  }),
  templates: listOf<Omit<Template, 'mjml'>>()({
    list: 'templates.list',
    ownerOf: ofOwned,
    actions: {
      duplicate: { operation: 'templates.duplicate', input: inOrganization },
      delete: { operation: 'templates.delete', input: inOrganization, isBulk: true },
    },
  }),
  filters: listOf<ListedFilter>()({
    list: 'filters.list',
    ownerOf: ofOwned,
    actions: {
      duplicate: { operation: 'filters.duplicate', input: byId },
      delete: { operation: 'filters.delete', input: byId, isBulk: true },
    },
  }),
  files: listOf<ContentFile>()({
    list: 'content.files',
    actions: {
      rename: { operation: 'content.updateFile', input: inOrganization },
      brand: { operation: 'content.updateFile', input: inOrganization },
      publish: {
        operation: 'content.updateFile',
        input: inOrganization,
        isFor: ({ type }) => isShown(type),
      },
      delete: { operation: 'content.deleteFile', input: inOrganization },
    },
  }),
  shares: listOf<Share>()({
    list: 'content.shares',
    actions: { stop: { operation: 'content.deleteShare', input: inOrganization } },
  }),
  collections: listOf<Collection>()({
    list: 'content.collections',
    ownerOf: ofOwned,
    actions: {
      changeOwner: { operation: 'content.updateCollection', input: ofCollection },
      show: {
        operation: 'content.updateCollection',
        input: (row, organization_id) => ({ ...ofCollection(row, organization_id), hidden: !row.hidden }),
      },
      delete: {
        operation: 'content.deleteCollection',
        input: ofCollection,
        isFor: ({ collection }) => !startingCollections.includes(collection),
      },
    },
  }),
  dataRequests: listOf<DataRequest>()({
    list: 'dataRequests.list',
    actions: {
      retry: { operation: 'dataRequests.retry', input: byId, isFor: needsMember },
      complete: { operation: 'dataRequests.complete', input: byId, isFor: canComplete },
    },
  }),
  topics: listOf<Topic>()({
    list: 'topics.list',
    ownerOf: ofPage,
    actions: {
      edit: { operation: 'topics.update', input: byId },
      moveUp: { operation: 'topics.update', input: byId },
      moveDown: { operation: 'topics.update', input: byId },
      delete: { operation: 'topics.delete', input: byId },
    },
  }),
  signUpForms: listOf<SignUpForm>()({
    list: 'signUpForms.list',
    ownerOf: ofPage,
    actions: {
      toggle: {
        operation: 'signUpForms.update',
        input: ({ id, is_active }) => ({ id, is_active: !is_active }),
      },
      delete: { operation: 'signUpForms.delete', input: byId },
    },
  }),
  conversionGoals: listOf<ConversionGoal>()({
    list: 'websites.goals',
    ownerOf: ofPage,
    actions: {
      edit: { operation: 'websites.updateGoal', input: ofWebsite },
      remove: { operation: 'websites.deleteGoal', input: ofWebsite },
    },
  }),
  members: listOf<Member>()({
    list: 'members.list',
    actions: {
      change: {
        operation: 'members.update',
        input: ({ user_id }, organization_id) => ({ id: organization_id, user_id }),
      },
      remove: {
        operation: 'members.remove',
        input: ({ user_id }, organization_id) => ({ id: organization_id, user_id }),
      },
    },
  }),
  invitations: listOf<Invitation>()({
    list: 'invitations.list',
    actions: {
      resend: { operation: 'invitations.resend', input: ofInvitation, isFor: isPending },
      cancel: { operation: 'invitations.cancel', input: ofInvitation, isFor: isPending },
    },
  }),
  apiKeys: listOf<ApiKey>()({
    list: 'apiKeys.list',
    actions: {
      revoke: {
        operation: 'apiKeys.revoke',
        input: ({ id }, organization_id) => ({ id: organization_id, key_id: id }),
        isFor: ({ revoked_at }) => revoked_at === null,
      },
    },
  }),
  transports: listOf<Transport>()({
    list: 'transports.list',
    actions: {
      edit: { operation: 'transports.update', input: ofTransport },
      check: { operation: 'transports.check', input: ofTransport },
      test: { operation: 'transports.test', input: ofTransport },
      delete: {
        operation: 'transports.delete',
        input: ofTransport,
        isFor: ({ is_default, brands }) => !is_default && brands.length === 0,
      },
    },
  }),
  roles: listOf<RoleDetails>()({
    list: 'organizationRoles.list',
    actions: { copy: { operation: 'organizationRoles.create', input: (_role, id) => ({ id }) } },
  }),
  trash: listOf<TrashItem>()({
    list: 'organizations.trash',
    ownerOf: ofOwned,
    actions: { restore: { operation: ({ kind }) => `${kind}s.restore`, input: byId } },
  }),

  // Of a person, in all organizations.
  sessions: listOf<Session>()({
    list: 'me.sessions',
    actions: {
      end: { operation: 'me.endSession', input: byId, isFor: ({ is_current }) => !is_current },
    },
  }),
  passkeys: listOf<Passkey>()({
    list: 'me.secondFactor',
    actions: {
      rename: { operation: 'me.renamePasskey', input: byId },
      remove: { operation: 'me.removePasskey', input: byId },
    },
  }),
  myApiKeys: listOf<MyApiKey>()({
    list: 'me.apiKeys',
    actions: { revoke: { operation: 'me.revokeApiKey', input: byId } },
  }),

  // Of the installation.
  jobs: listOf<Job>()({
    list: 'jobs.list',
    actions: { retry: { operation: 'jobs.retry', input: byId, isFor: canRetryJob } },
  }),
};
