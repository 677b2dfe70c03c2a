/** The methods of each path by surface, to explain requests that no route serves. */
import type { Route } from './route.ts';
import { servingSurfaces } from './surfaces.ts';

interface ServedPath {
  readonly surface: string;
  readonly methods: readonly string[];
  readonly pattern: RegExp;
  /** True for the paths of entity records, which match anything below /api/. */
  readonly isOpen: boolean;
  /** True if the last segment is a word, such as `list`, and no parameter. */
  readonly endsInWord: boolean;
}

/** The paths of all routes. */
export class RoutePaths {
  readonly #paths: readonly ServedPath[];

  constructor(routes: readonly Route[]) {
    this.#paths = routes.flatMap((route) =>
      servingSurfaces(route).map(({ name }) => ({
        surface: name,
        methods: servesHead(route) ? ['GET', 'HEAD'] : [route.method],
        pattern: patternOf(route),
        isOpen: route.path.startsWith('/api/{'),
        endsInWord: !route.path.endsWith('}'),
      })),
    );
  }

  /** Returns the methods of a path on these surfaces, sorted; `url` may have a query. */
  methodsAt(
    url: string,
    surfaces: readonly string[],
    { isOpen, endsInWord }: { isOpen?: boolean; endsInWord?: boolean } = {},
  ): string[] {
    const path = url.replace(/\?.*$/s, '');
    const methods = this.#paths
      .filter((each) => surfaces.includes(each.surface) && (isOpen ?? each.isOpen) === each.isOpen)
      .filter((each) => (endsInWord ?? each.endsInWord) === each.endsInWord)
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((each) => each.methods);
    return [...new Set(methods)].sort();
  }
}

/** Returns true if HEAD is answered like GET: for writes only if declared, for event streams never. */
export function servesHead({ method, events, write, answersHead }: Route): boolean {
  return method === 'GET' && events === undefined && (write === undefined || answersHead === true);
}

function patternOf({ path, endsWithRest }: Route): RegExp {
  const segments = path
    .split('/')
    .map((segment) =>
      /^\{\w+\}$/.test(segment) ? '[^/]+' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    );
  if (endsWithRest) segments.splice(-1, 1, '.*');
  return new RegExp(`^${segments.join('/')}/?$`);
}
