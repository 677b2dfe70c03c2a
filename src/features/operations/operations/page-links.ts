import { posix } from 'node:path';
import type { PageLink } from '../../../http/page.ts';

/** Returns the links at the top of our pages. `currentPath` is the page's path, relative to the root of the service. */
export function pageLinks(currentPath: string): readonly PageLink[] {
  const links = [
    { url: '', text: 'Tessera' },
    { url: 'guides', text: 'Guides' },
    { url: 'docs', text: 'API reference' },
    { url: 'guides/specification/README', text: 'Specification' },
  ];
  return links.map(({ url, text }) => ({
    href: relativeUrl(currentPath, url),
    text,
    isCurrentPage: url === currentPath,
  }));
}

/** Returns the relative URL from one path to another, independent of the mount path. */
export function relativeUrl(from: string, to: string): string {
  const folder = posix.relative(posix.dirname(`/${from}`), posix.dirname(`/${to}`));
  return posix.join(folder, posix.basename(to)) || '.';
}
