import { withoutTags } from './without-tags.ts';

interface Props {
  /** As written, with its merge tags. */
  source: string;
  /** For one recipient; `to` is null if it was rendered without one. Undefined or null if that is not possible. */
  rendered: { to: string | null; subject: string } | null | undefined;
}

/** A subject as a recipient sees it; the source is its tooltip if they differ. */
export function SubjectText({ source, rendered }: Props) {
  const subject = rendered && rendered.to !== null ? rendered.subject : withoutTags(source);
  return <span title={subject === source ? undefined : source}>{subject}</span>;
}
