/** The OpenAPI document of the entities of whoever is signed in. */
import { isRecord } from '../is-record.ts';
import type { Session } from './session.ts';

/** The document as it came. */
export interface OwnDocument {
  readonly text: string;
  /** True if it describes no operations. */
  readonly isEmpty: boolean;
}

/** Reads the document; a problem is worded for people. Never rejects. */
export async function readOwnDocument(session: Session): Promise<OwnDocument | { problem: string }> {
  try {
    const first = await ask(session);
    if (first.status !== 401) return await read(first);
    await session.review();
    return await read(await ask(session));
  } catch {
    return { problem: 'The description of your entities could not be read. Try again.' };
  }
}

async function ask(session: Session): Promise<Response> {
  const headers = { authorization: `Bearer ${await session.freshToken()}` };
  return fetch('api/openapi.json', { headers, credentials: 'omit' });
}

/** @throws SyntaxError when what answered is no Tessera. */
async function read(response: Response): Promise<OwnDocument | { problem: string }> {
  const text = await response.text();
  const answer: unknown = JSON.parse(text);
  if (!isRecord(answer)) throw new SyntaxError('The answer is no document.');
  if (!response.ok) return { problem: `Your entities are not shown: ${answer.message}` };
  return { text, isEmpty: isRecord(answer.paths) && Object.keys(answer.paths).length === 0 };
}
