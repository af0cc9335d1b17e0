import { shownSubject, type RenderedSubject } from './shown-subject.ts';

interface Props {
  /** As written, with its merge tags. */
  source: string;
  rendered: RenderedSubject;
}

/** A subject as a recipient sees it; the source is its tooltip if they differ. */
export function SubjectText({ source, rendered }: Props) {
  const subject = shownSubject(source, rendered);
  return <span title={subject === source ? undefined : source}>{subject}</span>;
}
