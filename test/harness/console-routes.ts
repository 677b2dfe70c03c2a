/** The routes of the console, read from the manifests of its features. */

/** The parts of a route that tests read. */
interface ManifestRoute {
  readonly options: {
    readonly path?: string;
    readonly getParentRoute?: () => ManifestRoute;
    readonly validateSearch?: (search: object) => unknown;
  };
  readonly children?: readonly ManifestRoute[] | Readonly<Record<string, ManifestRoute>>;
}

interface ManifestEntry {
  readonly path: string;
  readonly isForOwners?: boolean;
}

interface Manifest {
  readonly routes: readonly ManifestRoute[];
  readonly navigation?: readonly ManifestEntry[];
}

/** A route of the console. */
export interface ConsoleRoute {
  /** Such as `t/$tenant/settings/members`. */
  readonly path: string;
  /** Names of the query parameters that the route reads. */
  readonly search: readonly string[];
  /** True if only owners see its content. */
  readonly isForOwners: boolean;
}

// A URL, because the types of these modules are those of a browser.
const MANIFESTS = new URL('../../console/features/index.ts', import.meta.url);

/** Returns the routes of all features, parents before their children. */
export async function consoleRoutes(): Promise<ConsoleRoute[]> {
  const { FEATURES }: { readonly FEATURES: readonly Manifest[] } = await import(MANIFESTS.href);
  const entries = FEATURES.flatMap(({ navigation = [] }) => navigation);
  const ownPaths = entries.filter(({ isForOwners }) => isForOwners).map(({ path }) => `t/$tenant/${path}`);
  return FEATURES.flatMap(({ routes }) => routes.flatMap(withChildren)).map((route) => {
    const path = pathOf(route);
    const isForOwners = ownPaths.some((own) => path === own || path.startsWith(`${own}/`));
    return { path, search: searchOf(route), isForOwners };
  });
}

function withChildren(route: ManifestRoute): ManifestRoute[] {
  return [route, ...Object.values(route.children ?? {}).flatMap(withChildren)];
}

function pathOf({ options: { path = '', getParentRoute } }: ManifestRoute): string {
  const above = getParentRoute === undefined ? '' : pathOf(getParentRoute());
  return [above, path].filter((part) => part !== '' && part !== '/').join('/');
}

/** The parameters that a route's validation reads. */
function searchOf({ options: { validateSearch } }: ManifestRoute): string[] {
  const read = new Set<string>();
  const search = new Proxy({}, { get: (_, name) => void read.add(String(name)) });
  validateSearch?.(search);
  return [...read];
}
