/** What is written together by one statement, octets. */
const GROUP_OCTETS = 1024 * 1024;

/** Items in their order, in groups of about a mebibyte; one that is larger is a group of its own. */
export function groupsBySize<Item extends { readonly octets: number }>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  let octets = Number.POSITIVE_INFINITY;
  for (const item of items) {
    octets += item.octets;
    if (octets > GROUP_OCTETS) {
      groups.push([]);
      octets = item.octets;
    }
    groups.at(-1)?.push(item);
  }
  return groups;
}
