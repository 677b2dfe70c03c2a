import { useParams } from '@tanstack/react-router';
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
    const query = new URLSearchParams(unit === null ? {} : { unit: unit.slug });
    for (const [name, value] of Object.entries(search)) query.set(name, String(value));
    const text = query.toString();
    return `/t/${tenant}${path === '' ? '' : `/${path}`}${text === '' ? '' : `?${text}`}`;
  };
}
