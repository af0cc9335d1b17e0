import { Alert, Anchor, Button, Collapse, Group, Select, Stack } from '@mantine/core';
import type { ReactionAction } from '@reachout/contract/rules/event-graph.ts';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useContactLists } from '#web/content/owners/use-contact-lists.ts';
import { useCollectionName } from '#web/content/collections/collection-name.ts';
import { signUpFormsQuery } from '#web/contacts/sign-ups/sign-up-queries.ts';
import { useFormat } from '#web/i18n/format.ts';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import { isProblem, isRecord } from '#web/platform/problem.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { QuietText } from '#web/ui/text.ts';
import { useQuery } from '@tanstack/react-query';
import { ConnectionDetails, FieldDetails } from './connection-details.tsx';
import { eventsOf, findAction, idOf, type Source } from './connection-values.ts';
import { useGraphWords } from './graph-words.ts';
import type { OpenedReactions } from './reaction-list.tsx';
import {
  useConnectionForm,
  type ConnectionFormProps,
  type ConnectionFormState,
} from './use-connection-form.ts';

export type { Beginning } from './use-connection-form.ts';

interface Props extends ConnectionFormProps {
  onReactions?: (opened: OpenedReactions) => void;
}

/** Connects touchpoints, or changes how they are connected. Three choices are enough; the others are under "More". */
export function ConnectionForm({ onReactions, ...props }: Props) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { connection, place, onClose } = props;
  const state = useConnectionForm(props);
  const { form } = state;
  const [isMore, setMore] = useState(connection !== undefined);
  const more = useId();
  const words = useGraphWords(connection ? [connection.event] : []);
  const format = useFormat();
  const others = connection?.event.listeners.filter(({ id }) => id !== connection.listener?.id) ?? [];
  const { listener } = connection ?? {};
  return (
    <FormDrawer
      form={form}
      title={connection ? t('form.edit') : t('form.title')}
      submitLabel={connection ? t('common:actions.save') : t('form.connect')}
      onClose={onClose}
    >
      {connection ? (
        <Stack gap={4}>
          <QuietText className="break">{words.nameOf(connection)}</QuietText>
          {listener && onReactions && (
            <Anchor
              component="button"
              type="button"
              ta="start"
              size="sm"
              onClick={() =>
                onReactions({ name: words.nameOf(connection), of: { listener_id: listener.id } })
              }
            >
              {t('reactions.who')}: {format.number(listener.numbers.waiting)}
            </Anchor>
          )}
          {others.length > 0 && (
            <QuietText>
              {t('form.shared', { names: format.list(others.map(({ listener_name }) => listener_name)) })}
            </QuietText>
          )}
        </Stack>
      ) : (
        <Trigger brand={place.brand} {...state} />
      )}
      <FieldDetails {...state} />
      <Reaction {...state} connection={connection} />
      <Button
        variant="subtle"
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={isMore}
        aria-controls={more}
        leftSection={isMore ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
        onClick={() => setMore(!isMore)}
      >
        {t(isMore ? 'form.less' : 'form.more')}
      </Button>
      <Collapse expanded={isMore} id={more}>
        <ConnectionDetails {...state} connection={connection} />
      </Collapse>
      <Loop error={form.error} />
    </FormDrawer>
  );
}

/** The first choice: whose event, and which. */
function Trigger({
  brand,
  form,
  touchpoints,
  typeOf,
  chooseSource,
}: ConnectionFormState & { brand: { id: string } }) {
  const { t } = useTranslation('eventGraph');
  const sources = useSources(brand.id, touchpoints);
  const { fields } = form;
  const { source } = fields.getValues();
  return (
    <Group grow align="flex-start" preventGrowOverflow={false}>
      <Select
        {...fields.getInputProps('source')}
        data-autofocus
        searchable
        allowDeselect={false}
        label={t('form.when')}
        description={t('form.sourceHint')}
        placeholder={t('form.source')}
        data={sources}
        value={source || null}
        onChange={(next) => next !== null && chooseSource(next as Source)}
      />
      <Select
        {...fields.getInputProps('event_type')}
        allowDeselect={false}
        label={t('form.event')}
        data={eventsOf(source, typeOf(idOf(source))).map((value) => ({ value, label: t(`event.${value}`) }))}
        value={fields.getValues().event_type || null}
        onChange={(next) => {
          fields.setFieldValue('event_type', (next ?? '') as never);
          fields.setFieldValue('event', '');
        }}
      />
    </Group>
  );
}

/** The touchpoints of the brand, its sign-up forms and the contact lists that it can use. */
function useSources(brandId: string, touchpoints: ConnectionFormState['touchpoints']) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const scope = useOrganization();
  const collectionName = useCollectionName();
  const lists = useContactLists(`brand:${brandId}`);
  const forms = useQuery({ ...signUpFormsQuery(scope, brandId, {}), enabled: scope.can('read', 'Consent') });
  const ofType = (type: string) =>
    touchpoints
      .filter((one) => one.type === type)
      .map(({ id, name }) => ({ value: `touchpoint:${id}`, label: name }));
  return [
    { group: t('form.emails'), items: ofType('email') },
    { group: t('form.websites'), items: ofType('website') },
    {
      group: t('words.signUpForms'),
      items: (forms.data?.items ?? []).map(({ id, name }) => ({ value: `form:${id}`, label: name })),
    },
    {
      group: t('form.list'),
      items: lists.map(({ collection }) => ({
        value: `contacts:${collection}`,
        label: collectionName(collection),
      })),
    },
  ].filter(({ items }) => items.length > 0);
}

/** The second and third choice: what is done, and by which touchpoint. */
function Reaction({
  form: { fields },
  values,
  actions,
  touchpoints,
  typeOf,
  chooseAction,
  connection,
}: ConnectionFormState & { connection: Props['connection'] }) {
  const { t } = useTranslation('eventGraph');
  const notifier = typeOf(idOf(values.source));
  const possible = actions.filter((action) => action.notifier_touchpoint_type === (notifier ?? null));
  const type = findAction(actions, values.action, notifier)?.listener_touchpoint_type;
  const listeners = touchpoints.filter((one) => one.type === type);
  return (
    <Group grow align="flex-start" preventGrowOverflow={false}>
      <Select
        {...fields.getInputProps('action')}
        allowDeselect={false}
        label={t('form.action')}
        description={t(`actionHint.${values.action}`)}
        data={possible.map(({ name }) => ({ value: name, label: t(`action.${name}`) }))}
        onChange={(next) => next !== null && chooseAction(values.source, next as ReactionAction)}
      />
      {!connection && (
        <Select
          {...fields.getInputProps('listener_touchpoint_id')}
          searchable
          allowDeselect={false}
          label={t('form.listener')}
          description={type !== undefined && listeners.length === 0 && t('form.noListener')}
          data={listeners.map(({ id, name }) => ({ value: id, label: name }))}
          value={values.listener_touchpoint_id || null}
        />
      )}
    </Group>
  );
}

/** The way in which touchpoints would notify each other, if that is why saving was refused. */
function Loop({ error }: { error: unknown }) {
  const { t } = useTranslation('eventGraph');
  if (!isProblem(error, 409) || !isRecord(error.extra['data'])) return null;
  const { loop } = error.extra['data'];
  if (!Array.isArray(loop)) return null;
  const path = loop.map((one) => (isRecord(one) ? String(one['name']) : '')).join(' → ');
  return (
    <Alert color="red" role="alert">
      {t('form.loop', { path })}
    </Alert>
  );
}
