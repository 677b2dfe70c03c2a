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
      {page > 1 ? (
        <LinkButton size="small" icon="chevron-left" href={hrefOf(page - 1)}>
          {translate('pages.previous')}
        </LinkButton>
      ) : null}
      {page < pages ? (
        <LinkButton size="small" icon="chevron-right" href={hrefOf(page + 1)}>
          {translate('pages.next')}
        </LinkButton>
      ) : null}
    </nav>
  );
}
