import assert from 'node:assert/strict';
import test from 'node:test';
import { toOpenApi30 } from './openapi-30.ts';

const CASES: readonly (readonly [what: string, schema: object, rewritten: object])[] = [
  ['null as one of two types', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    'null as an alternative',
    { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }], description: 'Tokens.' },
    { type: 'integer', minimum: 0, description: 'Tokens.', nullable: true },
  ],
  [
    'a reference or null',
    { anyOf: [{ $ref: '#/components/schemas/Form' }, { type: 'null' }] },
    { anyOf: [{ $ref: '#/components/schemas/Form' }], nullable: true },
  ],
  [
    'several types',
    { type: ['string', 'integer', 'null'] },
    { anyOf: [{ type: 'string' }, { type: 'integer' }], nullable: true },
  ],
  ['a constant', { const: 'eq' }, { type: 'string', enum: ['eq'] }],
  ['a field that is called const', { const: { type: 'string' } }, { const: { type: 'string' } }],
];

for (const [what, schema, rewritten] of CASES)
  test(`${what} is written as OpenAPI 3.0 writes it`, () => {
    const document = { openapi: '3.1.0', components: { schemas: { One: schema } } };
    assert.deepEqual(JSON.parse(toOpenApi30(JSON.stringify(document))), {
      openapi: '3.0.3',
      components: { schemas: { One: rewritten } },
    });
  });
