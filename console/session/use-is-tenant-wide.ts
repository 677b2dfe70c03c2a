import { useMatches } from '@tanstack/react-router';

/** Returns true if the screen shows the whole tenant, whichever unit is in the URL. */
export function useIsTenantWide(): boolean {
  return useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.isTenantWide === true),
  });
}
