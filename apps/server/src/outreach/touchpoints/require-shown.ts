import type { OperationContext } from '../../identity/access/operations.ts';
import { forbidden } from '../../platform/http/api-error.ts';

/**
 * Messages and tests show content items, and the copy of a template its source: who chooses them must be able to read them.
 * @throws 403
 */
export function requireShown(
  { can }: Pick<OperationContext, 'can'>,
  shown: {
    collection?: string | null | undefined;
    item_id?: string | null | undefined;
    items_count?: number | undefined;
    template_id?: string | null | undefined;
  },
): void {
  if (typeof shown.template_id === 'string' && !can('read', 'Template')) throw forbidden('read', 'Template');
  const showsItems =
    typeof shown.collection === 'string' || typeof shown.item_id === 'string' || (shown.items_count ?? 0) > 0;
  if (showsItems && !can('read', 'Content')) throw forbidden('read', 'Content');
}
