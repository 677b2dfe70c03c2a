/** Every route has a sample in the folder of its feature, so that the other contract tests try it. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { features } from '../../src/features/index.ts';
import { allRoutes, missingSample, sampleIdOf, samplesByFeature, takesInput } from './world.ts';

for (const { name, routes } of features) {
  const { requests = {} } = samplesByFeature.get(name) ?? {};

  test(`${name}: each route that takes input has a sample request`, () => {
    const missing = allRoutes.filter(
      (route) => routes.includes(route) && takesInput(route) && !Object.hasOwn(requests, sampleIdOf(route)),
    );
    assert.deepEqual(missing.map(missingSample), []);
  });

  test(`${name}: each sample request is to a route of the feature`, () => {
    const ids = routes.map((route) => route.id);
    const unknown = Object.keys(requests).filter((id) => !ids.includes(id));
    assert.deepEqual(unknown, []);
  });
}
