import { Paper, SimpleGrid, Skeleton } from '@mantine/core';
import { MarkedRowsSkeleton } from '#web/ui/skeletons.tsx';
import classes from './results.module.css';

/** Skeleton in the shape of the figures. */
export function ResultsSkeleton() {
  return (
    <div className={classes.tiles}>
      {[true, false, false, false, false].map((isHero, index) => (
        <div key={index} className={classes.tile} data-hero={isHero || undefined}>
          <Skeleton height={10} width={72} mb="sm" />
          <Skeleton height={24} width={104} />
          <div className={classes.course}>
            <Skeleton height={isHero ? 72 : 32} />
          </div>
        </div>
      ))}
    </div>
  );
}

/** The page below its title, until it is known which cards are at the top. */
export function DashboardSkeleton() {
  return (
    <>
      <Skeleton height={20} width={120} my={6} mb="sm" />
      <ResultsSkeleton />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" mt="lg">
        {[1, 2].map((card) => (
          <Paper key={card} withBorder radius="md" pt={48}>
            <MarkedRowsSkeleton rows={5} />
          </Paper>
        ))}
      </SimpleGrid>
    </>
  );
}
