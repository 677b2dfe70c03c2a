/** All features' samples in one: a record of every kind, and a valid request to every route. */
import { features } from '../../src/features/index.ts';
import type { Route } from '../../src/http/route.ts';
import { listFiles } from '../harness/repository.ts';
import type { TestTenant } from '../harness/test-app.ts';
import type { FeatureSamples, NameOf, Requests, RouteRequest, Sample } from './samples.ts';

const FILE = 'samples.ts';

/** Every route that clients can call, in the order of the features. */
export const allRoutes: readonly Route[] = features.flatMap((feature) => [...feature.routes]);

/** The samples of the features that have any, by the feature's name. */
export const samplesByFeature: ReadonlyMap<string, FeatureSamples> = await loadSamples();

const requests: Requests = Object.assign(
  Object.create(null),
  ...[...samplesByFeature.values()].map((each) => each.requests),
);

/** Creates one record of every kind in the tenant, and tells their names. */
export async function createWorld(tenant: TestTenant, receiverUrl: string): Promise<NameOf> {
  const names = new Map<Sample, string>();
  const name = (sample: Sample): string => {
    const made = names.get(sample);
    if (made === undefined)
      throw new Error('A sample names a record that it does not need: add it to `needs`.');
    return made;
  };
  const make = async (sample: Sample): Promise<void> => {
    if (names.has(sample)) return;
    for (const needed of sample.needs ?? []) await make(needed);
    names.set(sample, await sample.make({ tenant, receiverUrl, name }));
  };
  for (const { records } of samplesByFeature.values()) for (const record of records) await make(record);
  return name;
}

/** Names of the same form under which there is nothing. */
export function absentNames(present: NameOf): NameOf {
  const names = new Map<Sample, string>();
  return (sample) => {
    const name = names.get(sample) ?? sample.absent?.() ?? present(sample);
    names.set(sample, name);
    return name;
  };
}

/** All records that {@link createWorld} makes. */
export function allRecords(): Sample[] {
  return [...samplesByFeature.values()].flatMap(({ records }) => [...records]);
}

/** A valid request to the route that names these records. @throws for a route that needs a sample and has none. */
export function requestTo(route: Route, name: NameOf): RouteRequest {
  const request = requests[sampleIdOf(route)];
  if (!request && takesInput(route)) throw new Error(missingSample(route));
  return request?.(name) ?? {};
}

/** The operation whose sample stands for the route: of a PATCH that of its PUT. */
export function sampleIdOf({ id, patches = id }: Route): string {
  return patches;
}

/** Whether a request to the route must say something. */
export function takesInput({ params, body, query, upload }: Route): boolean {
  const hasQuery = Object.keys(query?.properties ?? {}).length > 0;
  return Boolean(params || body || hasQuery || upload);
}

/** What to write where. */
export function missingSample({ id }: Route): string {
  const owner = features.find((feature) => feature.routes.some((route) => route.id === id))?.name;
  return `${id} has no sample: add a valid request under '${id}' to \`requests\` in ${FILE} of ${owner}`;
}

async function loadSamples(): Promise<Map<string, FeatureSamples>> {
  const files = await listFiles('src/features', FILE);
  const loaded = new Map<string, FeatureSamples>();
  for (const { name } of features) {
    const path = files.find((file) => file.endsWith(`/${name}/${FILE}`));
    if (path === undefined) continue;
    const { samples }: { samples: FeatureSamples } = await import(`../../${path}`);
    loaded.set(name, samples);
  }
  return loaded;
}
