import {
  Alert,
  Button,
  MultiSelect,
  Paper,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { PageText } from '@reachout/contract/help.ts';
import { helpScreens, maxAnswer, maxHelpText, type HelpScreen } from '@reachout/contract/rules/help.ts';
import { maxNameLength } from '@reachout/contract/rules/lengths.ts';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, type Language } from '@reachout/contract/rules/languages.ts';
import { helpEditor } from '#web/i18n/en/help-editor.ts';
import { isKey } from '#web/i18n/is-key.ts';
import { languageNames } from '#web/i18n/i18n.ts';
import { LinkAnchor } from '#web/platform/links.tsx';
import { isProblem } from '#web/platform/problem.ts';
import { notify } from '#web/ui/notify.tsx';
import { SaveBarForm } from '#web/ui/save-bar-form.tsx';
import { useServerForm, type ServerForm } from '#web/ui/use-server-form.ts';
import { PageTitle } from '#web/ui/text.ts';
import { fromValues, toValues, type TextValues } from './edited-text.ts';
import { HelpText } from './help-text.tsx';
import { useLanguage } from './use-help.ts';
import classes from './help-editor.module.css';
import help from './help.module.css';

interface Entry {
  en: PageText | null;
  de: PageText | null;
  /** Null for a page. */
  screens: readonly HelpScreen[] | null;
  /** Null for a new or released entry. */
  updated_at: string | null;
}

interface Values extends TextValues {
  screens: HelpScreen[];
}

interface Props {
  kind: 'page' | 'question';
  entry: Entry;
  /** Where readers find it. */
  path: string;
  save: (change: {
    en: PageText;
    de: PageText | null;
    screens: HelpScreen[];
    if_updated_at: string | null;
  }) => Promise<{ updated_at: string }>;
  /** Replaces the form by one with the stored version. */
  onReload: () => Promise<void>;
}

/** An interface has no index signature. */
type Flat<T> = { [K in keyof T]: T[K] };

/**
 * A page or a question in both languages, side by side, each with its preview. By hand: each language is an object of the input,
 * and one of them may be missing as a whole.
 */
export function TextEditor({ kind, entry, path, save, onReload }: Props) {
  const { t } = useTranslation(['helpEditor', 'common']);
  // The stored version may change while the form is open.
  const [readAt, setReadAt] = useState(entry.updated_at);
  const isQuestion = entry.screens !== null;
  const maxContent = isQuestion ? maxAnswer : maxHelpText;
  const needed = (value: string) => (value.trim() === '' ? t('common:form.required') : null);
  const neededWith = (value: string, other: string) =>
    value.trim() === '' && other.trim() !== '' ? t('bothNeeded') : null;
  const form: ServerForm<Flat<Values>> = useServerForm<Flat<Values>>({
    initial: { ...toValues(entry), screens: [...(entry.screens ?? [])] },
    checks: {
      en_title: needed,
      en_content: needed,
      de_title: (value, values) => neededWith(value, values.de_content),
      de_content: (value, values) => neededWith(value, values.de_title),
    },
    limits: {
      en_title: maxNameLength,
      de_title: maxNameLength,
      en_content: maxContent,
      de_content: maxContent,
    },
    submit: async (values) => {
      const saved = await save({ ...fromValues(values), screens: values.screens, if_updated_at: readAt });
      setReadAt(saved.updated_at);
      form.setSaved(values);
      notify(t('common:actions.saved'));
    },
  });
  const isConflict = isProblem(form.error) && form.error.code === 'changed_elsewhere';
  const isGerman = useLanguage() === 'de';
  const title = ((isGerman && entry.de) || entry.en)?.title ?? t(kind === 'page' ? 'newPage' : 'newQuestion');
  useDocumentTitle(`${title} · ${t('common:product')}`);
  return (
    <>
      <LinkAnchor to="/operator/help" className={help.back}>
        <IconArrowLeft size={16} aria-hidden />
        {t('back')}
      </LinkAnchor>
      <PageTitle>{title}</PageTitle>
      <Text c="dimmed" mb="lg" className="break">
        {t('addressOf', { path })}
      </Text>
      {isConflict && (
        <Alert color="yellow" role="alert" mb="md" title={t('conflict')}>
          <Text size="sm" mb="xs">
            {t('conflictBody')}
          </Text>
          <Button size="xs" onClick={() => void onReload()}>
            {t('takeTheirs')}
          </Button>
        </Alert>
      )}
      <SaveBarForm form={isConflict ? { ...form, error: undefined } : form}>
        {isQuestion && (
          <MultiSelect
            searchable
            label={t('screens')}
            description={t('screensHint')}
            data={helpScreens.map((value) => ({
              value,
              label: isKey(helpEditor.screen, value) ? t(`screen.${value}`) : t(`words.${value}`),
            }))}
            {...form.fields.getInputProps('screens')}
          />
        )}
        <div className={classes.languages}>
          {languages.map((language) => (
            <Stack key={language} component="fieldset" className="bare">
              <legend className={classes.legend}>{languageNames[language]}</legend>
              <TextInput
                label={t(isQuestion ? 'question' : 'words.title')}
                lang={language}
                {...form.fields.getInputProps(`${language}_title`)}
              />
              <Textarea
                minRows={10}
                maxRows={30}
                label={t('words.text')}
                description={t('markdown')}
                lang={language}
                {...form.fields.getInputProps(`${language}_content`)}
              />
              <Switch
                label={t('isDraft')}
                {...form.fields.getInputProps(`${language}_is_draft`, { type: 'checkbox' })}
              />
              <Paper
                withBorder
                p="md"
                radius="md"
                component="section"
                aria-label={`${t('words.preview')} ${languageNames[language]}`}
              >
                <Title order={2} size="h5" mb="sm">
                  {t('words.preview')}
                </Title>
                <Preview language={language} text={form.fields.getValues()[`${language}_content`]} />
              </Paper>
            </Stack>
          ))}
        </div>
      </SaveBarForm>
    </>
  );
}

function Preview({ text, language }: { text: string; language: Language }) {
  const { t } = useTranslation('helpEditor');
  if (text.trim() === '') return <Text c="dimmed">{t(language === 'en' ? 'nothing' : 'optional')}</Text>;
  // Whatever its language is: the note about missing translations is for readers.
  return (
    <div lang={language}>
      <HelpText text={text} level={3} onPage={() => undefined} />
    </div>
  );
}
