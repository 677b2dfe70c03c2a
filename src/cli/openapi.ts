import { writeFile } from 'node:fs/promises';
import { features } from '../features/index.ts';
import { buildOpenApi, toOpenApiText } from '../http/openapi.ts';
import type { Command } from './command.ts';

/** Writes the OpenAPI document, for contributors. */
export const openapi: Command = {
  name: 'openapi',
  summary: 'Writes the OpenAPI document of this version',
  details: ['A running service has it at /openapi.json.'],
  arguments: [{ name: 'FILE', description: 'The file to write.' }],
  run: async (input) => {
    const file = input.argument(0);
    await writeFile(file, toOpenApiText(buildOpenApi(features))).catch((cause: unknown) => {
      throw new Error(`${file} cannot be written: ${cause instanceof Error ? cause.message : cause}`, {
        cause,
      });
    });
  },
};
