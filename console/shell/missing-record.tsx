import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Page } from '../ui/page.tsx';
import { PageHeader } from '../ui/page-header.tsx';

/** Words and link of the page of a record that does not exist. */
export interface MissingRecordProps {
  readonly title: string;
  /** Reason, such as "It was deleted, or the address is wrong." */
  readonly text: string;
  /** Text of the link to the list. */
  readonly back: string;
  readonly href: string;
}

/** The page of a record that does not exist. */
export function MissingRecord({ title, text, back, href }: MissingRecordProps) {
  return (
    <Page>
      <PageHeader title={title} />
      <EmptyState title={text} action={<LinkButton href={href}>{back}</LinkButton>} />
    </Page>
  );
}
