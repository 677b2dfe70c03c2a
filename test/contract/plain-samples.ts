/** Samples of a resource whose routes are the five of `resourceRoutes`. */
import { listOfUnit, unit } from '../../src/features/tenancy/business-units/samples.ts';
import type { FeatureSamples, NameOf, Sample } from './samples.ts';

/** What is told of a plain resource. */
export interface PlainResource {
  /** First part of the operation ids. */
  readonly id: string;
  readonly path: string;
  /** The parameter that names a record. */
  readonly key: string;
  /** A name of a record that there is not. */
  readonly absent: () => string;
  /** Valid fields of a record. */
  readonly fields: object;
}

/** A record of the resource in the unit of the samples, and requests to the five routes. */
export function plainSamples({ id, path, key, absent, fields }: PlainResource): {
  record: Sample;
  samples: FeatureSamples;
} {
  const body = (name: NameOf) => ({ ...fields, business_unit: name(unit) });
  const record: Sample = {
    needs: [unit],
    make: async ({ tenant, name }) => (await tenant.api.post(path, body(name))).body[key],
    absent,
  };
  const params = (name: NameOf) => ({ [key]: name(record) });
  const requests = {
    [`${id}.create`]: (name: NameOf) => ({ body: body(name) }),
    [`${id}.list`]: (name: NameOf) => ({ body: listOfUnit(name) }),
    [`${id}.get`]: (name: NameOf) => ({ params: params(name) }),
    [`${id}.replace`]: (name: NameOf) => ({
      params: params(name),
      body: body(name),
    }),
    [`${id}.delete`]: (name: NameOf) => ({ params: params(name) }),
  };
  return { record, samples: { records: [record], requests } };
}
