/** Labels by the path of a field, such as `target.url`. */
type Labels = Readonly<Record<string, { readonly label: string }>>;

/**
 * Returns what people call a member of a record. One whose parts alone have labels may have changed in any of them:
 * "Address or Headers". One without a label is shown as the API calls it.
 */
export function memberLabel(fields: Labels, member: string, locale: string): string {
  const own = Object.hasOwn(fields, member) ? fields[member]?.label : undefined;
  if (own !== undefined) return own;
  const parts = Object.entries(fields).flatMap(([path, { label }]) =>
    path.startsWith(`${member}.`) ? [label] : [],
  );
  return parts.length === 0 ? member : new Intl.ListFormat(locale, { type: 'disjunction' }).format(parts);
}
