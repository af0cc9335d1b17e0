import { Text, Title } from '@mantine/core';

/** Words that explain or complete others. */
export const QuietText = Text.withProps({ size: 'sm', c: 'dimmed' });

/** Small words below or beside what they belong to. */
export const FinePrint = Text.withProps({ size: 'xs', c: 'dimmed' });

/** The title of a page, above what the page is for. */
export const PageTitle = Title.withProps({ order: 1, mb: 4 });

/** The heading of a section of a page. */
export const SectionTitle = Title.withProps({ order: 2, size: 'h3' });

/** The heading of a part of a section. */
export const SubTitle = Title.withProps({ order: 3, size: 'h5' });
