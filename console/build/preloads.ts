/** Finds which files the page of an address loads in advance: those of its screen, with the texts of its language. */
import type { Metafile } from 'esbuild';
import { LOCALES, type Locale } from '../texts/locales.ts';
import { importedFrom } from './imported-from.ts';
import type { Scripts } from './join-scripts.ts';

/** The parts of a route that matter here. */
interface Route {
  readonly options: {
    readonly path?: string;
    readonly getParentRoute?: () => Route;
    readonly staticData?: { readonly screen?: string };
  };
  readonly children?: readonly Route[] | Readonly<Record<string, Route>>;
}

/** A screen, and what its page loads besides the files of every page. */
export interface Preload {
  /** Path of the route below `/console/`, such as `t/$tenant/settings/members`. */
  readonly path: string;
  /** Files by language. */
  readonly files: Readonly<Record<Locale, readonly string[]>>;
}

// A URL, because the types of these modules are those of a browser.
const FEATURES_URL = new URL('../features/index.ts', import.meta.url);
const FEATURES = 'console/features';
const MAIN = 'console/main.tsx';
/** The end of a file that declares the texts of a folder. */
const TEXTS = /\/texts\.ts$/;

/** Returns the files of each screen. @throws Error naming a screen that no route names, or that does not exist. */
export async function findPreloads({ inputs }: Metafile, { filesOf }: Scripts): Promise<Preload[]> {
  const { FEATURES: features }: { readonly FEATURES: readonly { readonly routes: readonly Route[] }[] } =
    await import(FEATURES_URL.href);
  const routes = features.flatMap((feature) => feature.routes.flatMap(withChildren));
  const ofFrame = importedFrom(inputs, [MAIN], (file) => !file.startsWith(FEATURES));
  const ofEveryPage = new Set(filesOf(MAIN));
  requireScreens(inputs, new Set(routes.map(screenOf)));
  return routes.map((route) => {
    const chain = withParents(route);
    const screens = chain.flatMap((each) => screenOf(each) ?? []);
    const manifests = screens.map((screen) => `${screen.slice(0, screen.lastIndexOf('/'))}/index.ts`);
    const texts = [...importedFrom(inputs, manifests).union(ofFrame)].filter((file) => TEXTS.test(file));
    const filesIn = (locale: Locale) => {
      const catalogs = texts
        .map((file) => file.replace(TEXTS, `/texts.${locale}.json`))
        .filter((file) => file in inputs);
      return [...new Set([...catalogs, ...screens].flatMap((entry) => filesOf(entry)))].filter(
        (file) => !ofEveryPage.has(file),
      );
    };
    const files = Object.fromEntries(LOCALES.map((locale) => [locale, filesIn(locale)]));
    return { path: pathOf(chain), files: { en: [], de: [], ...files } };
  });
}

function withChildren(route: Route): Route[] {
  return [route, ...Object.values(route.children ?? {}).flatMap(withChildren)];
}

/** Returns a route with the routes around it, outermost first. */
function withParents(route: Route): Route[] {
  const parent = route.options.getParentRoute?.();
  return parent === undefined ? [route] : [...withParents(parent), route];
}

function pathOf(chain: readonly Route[]): string {
  return chain
    .map(({ options: { path = '' } }) => path)
    .filter((path) => path !== '' && path !== '/')
    .join('/');
}

function screenOf({ options: { staticData } }: Route): string | null {
  return staticData?.screen === undefined ? null : `${FEATURES}/${staticData.screen}.tsx`;
}

/** Checks that each screen that a manifest imports is named by its route, so that its page loads it in advance. */
function requireScreens(inputs: Metafile['inputs'], named: ReadonlySet<string | null>): void {
  const manifests = Object.entries(inputs).filter(([file]) =>
    /^console\/features\/[^/]+\/index\.ts$/.test(file),
  );
  const imported = manifests.flatMap(([, { imports }]) =>
    imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
  );
  for (const screen of imported)
    if (!named.has(screen)) throw new Error(`No route names the screen ${screen} in staticData.screen.`);
  for (const screen of named)
    if (screen !== null && !imported.includes(screen)) throw new Error(`No manifest imports ${screen}.`);
}
