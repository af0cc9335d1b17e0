import { createFileRoute } from '@tanstack/react-router';

/** Shown by the layout. */
export const Route = createFileRoute('/o/$orgId/collections/$collection/_list/items/$itemId')({});
