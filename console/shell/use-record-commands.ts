import { useEffect, useState } from 'react';
import type { schemas } from '../../sdk/src/index.ts';
import { kindTitle } from '../kinds/kind-title.ts';
import { useTenantQuery } from '../session/use-tenant-query.ts';
import type { DialogCommand } from '../ui/command-dialog.tsx';
import { useFoundRecordPath } from './record-path.ts';
import { useTenantPath } from './tenant-path.ts';
import { shellTexts } from './texts.ts';

/** Delay between the last key and the search, in ms: one query instead of one per key. */
const PAUSE_MS = 150;
/** Shorter texts would match almost everything. */
const MIN_CHARS = 2;
const MAX_RESULTS = 8;

/**
 * Returns commands that open the records that match a text, the best matches first, and one that opens the page with
 * all of them. `open` opens a path.
 */
export function useRecordCommands(text: string, open: (path: string) => void): DialogCommand[] {
  const query = usePaused(text.trim());
  const isNeeded = query.length >= MIN_CHARS;
  const { data } = useTenantQuery(
    ['search', query, MAX_RESULTS],
    (api, options) => api.search.records({ query, limit: MAX_RESULTS }, options),
    { isNeeded },
  );
  const recordPath = useFoundRecordPath();
  const pathOf = useTenantPath();
  if (!isNeeded || data === undefined || data.results.length === 0) return [];
  const toCommand = ({ entity_type: kind, key, title, subtitle }: schemas.SearchResult): DialogCommand => ({
    id: `record ${kind} ${key}`,
    title,
    detail: [kindTitle(kind), subtitle].filter((part) => part !== null).join(' · '),
    icon: 'arrow-right',
    // The server has already decided that the record matches.
    keywords: `${title} ${query}`,
    // A record without a page is at least in the results.
    run: () => open(recordPath(kind, key) ?? pathOf('search', { q: key })),
  });
  return [
    ...data.results.map(toCommand),
    {
      id: 'record all',
      title: shellTexts.translate('palette.all', { text: query }),
      icon: 'search',
      keywords: query,
      run: () => open(pathOf('search', { q: query })),
    },
  ];
}

/** Returns a text when it has not changed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === '' ? '' : paused;
}
