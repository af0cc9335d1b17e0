import { Stack } from '@mantine/core';
import { ConversionGoals } from './conversion-goals.tsx';
import { WebsiteToken } from './website-token.tsx';

/** Settings that only websites have. */
export const WebsiteSettings = () => (
  <Stack gap="lg">
    <ConversionGoals />
    <WebsiteToken />
  </Stack>
);
