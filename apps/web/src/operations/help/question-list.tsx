import { Accordion, Text } from '@mantine/core';
import type { Faq, FaqCategory } from '@reachout/contract/help.ts';
import { HelpText } from './help-text.tsx';
import { useLanguage } from './use-help.ts';

/** A question with the name and title of its category. */
export interface Question extends Faq {
  category: string;
  categoryTitle: string;
}

export const questionsOf = (categories: readonly FaqCategory[]): Question[] =>
  categories.flatMap(({ name: category, title: categoryTitle, faqs }) =>
    faqs.map((faq) => ({ ...faq, category, categoryTitle })),
  );

/** The address of a question within the page of the help. */
export const anchorOf = ({ category, name }: Pick<Question, 'category' | 'name'>): string =>
  `${category}.${name}`;

interface Props {
  questions: readonly Question[];
  /** The heading level of the questions. */
  level: 3 | 4;
  /** Anchors of those whose answers are shown. */
  opened: readonly string[];
  onOpen: (anchors: string[]) => void;
  /** Whether the questions come from several categories, which are named then. */
  isMixed?: boolean;
  onPage?: (name: string) => void;
}

/** Questions that show their answers in place. */
export function QuestionList({ questions, level, opened, onOpen, isMixed = false, onPage }: Props) {
  const language = useLanguage();
  return (
    <Accordion multiple variant="contained" order={level} value={[...opened]} onChange={onOpen}>
      {questions.map((question) => {
        const anchor = anchorOf(question);
        return (
          <Accordion.Item key={anchor} value={anchor} id={anchor}>
            <Accordion.Control lang={question.language === language ? undefined : question.language}>
              <Text fw={600} component="span">
                {question.title}
              </Text>
              {isMixed && (
                <Text size="sm" c="dimmed" component="span" display="block">
                  {question.categoryTitle}
                </Text>
              )}
            </Accordion.Control>
            <Accordion.Panel>
              {opened.includes(anchor) && (
                <HelpText
                  text={question.content}
                  language={question.language}
                  level={level + 1}
                  onPage={onPage}
                />
              )}
            </Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}
