import { createFileRoute } from '@tanstack/react-router';
import { HelpEditor } from '#web/operations/help/help-editor.tsx';

export const Route = createFileRoute('/operator/help/')({ component: HelpEditor });
