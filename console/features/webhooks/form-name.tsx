import { useTenantQuery } from '../../session/use-tenant-query.ts';

/** The name of a form; its code until the name is known, or if the user may not see the form. */
export function FormName({ code }: { readonly code: string }) {
  const { data } = useTenantQuery(
    ['forms', code, 'name'],
    async (api, options) => (await api.forms.get(code, options)).name,
  );
  return data ?? <code>{code}</code>;
}
