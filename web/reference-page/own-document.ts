/** The OpenAPI document of the signed-in user's entities. */
import { isRecord } from '../is-record.ts';
import type { Session } from './session.ts';

/** The document as received. */
export interface OwnDocument {
  readonly text: string;
  /** True if it describes no operations. */
  readonly isEmpty: boolean;
}

/** Reads the document, or returns a problem to show to the user. Never rejects. */
export async function readOwnDocument(session: Session): Promise<OwnDocument | { problem: string }> {
  try {
    const first = await request(session);
    if (first.status !== 401) return await parse(first);
    await session.review();
    return await parse(await request(session));
  } catch {
    return { problem: 'The description of your entities could not be read. Try again.' };
  }
}

async function request(session: Session): Promise<Response> {
  const headers = { authorization: `Bearer ${await session.freshToken()}` };
  return fetch('api/openapi.json', { headers, credentials: 'omit' });
}

/** Parses a response. @throws SyntaxError if it is not a JSON object. */
async function parse(response: Response): Promise<OwnDocument | { problem: string }> {
  const text = await response.text();
  const answer: unknown = JSON.parse(text);
  if (!isRecord(answer)) throw new SyntaxError('The response is not a document.');
  if (!response.ok) return { problem: `Your entities cannot be shown: ${answer.message}` };
  return { text, isEmpty: isRecord(answer.paths) && Object.keys(answer.paths).length === 0 };
}
