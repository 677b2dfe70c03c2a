import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import type { EntityTypeName } from '../../sdk/src/generated/schemas.ts';
import type { DraftFields } from '../drafts/draft-fields.ts';
import { RecordScreens } from '../shell/record-path.ts';

/**
 * Loads the fields of kinds that have labels for them. Returns a function that finds those of a kind; until they are
 * loaded, and for other kinds, it returns none.
 */
export function useKnownFields(): (kind: EntityTypeName) => DraftFields {
  const screens = useContext(RecordScreens);
  const { data } = useQuery({
    queryKey: ['known-fields'],
    queryFn: async () => {
      const lists = screens.map(
        async ({ kind, loadFields }) => [kind, (await loadFields?.()) ?? {}] as const,
      );
      return new Map(await Promise.all(lists));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (kind) => data?.get(kind) ?? {};
}
