import { Button } from './button.tsx';
import { LinkButton } from './link-button.tsx';
import classes from './pagination.module.css';
import { uiTexts } from './texts.ts';

interface PaginationProps {
  /** The 1-based page that is shown. */
  readonly page: number;
  readonly pages: number;
  /** Returns the path of a page. */
  readonly hrefOf: (page: number) => string;
}

/** Links to the previous and the next page of a list. A list of one page has none. */
export function Pagination({ page, pages, hrefOf }: PaginationProps) {
  if (pages <= 1) return null;
  const { translate } = uiTexts;
  return (
    <nav className={classes.pagination} aria-label={translate('pages')}>
      <span className={classes.position}>{translate('pages.position', { page, pages })}</span>
      <Step title={translate('pages.previous')} href={page > 1 ? hrefOf(page - 1) : null} />
      <Step title={translate('pages.next')} href={page < pages ? hrefOf(page + 1) : null} />
    </nav>
  );
}

interface StepProps {
  readonly title: string;
  /** Null if there is no such page: the button is disabled. */
  readonly href: string | null;
}

function Step({ title, href }: StepProps) {
  return href === null ? (
    <Button size="small" isDisabled>
      {title}
    </Button>
  ) : (
    <LinkButton size="small" href={href}>
      {title}
    </LinkButton>
  );
}
