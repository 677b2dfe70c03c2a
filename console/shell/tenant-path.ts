import { defaultStringifySearch, useParams } from '@tanstack/react-router';
import { useUnit } from '../session/session-context.tsx';

/** Returns the path of a screen of a tenant, for a link. */
export type TenantPath = (
  path: string,
  search?: Readonly<Record<string, string | number | boolean>>,
) => string;

/** Returns a function that makes paths of the tenant and business unit of the URL. */
export function useTenantPath(): TenantPath {
  const { tenant = '' } = useParams({ strict: false });
  const unit = useUnit();
  return (path, search = {}) => {
    // Written as the router reads it: a name such as "24" stays a text.
    const query = defaultStringifySearch({ ...(unit === null ? {} : { unit: unit.slug }), ...search });
    return `/t/${tenant}${path === '' ? '' : `/${path}`}${query}`;
  };
}
