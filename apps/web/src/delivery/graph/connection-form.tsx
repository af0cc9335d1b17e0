import { Anchor, Button, Collapse, Stack } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '#web/i18n/format.ts';
import { useSettled } from '#web/ui/debounce.ts';
import { FormDrawer } from '#web/ui/form-drawer.tsx';
import { RecordFields } from '#web/ui/record-fields.tsx';
import { QuietText } from '#web/ui/text.ts';
import { hasPattern } from './connection-fields.ts';
import { Effect } from './effect-dialogs.tsx';
import { useGraphWords } from './graph-words.ts';
import { PatternMatches } from './pattern-matches.tsx';
import { useConnectionForm, type ConnectionFormProps } from './use-connection-form.ts';

interface Props extends ConnectionFormProps {
  onReactions?: () => void;
}

/** Connects touchpoints, or changes how they are connected. Three choices are enough; the others are under "More". */
export function ConnectionForm({ onReactions, ...props }: Props) {
  const { t } = useTranslation(['eventGraph', 'common']);
  const { connection, onClose } = props;
  const { form, isAdded, main, more } = useConnectionForm(props);
  const [isMore, setMore] = useState(connection !== undefined);
  const id = useId();
  const words = useGraphWords(connection ? [connection.event] : []);
  const format = useFormat();
  const { event, listener } = connection ?? {};
  const others = event?.listeners.filter((one) => one.id !== listener?.id) ?? [];
  const { current } = form;
  const delay = useSettled(current.delay);
  return (
    <FormDrawer
      form={form}
      title={t(isAdded ? 'addListener' : connection ? 'form.edit' : 'new')}
      submitLabel={t(connection && !isAdded ? 'common:actions.save' : 'form.connect')}
      onClose={onClose}
    >
      {connection && (
        <Stack gap={4}>
          <QuietText className="break">
            {isAdded ? words.beginningOf(connection) : words.nameOf(connection)}
          </QuietText>
          {listener && onReactions && (
            <Anchor component="button" type="button" ta="start" size="sm" onClick={onReactions}>
              {t('reactions.who')}: {format.number(listener.numbers.waiting)}
            </Anchor>
          )}
          {others.length > 0 && !isAdded && (
            <QuietText>
              {t('form.shared', { names: format.list(others.map(({ listener_name }) => listener_name)) })}
            </QuietText>
          )}
        </Stack>
      )}
      <RecordFields form={form} only={main} />
      <Button
        variant="subtle"
        style={{ alignSelf: 'flex-start' }}
        aria-expanded={isMore}
        aria-controls={id}
        leftSection={isMore ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
        onClick={() => setMore(!isMore)}
      >
        {t(isMore ? 'form.less' : 'form.more')}
      </Button>
      <Collapse expanded={isMore} id={id}>
        <Stack gap="md">
          {!isAdded && hasPattern(current) && (
            <>
              <RecordFields form={form} only={['event']} />
              <PatternMatches values={current} />
            </>
          )}
          <RecordFields form={form} only={['delay']} />
          {event && listener && delay !== listener.delay && form.fields.isValid('delay') && (
            <Effect eventId={event.id} listenerId={listener.id} change="delay" delay={delay} />
          )}
          <RecordFields form={form} only={more.filter((name) => !['event', 'delay'].includes(name))} />
        </Stack>
      </Collapse>
    </FormDrawer>
  );
}
