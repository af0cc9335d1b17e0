import { IconFile } from '@tabler/icons-react';
import { useOrganization } from '#web/identity/organizations/use-organization.ts';
import classes from './files.module.css';
import { assetUrl } from './file-queries.ts';

interface Props {
  id: string;
  /** Whether it is an image that browsers can display. */
  isImage: boolean;
}

/** Thumbnail or icon of a file, beside its name. */
export function FileMark({ id, isImage }: Props) {
  const { orgId } = useOrganization();
  return (
    <span className={classes.mark} aria-hidden>
      {isImage ? (
        <img src={assetUrl(orgId, id)} alt="" loading="lazy" />
      ) : (
        <IconFile size={18} stroke={1.5} />
      )}
    </span>
  );
}
