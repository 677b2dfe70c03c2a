/** Target size of a group, in bytes. */
const GROUP_BYTES = 1024 * 1024;

/** Splits items, in order, into groups of about 1 MiB; a larger item is a group of its own. */
export function groupsBySize<Item extends { readonly bytes: number }>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const item of items) {
    bytes += item.bytes;
    if (bytes > GROUP_BYTES) {
      groups.push([]);
      bytes = item.bytes;
    }
    groups.at(-1)?.push(item);
  }
  return groups;
}
